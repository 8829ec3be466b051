// Pictures of any place for wikis and chats.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, before, describe, it } from 'node:test';

import { Daemon, slowness, tile } from './client.mjs';

const { PNG } = createRequire(new URL('../../web/package.json', import.meta.url))('pngjs');
const picture = (world, layer, place, size, ending = '.png') => `/static/${world}/${layer}/${place}/${size}${ending}`;

describe('static pictures', () => {
  let daemon;
  before(async () => { daemon = await Daemon.start(); });
  after(() => daemon.stop());

  it('have the size that was asked for, and the pixels that the tiles have there', async () => {
    for (const [layer, zoom, scale] of [['relief', 18, 1], ['biome', 18, 2], ['blend', 16, 1], ['relief', 14, 2], ['terrarium', 12, 1]]) {
      const ending = scale === 2 ? '@2x.png' : '.png';
      const ground = 2 ** (18 - zoom), middle = 2 ** (zoom - 1);
      // From 30 pixels west of the world's middle, across two tiles.
      const [x, z] = [20 * ground, 16 * ground];
      const reply = await daemon.get(picture('small', layer, `${x},${z},${zoom}`, '100x48', ending));
      assert.equal(reply.status, 200, reply.text);
      assert.equal(reply.headers['content-type'], 'image/png');
      const shown = PNG.sync.read(reply.body);
      assert.deepEqual([shown.width, shown.height], [100 * scale, 48 * scale]);
      const tiles = new Map();
      for (const tx of [-1, 0]) {
        for (const ty of [-1, 0]) {
          tiles.set(`${tx},${ty}`, PNG.sync.read((await daemon.get(tile('small', layer, zoom, middle + tx, middle + ty, ending))).body));
        }
      }
      const side = 256 * scale;
      for (let row = 0; row < shown.height; row++) {
        for (let column = 0; column < shown.width; column++) {
          const px = column - 30 * scale, py = row - 8 * scale;
          const part = tiles.get(`${Math.floor(px / side)},${Math.floor(py / side)}`);
          const at = 4 * ((py + side) % side * side + (px + side) % side);
          const here = 4 * (row * shown.width + column);
          assert.deepEqual(shown.data.subarray(here, here + 3), part.data.subarray(at, at + 3), `${layer} ${zoom} at ${column},${row}`);
        }
      }
    }
  });

  it('a rectangle is shown whole, in the middle, by the pixels of the centre form', async () => {
    for (const [rect, size, place, ending] of [['-30,-8,70,40', '100x48', '20,16,18', '.png'], ['-60,-16,140,80', '100x48', '40,32,17', '@2x.png'],
      ['0,0,90,20', '100x50', '45,10,18', '.webp'], ['0,0,101,48', '100x48', '52,24,17', '.png']]) {
      const reply = await daemon.get(picture('small', 'relief', rect, size, ending));
      assert.equal(reply.status, 200, reply.text);
      const { renders } = await daemon.health();
      const other = await daemon.get(picture('small', 'relief', place, size, ending));
      assert.deepEqual(other.body, reply.body, rect);
      assert.equal(other.headers.etag, reply.headers.etag);
      assert.equal((await daemon.health()).renders, renders, 'the same view, once');
    }
    const { hash } = (await daemon.get('/api/worlds')).json.worlds[0];
    const path = picture('small', 'blend', '0,0,64,64', '64x64');
    assert.equal((await daemon.get(`${path}?v=${hash}`)).headers['cache-control'], 'public, max-age=31536000, immutable');
    assert.notDeepEqual((await daemon.get(`${path}?seed=5`)).body, (await daemon.get(path)).body);
  });

  it('take seed and version as tiles do', async () => {
    const { hash } = (await daemon.get('/api/worlds')).json.worlds[0];
    const path = picture('small', 'blend', '-100,200,17', '64x64');
    const plain = await daemon.get(path);
    assert.equal(plain.headers['cache-control'], 'no-cache');
    assert.equal((await daemon.get(`${path}?v=${hash}`)).headers['cache-control'], 'public, max-age=31536000, immutable');
    assert.equal((await daemon.get(path, { headers: { 'If-None-Match': plain.headers.etag } })).status, 304);
    assert.notDeepEqual((await daemon.get(`${path}?seed=1`)).body, plain.body);
  });

  it('of other places or sizes are other pictures', async () => {
    const etags = new Set();
    const paths = [];
    for (const place of ['0,0,17', '2,0,17', '0,2,17', '0,0,16', '33554000,0,17', '-33554000,0,17']) {
      for (const size of ['65x64', '64x65', '129x64', '64x129', '64x64']) {
        for (const ending of ['.png', '@2x.png']) {
          paths.push(picture('text-seed', 'height', place, size, ending));
        }
      }
    }
    for (const path of paths) {
      const reply = await daemon.get(path);
      assert.equal(reply.status, 200, path);
      const [width, height] = /(\d+)x(\d+)/.exec(path).slice(1).map(Number);
      const { width: wide, height: high } = PNG.sync.read(reply.body);
      const scale = path.includes('@2x') ? 2 : 1;
      assert.deepEqual([wide, high], [width * scale, height * scale], path);
      etags.add(reply.headers.etag);
    }
    assert.equal(etags.size, paths.length);
  });

  it('what is too large, malformed or outside is refused before anything is drawn', async () => {
    const { renders } = await daemon.health();
    for (const [place, size, status] of [['0,0,18', '1025x1', 400], ['0,0,18', '1x1025', 400], ['0,0,18', '0x10', 400], ['0,0,18', '10x0', 400],
      ['0,0,18', '1024x1024@2x', 400], ['0,0,18', '99999999999999999999x1', 400], ['0,0,18', '10', 400], ['0,0,18', '10x', 400], ['0,0,18', 'x10', 400],
      ['0,0,18', '10x10x10', 400], ['0,0,18', '010x10', 400], ['0,0,18', '-1x10', 400], ['0,0', '10x10', 400], ['0,0,18,', '10x10', 400],
      ['0,0,19', '10x10', 404], ['0.5,0,18', '10x10', 400], ['a,0,18', '10x10', 400], [',,', '10x10', 400], ['33554432,0,18', '10x10', 404],
      ['33554431,0,18', '10x10', 404],
      ['0,0,0,0', '10x10', 400], ['5,0,0,5', '10x10', 400], ['0,0,5', '0x0', 400], ['0,0,5,5', '1025x1', 400], ['0,0,5,5', '1024x1024@2x', 400],
      ['0,0,33554432,5', '10x10', 404], ['0,0,5,5,5', '10x10', 400], ['-33554432,0,33554431,1', '255x9', 400], ['0,0,1000000,1', '100x100', 404], ['0,-33554432,18', '10x10', 404], ['0,0,9', '1024x1024', 200], ['0,0,8', '10x10', 404],
      ['99999999999999999999,0,18', '10x10', 404]]) {
      const reply = await daemon.get(picture('small', 'biome', place, size));
      assert.equal(reply.status, status, `${place} ${size}: ${reply.text.slice(0, 200)}`);
    }
    for (const path of ['/static', '/static/small/biome/0,0,18', '/static/small/biome/0,0,18/10x10.jpg', '/static/small/biome/0,0,18/10x10@3x.png',
      '/static/small/magic/0,0,18/10x10.png', '/static/none/biome/0,0,18/10x10.png', '/static/small/biome/0,0,18/10x10.png?x=1']) {
      assert.ok([400, 404].includes((await daemon.get(path)).status), path);
    }
    assert.equal((await daemon.get(picture('text-seed', 'biome', '0,0,0', '256x256'))).status, 200);
    assert.equal((await daemon.get(picture('text-seed', 'biome', '0,0,0', '257x1'))).status, 404);
    assert.equal((await daemon.health()).renders, renders + 2);
  });

  it('thirty who ask at once share one render, and the cache file keeps it', async () => {
    const before = await daemon.until(({ cache }) => cache.pending === 0, 'the writer');
    const path = picture('heavy', 'relief', '1000,1000,18', '200x200');
    const replies = await Promise.all(Array.from({ length: 30 }, () => daemon.get(path)));
    assert.ok(replies.every(({ status, body }) => status === 200 && body.equals(replies[0].body)));
    const after = await daemon.health();
    assert.equal(after.renders, before.renders + 1);
    assert.equal(after.cache.stored + after.cache.pending, before.cache.stored + 1);
    assert.equal((await daemon.get(path)).status, 200);
    assert.equal((await daemon.health()).renders, after.renders);
    const { text } = await daemon.get('/metrics');
    assert.match(text, /^ecotone_http_requests_total\{route="static",status="200"\} \d+$/m);
  });

  it('a picture outlives the daemon in the cache file, and is another than the tile or picture beside it', async () => {
    const paths = ['/static/small/relief/0,0,64,48/64x48.png', '/static/small/relief/0,0,64,48/64x48.webp', '/static/small/relief/0,0,64,48/64x48@2x.png',
      '/static/small/relief/0,0,64,48/64x49.png', '/static/small/relief/1,0,65,48/64x48.png', tile('small', 'relief', 18, 131072, 131072)];
    const bodies = [];
    for (const path of paths) {
      bodies.push((await daemon.get(path)).body);
    }
    await daemon.until(({ cache }) => cache.pending === 0, 'the writer');
    const { folder } = daemon;
    daemon.signal('SIGTERM');
    await daemon.exited;
    daemon = await Daemon.start({ folder });
    for (const [k, path] of paths.entries()) {
      assert.deepEqual((await daemon.get(path)).body, bodies[k], path);
    }
    assert.equal((await daemon.health()).renders, 0);
    assert.equal(new Set(bodies.map((body) => body.toString('base64'))).size, paths.length);
  });

  it('the largest takes bounded memory', async () => {
    for (const layer of ['relief', 'blend', 'terrarium']) {
      const reply = await daemon.get(picture('small', layer, '0,0,17', '1024x512', '@2x.png'));
      assert.equal(reply.status, 200);
    }
    const peak = Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${daemon.child.pid}/status`, 'utf8'))[1]);
    assert.ok(slowness > 1 || peak < 400 * 1024, `${peak} kB`);
  });
});
