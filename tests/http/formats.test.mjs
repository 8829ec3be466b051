// TMS, legends, and heights as data.

import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { after, before, describe, it } from 'node:test';

import { Daemon, tile } from './client.mjs';

const { PNG } = createRequire(new URL('../../web/package.json', import.meta.url))('pngjs');

describe('formats', () => {
  let daemon;
  before(async () => { daemon = await Daemon.start(); });
  after(() => daemon.stop());

  it('tms counts y from the south, under its own path only', async () => {
    for (const [zoom, x, y] of [[9, 256, 250], [18, 131072, 131000], [12, 2040, 2050]]) {
      const last = 2 ** zoom - 1;
      const xyz = await daemon.get(tile('small', 'relief', zoom, x, y));
      const tms = await daemon.get(`/tms/small/relief/${zoom}/${x}/${last - y}.png`);
      assert.equal(tms.status, 200);
      assert.deepEqual(tms.body, xyz.body);
      assert.equal(tms.headers.etag, xyz.headers.etag);
      assert.notDeepEqual((await daemon.get(`/tms/small/relief/${zoom}/${x}/${y}.png`)).body, xyz.body);
    }
    assert.equal((await daemon.get('/tms/small/relief/9/511/511.png')).status, 200);
    assert.equal((await daemon.get('/tms/small/relief/9/0/512.png')).status, 404);
    assert.equal((await daemon.get('/tms/small/relief/9/0/-1.png')).status, 400);
    assert.equal((await daemon.get('/tms')).status, 404);
  });

  it('tilejson of tms says so, and its tiles are there', async () => {
    const json = (await daemon.get('/tms/small/blend.json')).json;
    assert.equal(json.scheme, 'tms');
    const url = new URL(json.tiles[0].replace('{z}', 10).replace('{x}', 512).replace('{y}', 511));
    assert.match(url.pathname, /^\/tms\//);
    const reply = await daemon.get(url.pathname + url.search);
    assert.equal(reply.headers['cache-control'], 'public, max-age=31536000, immutable');
    assert.deepEqual(reply.body, (await daemon.get(tile('small', 'blend', 10, 512, 512))).body);
    assert.equal((await daemon.get('/tiles/small/blend.json')).json.scheme, 'xyz');
  });

  it('the legend of a world names every layer and biome', async () => {
    const reply = await daemon.get('/legend/small.json');
    assert.equal(reply.status, 200);
    assert.equal(reply.headers['content-type'], 'application/json');
    const [world] = (await daemon.get('/api/worlds')).json.worlds;
    assert.deepEqual(reply.json.layers, world.layers);
    assert.deepEqual(reply.json.biomes, world.biomes);
    assert.deepEqual([reply.json.height_low, reply.json.height_high], [40, 90]);
    assert.ok(reply.json.layers.find(({ name }) => name === 'border').legend.stops.length > 1);
    for (const path of ['/legend/nowhere.json', '/legend/small', '/legend', '/legend/small.json/x', '/legend/small.png']) {
      assert.equal((await daemon.get(path)).status, 404, path);
    }
    assert.equal((await daemon.get('/legend/small.json?x=1')).status, 400);
  });

  it('mapbox and terrarium tell the same heights, as the point does', async () => {
    assert.equal((await daemon.get('/tiles/small/mapbox.json')).json.encoding, 'mapbox');
    const read = async (layer) => PNG.sync.read((await daemon.get(tile('small', layer, 18, 131072, 131071))).body).data;
    const [mapbox, terrarium] = [await read('mapbox'), await read('terrarium')];
    for (let at = 0; at < mapbox.length; at += 4) {
      const height = -10000 + (mapbox[at] * 65536 + mapbox[at + 1] * 256 + mapbox[at + 2]) * 0.1;
      const other = terrarium[at] * 256 + terrarium[at + 1] + terrarium[at + 2] / 256 - 32768;
      assert.ok(Math.abs(height - other) < 0.053, `${height} and ${other}`);
    }
    const { height } = (await daemon.get('/api/worlds/small/point?x=7&z=-256')).json;
    assert.ok(Math.abs(-10000 + (mapbox[28] * 65536 + mapbox[29] * 256 + mapbox[30]) * 0.1 - height) < 0.051);
  });
});
