// What an area is made of, where a biome is nearest, and the border of a world.

import assert from 'node:assert/strict';
import net from 'node:net';
import { after, before, describe, it } from 'node:test';

import { Daemon, sleep, slowness } from './client.mjs';

const WORLDS = `
worlds:
  - name: over
    generator: overworld
    seed: 3
    border: {center: {x: 10, z: 20}, diameter: 1000, target: 400, seconds: 1000000, warning_distance: 8}
  - name: flat
    generator: relief
    relief: {classes: {peak: 16000}}
  - name: plain
    generator: patchwork
    biomes: [{id: 4, name: Forest, colour: "#406030"}]
`;
const MUSHROOMS = 14; // a rare biome
const PEAKS = 5; // of flat: there are none, so that every block is looked at

describe('ground', () => {
  let daemon;
  before(async () => { daemon = await Daemon.start({ worlds: WORLDS }); });
  after(() => daemon.stop());

  it('an area is told by the share of each biome, and how high it is', async () => {
    const reply = await daemon.get('/api/worlds/over/area?x0=-500&z0=-500&x1=500&z1=500');
    assert.equal(reply.status, 200);
    const { biomes, land, height, grid } = reply.json;
    assert.deepEqual(grid, { step: 2, columns: 500, rows: 500 });
    const sum = biomes.reduce((all, { share }) => all + share, 0);
    assert.ok(Math.abs(sum - 1) < 1e-5, `shares sum to ${sum}`);
    assert.ok(land >= 0 && land <= 1);
    const heights = [height.least, height.q05, height.q25, height.median, height.q75, height.q95, height.greatest];
    assert.deepEqual(heights, [...heights].sort((a, b) => a - b));
    const plain = (await daemon.get('/api/worlds/plain/area?x0=0&z0=0&x1=64&z1=32')).json;
    assert.deepEqual(plain.biomes.map(({ id, share }) => [id, share]), [[4, 1]]);
  });

  it('the nearest block of a biome is one of that biome', async () => {
    const { biomes } = (await daemon.get('/api/worlds')).json.worlds[0];
    for (const id of [0, 1, 7, 16, 21]) {
      const { found, nearest, biome } =
        (await daemon.get(`/api/worlds/over/locate?biome=${id}&x=0&z=0&within=8192`)).json;
      assert.ok(found, `biome ${id}`);
      assert.equal(biome.name, biomes.find((one) => one.id === id).name);
      assert.ok(biome.name_de && biome.name_ru && biome.climate);
      assert.equal(nearest.distance.toFixed(2), Math.hypot(nearest.x, nearest.z).toFixed(2));
      const point = (await daemon.get(
        `/api/worlds/over/point?x=${nearest.x}&z=${nearest.z}&zoom=18`)).json;
      assert.equal(point.biome.id, id);
    }
    const near = (await daemon.get('/api/worlds/over/locate?biome=14&x=0&z=0&within=8')).json;
    assert.equal(near.found, false);
    assert.equal(near.nearest, undefined);
  });

  it('what makes no sense is refused with a sentence', async () => {
    for (const [path, status, words] of [
      ['locate?biome=8&x=0&z=0', 404, /no biome 8/],
      ['locate?biome=21&x=0', 400, /biome, x and z are needed/],
      ['locate?biome=21&x=0&z=0&within=8193', 404, /0 to 8192/],
      ['locate?biome=21&x=99999999&z=0', 404, /outside the world/],
      ['area?x0=0&z0=0&x1=0&z1=5', 400, /greater/],
      ['area?x0=0&z0=0&x1=5', 400, /needed/],
      ['area?x0=0&z0=0&x1=5&z1=5&zoom=3', 400, /means nothing here; allowed: seed x0 z0 x1 z1$/],
      ['border?seed=5', 400, /means nothing/],
      ['size', 404, /area, locate, border/],
    ]) {
      const reply = await daemon.get(`/api/worlds/over/${path}`);
      assert.equal(reply.status, status, path);
      assert.match(reply.json.error.message, words);
    }
  });

  it('the border is GeoJSON of where it is now', async () => {
    const { type, properties, features } = (await daemon.get('/api/worlds/over/border')).json;
    assert.equal(type, 'FeatureCollection');
    assert.equal(properties.state, 'shrinks');
    assert.ok(properties.diameter < 1000 && properties.diameter > 999);
    const [line, strip] = features;
    assert.equal(line.geometry.type, 'LineString');
    const [west, north] = line.geometry.coordinates[0], [east, , ] = line.geometry.coordinates[1];
    assert.ok(Math.abs(east - west - properties.diameter) < 1e-6);
    assert.ok(Math.abs((west + east) / 2 - 10) < 1e-6 && north < 20);
    assert.equal(strip.geometry.coordinates.length, 2);
    assert.ok(Math.abs(strip.geometry.coordinates[1][0][0] - west - 8) < 1e-6);
    const standing = (await daemon.get('/api/worlds/plain/border')).json;
    assert.equal(standing.properties.state, 'stands');
    assert.equal(standing.properties.diameter, 60000000);
  });

  it('a search ends when its client goes away', async () => {
    const sockets = [];
    for (let k = 0; k < 8; k++) {
      const socket = net.connect(daemon.port, '127.0.0.1');
      socket.on('error', () => {});
      socket.write(`GET /api/worlds/flat/locate?biome=${PEAKS}&x=${k * 3000000}&z=9&within=8192&seed=${k} ` +
        'HTTP/1.1\r\nHost: a\r\n\r\n');
      sockets.push(socket);
    }
    await sleep(100);
    // A tile does not wait for any of them.
    const cold = Date.now();
    assert.equal((await daemon.get('/tiles/plain/biome/18/131072/131072.png')).status, 200);
    assert.ok(Date.now() - cold < 500 * slowness, `${Date.now() - cold} ms for a tile`);
    sockets.forEach((socket) => socket.destroy());
    // Eight whole searches would hold the workers for many seconds.
    const start = Date.now();
    assert.equal((await daemon.get('/api/worlds/plain/area?x0=0&z0=0&x1=64&z1=32')).status, 200);
    assert.ok(Date.now() - start < 1500 * slowness, `${Date.now() - start} ms`);
  });

  it('more questions than may wait are answered 503', async () => {
    const replies = await Promise.all(Array.from({ length: 40 }, (_, k) =>
      daemon.get(`/api/worlds/over/locate?biome=${MUSHROOMS}&x=0&z=0&within=600&seed=${k}`)));
    const codes = replies.map(({ status }) => status);
    assert.ok(codes.every((code) => code === 200 || code === 503));
    assert.ok(codes.includes(200));
  });
});
