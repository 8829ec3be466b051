// TMS, legends, and heights as data.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
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

  // The map comes from another implementation, and no turn or mirroring of it is like it.
  it('a tile is the golden map, north up and west to the left', async () => {
    const shipped = readFileSync(new URL('../../config/ecotone.yaml', import.meta.url), 'utf8');
    const demo = await Daemon.start({ worlds: shipped.slice(shipped.indexOf('\nworlds:')) });
    const { biomes } = (await demo.get('/api/worlds')).json.worlds.find(({ name }) => name === 'demo');
    const rows = readFileSync(new URL('../golden/demo_biome_map.csv', import.meta.url), 'utf8').trim().split('\n').slice(1)
      .map((line) => line.split(',')).map(([z, digits]) => [Number(z), digits]);
    for (const [tx, ty] of [[-1, -1], [0, -1], [-1, 0], [0, 0], [2, 1]]) {
      const { body } = await demo.get(`/tiles/demo/biome/18/${131072 + tx}/${131072 + ty}.png?blend=none`);
      assert.deepEqual((await demo.get(`/tms/demo/biome/18/${131072 + tx}/${131071 - ty}.png?blend=none`)).body, body);
      const { data } = PNG.sync.read(body);
      for (const [z, digits] of rows.filter(([z]) => Math.floor(z / 256) === ty)) {
        for (let x = tx * 256; x < tx * 256 + 256; x += 16) {
          const at = ((z - ty * 256) * 256 + x - tx * 256) * 4;
          const { id } = biomes.find(({ colour }) => colour === `#${data.toString('hex', at, at + 3)}`);
          assert.equal(String(id), digits[(x + 512) / 16], `${x}, ${z}`);
        }
      }
    }
    await demo.stop();
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
    for (const path of ['/legend/nowhere.json', '/legend/small', '/legend', '/legend/small.json/x', '/legend/small.webp', '/legend/small/relief.json', '/legend/small/magic.png', '/legend/none.png', '/legend/small/temperature.png']) {
      assert.equal((await daemon.get(path)).status, 404, path);
    }
    assert.equal((await daemon.get('/legend/small.json?x=1')).status, 400);
  });

  it('legends are pictures too, of the biomes and of each layer', async () => {
    const [world] = (await daemon.get('/api/worlds')).json.worlds;
    for (const layer of ['', ...world.layers.map(({ name }) => `/${name}`)]) {
      const reply = await daemon.get(`/legend/small${layer}.png`, { headers: { 'Accept-Encoding': 'gzip' } });
      assert.equal(reply.status, 200, layer);
      assert.equal(reply.headers['content-type'], 'image/png');
      assert.equal(reply.headers['content-encoding'], undefined);
      assert.equal(reply.headers['cache-control'], 'no-cache');
      const { width, height } = PNG.sync.read(reply.body);
      const twice = PNG.sync.read((await daemon.get(`/legend/small${layer}@2x.png`)).body);
      assert.deepEqual([twice.width, twice.height], [2 * width, 2 * height]);
      assert.equal((await daemon.get(`/legend/small${layer}.png`, { headers: { 'If-None-Match': reply.headers.etag } })).status, 304);
    }
    const { width, data } = PNG.sync.read((await daemon.get('/legend/small.png')).body);
    world.biomes.forEach(({ colour }, row) => {
      const at = 4 * ((50 + 18 * row + 7) * width + 17);
      assert.equal(`#${data.subarray(at, at + 3).toString('hex')}`, colour);
    });
    const { text } = await daemon.get('/metrics');
    assert.match(text, /route="legend",status="200"/);
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

  // 16 bits a pixel: pngjs makes 8 of them unless told otherwise.
  const read16 = (body) => {
    const { width, height, depth, data } = PNG.sync.read(body, { skipRescale: true });
    assert.equal(depth, 16);
    return { width, height, grey: (x, y) => data[4 * (y * width + x)] };
  };

  it('height16 spans the range of the world, and as much below and above it', async () => {
    const { layers, height_low: low, height_high: high } = (await daemon.get('/api/worlds')).json.worlds[0];
    const layer = layers.find(({ name }) => name === 'height16');
    assert.equal(layer.data, true);
    const span = 3 * (high - low), least = low - (high - low);
    assert.equal(layer.formula, `height = value * ${span} / 65535 - ${-least}`);
    const json = (await daemon.get('/tiles/small/height16.json')).json;
    assert.equal(json.formula, layer.formula);
    assert.equal(json.encoding, undefined);
    const reply = await daemon.get(tile('small', 'height16', 18, 131073, 131070));
    assert.equal(reply.headers['content-type'], 'image/png');
    const { width, height, grey } = read16(reply.body);
    assert.deepEqual([width, height], [256, 256]);
    const seen = new Set();
    for (const [x, y] of [[0, 0], [255, 0], [0, 255], [17, 200], [200, 17], [255, 255]]) {
      const point = (await daemon.get(`/api/worlds/small/point?x=${256 + x}&z=${y - 512}`)).json;
      const value = least + grey(x, y) * span / 65535;
      assert.ok(Math.abs(value - point.height) <= span / 65535 / 2 + 0.0001, `${x},${y}: ${value} and ${point.height}`);
      seen.add(grey(x, y));
    }
    assert.ok(seen.size > 3, 'a slope');
    const twice = read16((await daemon.get(tile('small', 'height16', 18, 131073, 131070, '@2x.png'))).body);
    assert.equal(twice.width, 512);
    assert.equal(twice.grey(34, 401), grey(17, 200));
    const still = read16((await daemon.get('/static/small/height16/256,-512,512,-256/256x256.png')).body);
    assert.equal(still.grey(200, 17), grey(200, 17));
  });

  const isWebp = (body, kind) =>
    body.subarray(0, 4).toString() === 'RIFF' && body.subarray(8, 16).toString() === `WEBP${kind}` && body.readUInt32LE(4) === body.length - 8;
  const sizeOf = (body) => ['VP8L'].includes(body.subarray(12, 16).toString())
    ? [(body.readUInt32LE(21) & 0x3fff) + 1, (body.readUInt32LE(21) >>> 14 & 0x3fff) + 1] : [body.readUInt16LE(26) & 0x3fff, body.readUInt16LE(28) & 0x3fff];

  it('webp by its ending: without loss but for shaded ground, and png stays as it was', async () => {
    for (const [layer, kind] of [['biome', 'VP8L'], ['blend', 'VP8L'], ['height', 'VP8L'], ['terrarium', 'VP8L'], ['mapbox', 'VP8L'], ['border', 'VP8L'], ['relief', 'VP8 ']]) {
      const path = tile('small', layer, 16, 32768, 32767);
      const png = await daemon.get(path);
      const webp = await daemon.get(path.replace('.png', '.webp'));
      assert.equal(webp.status, 200, layer);
      assert.equal(webp.headers['content-type'], 'image/webp');
      assert.equal(webp.headers['content-encoding'], undefined);
      assert.equal(webp.headers['access-control-allow-origin'], '*');
      assert.ok(isWebp(webp.body, kind), layer);
      assert.deepEqual(sizeOf(webp.body), [256, 256]);
      assert.notEqual(webp.headers.etag, png.headers.etag);
      assert.deepEqual((await daemon.get(path)).body, png.body);
      assert.equal((await daemon.get(path)).headers['content-type'], 'image/png');
      const known = await daemon.get(path.replace('.png', '.webp'), { headers: { 'If-None-Match': webp.headers.etag } });
      assert.equal(known.status, 304);
      assert.equal(known.body.length, 0);
    }
    const twice = await daemon.get(tile('small', 'relief', 16, 32768, 32767, '@2x.webp'));
    assert.deepEqual(sizeOf(twice.body), [512, 512]);
    const still = await daemon.get('/static/small/relief/0,0,17/100x60@2x.webp');
    assert.equal(still.headers['content-type'], 'image/webp');
    assert.deepEqual(sizeOf(still.body), [200, 120]);
    assert.notDeepEqual((await daemon.get('/static/small/relief/0,0,17/100x60@2x.png')).body, still.body);
    const tms = await daemon.get(`/tms/small/biome/16/32768/${65535 - 32767}.webp`);
    assert.deepEqual(tms.body, (await daemon.get(tile('small', 'biome', 16, 32768, 32767, '.webp'))).body);
  });

  it('webp tiles are versioned, and kept in memory and in the cache file beside the png', async () => {
    const path = tile('text-seed', 'biome', 4, 9, 6, '.webp');
    const { hash } = (await daemon.get('/api/worlds')).json.worlds[1];
    const first = await daemon.get(`${path}?v=${hash}`);
    assert.equal(first.headers['cache-control'], 'public, max-age=31536000, immutable');
    await daemon.get(path.replace('.webp', '.png'));
    const { renders } = await daemon.until(({ cache }) => cache.pending === 0, 'the writer');
    assert.deepEqual((await daemon.get(path)).body, first.body);
    assert.equal((await daemon.health()).renders, renders);
    const { folder, cache } = daemon;
    const config = readFileSync(daemon.config, 'utf8');
    daemon.signal('SIGTERM');
    await daemon.exited;
    daemon = await Daemon.start({ folder });
    assert.equal(daemon.cache, cache);
    assert.equal(readFileSync(daemon.config, 'utf8'), config);
    assert.deepEqual((await daemon.get(path)).body, first.body);
    assert.ok(isWebp((await daemon.get(path)).body, 'VP8L'));
    assert.equal((await daemon.get(path.replace('.webp', '.png'))).headers['content-type'], 'image/png');
    assert.equal((await daemon.health()).renders, 0);
  });

  it('HEAD of every form has the headers of GET, and forty who ask at once get the same bytes', async () => {
    for (const path of [tile('small', 'blend', 12, 2050, 2040, '.webp'), tile('small', 'height16', 12, 2050, 2040), '/legend/small.png', '/legend/small/border@2x.png',
      '/static/small/blend/-40,10,90,70/200x90.webp', '/tiles/small/mapbox.json?format=webp', '/wmts?REQUEST=GetTile']) {
      const replies = await Promise.all(Array.from({ length: 40 }, () => daemon.get(path)));
      const [{ status, body, headers }] = replies;
      assert.ok(body.length > 0 && replies.every((reply) => reply.status === status && reply.body.equals(body)), path);
      const head = await daemon.get(path, { method: 'HEAD' });
      assert.equal(head.status, status);
      assert.equal(head.body.length, 0);
      for (const name of ['content-type', 'content-length', 'etag', 'cache-control', 'access-control-allow-origin']) {
        assert.equal(head.headers[name], headers[name], `${path} ${name}`);
      }
    }
  });

  it('what webp cannot hold is refused with a sentence', async () => {
    for (const path of [tile('small', 'height16', 16, 0, 0, '.webp'), '/static/small/height16/0,0,17/10x10.webp', '/tiles/small/height16.json?format=webp']) {
      const reply = await daemon.get(path);
      assert.equal(reply.status, 404, path);
      assert.match(reply.json.error.message, /height16 has more bits/);
      assert.equal(reply.headers['cache-control'], 'no-store');
    }
  });

  it('tilejson carries seed, blending and format into the tiles, and links the legend', async () => {
    const { json } = await daemon.get('/tiles/small/border.json?seed=-7&blend=grid_lerp&format=webp', { headers: { Host: 'maps.example:81' } });
    assert.equal(json.tilejson, '3.0.0');
    assert.equal(json.format, 'webp');
    assert.equal(json.legend, 'http://maps.example:81/legend/small/border.png');
    assert.equal(json.attribution, undefined);
    for (const number of [json.minzoom, json.maxzoom, ...json.bounds, ...json.center]) {
      assert.ok(Number.isFinite(number));
    }
    assert.ok(json.bounds.length === 4 && json.center.length === 3);
    const url = new URL(json.tiles[0].replace('{z}', 15).replace('{x}', 16384).replace('{y}', 16384));
    assert.equal(url.searchParams.get('seed'), '-7');
    assert.equal(url.searchParams.get('blend'), 'grid_lerp');
    const reply = await daemon.get(url.pathname + url.search);
    assert.equal(reply.headers['cache-control'], 'public, max-age=31536000, immutable');
    assert.equal(reply.headers['content-type'], 'image/webp');
    const plain = await daemon.get(tile('small', 'border', 15, 16384, 16384, '.webp'));
    assert.notDeepEqual(plain.body, reply.body);
    const own = (await daemon.get('/tiles/small/border.json')).json;
    assert.doesNotMatch(own.tiles[0], /seed|blend/);
    assert.match(own.tiles[0], /\.png\?v=/);
    assert.equal((await daemon.get('/tiles/small/border.json?format=gif')).status, 400);
    assert.equal((await daemon.get('/tiles/small/border.json?blend=cubic')).status, 400);
  });
});
