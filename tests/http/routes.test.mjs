// What each route answers, and that read-out and picture agree.

import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { after, before, describe, it } from 'node:test';

import { Daemon, tile } from './client.mjs';

const { PNG } = createRequire(new URL('../../web/package.json', import.meta.url))('pngjs');

describe('routes', () => {
  let daemon;
  before(async () => { daemon = await Daemon.start(); });
  after(() => daemon.stop());

  it('worlds are listed with all that a page needs', async () => {
    const reply = await daemon.get('/api/worlds');
    assert.equal(reply.status, 200);
    assert.equal(reply.headers['content-type'], 'application/json');
    const { version, worlds } = reply.json;
    assert.match(version, /^\d+\.\d+\.\d+$/);
    assert.deepEqual(worlds.map(({ name }) => name), ['small', 'text-seed', 'heavy']);
    const [small, text] = worlds;
    assert.equal(small.title, 'A small world');
    assert.equal(small.seed, '9007199254740993');
    assert.equal(text.seed, '1794106052');
    assert.equal(text.seed_text, 'hello world');
    assert.match(small.hash, /^[0-9a-f]{16}$/);
    assert.equal(small.minzoom, 9);
    assert.equal(small.maxzoom, 18);
    assert.equal(small.height_low, 40);
    assert.equal(small.height_high, 90);
    assert.equal(typeof small.sea_level, 'number');
    assert.deepEqual(small.home, { x: -100, z: 200, zoom: 16 });
    assert.equal(small.biomes.length, 4);
    assert.deepEqual(Object.keys(small.biomes[0]), ['id', 'name', 'colour']);
    assert.match(small.biomes[1].colour, /^#[0-9a-f]{6}$/);
    const layers = small.layers.map(({ name }) => name);
    assert.equal(new Set(layers).size, layers.length);
    assert.ok(['biome', 'blend', 'height', 'relief', 'terrarium'].every((name) => layers.includes(name)));
    assert.ok(small.layers.every(({ title }) => title.length > 0));
    assert.ok(small.blend.radius > 8 && small.blend.radius < 40);
  });

  it('each layer is a png of 256 pixels, of 512 at @2x', async () => {
    const { worlds } = (await daemon.get('/api/worlds')).json;
    for (const { name: layer } of worlds[0].layers) {
      for (const [ending, side] of [['.png', 256], ['@2x.png', 512]]) {
        const reply = await daemon.get(tile('small', layer, 16, 32768, 32767, ending));
        assert.equal(reply.status, 200);
        assert.equal(reply.headers['content-type'], 'image/png');
        assert.equal(Number(reply.headers['content-length']), reply.body.length);
        const { width, height } = PNG.sync.read(reply.body);
        assert.deepEqual([width, height], [side, side]);
      }
    }
  });

  it('every zoom from minzoom to 18 is drawn, none below', async () => {
    for (let zoom = 0; zoom <= 18; zoom++) {
      const middle = 2 ** zoom >> 1;
      const reply = await daemon.get(tile('small', 'biome', zoom, middle, middle));
      assert.equal(reply.status, zoom < 9 ? 404 : 200);
    }
    assert.equal((await daemon.get(tile('text-seed', 'biome', 0, 0, 0))).status, 200);
  });

  it('corner tiles of the world exist, and their neighbours outside do not', async () => {
    const last = 2 ** 18 - 1;
    for (const [x, y, status] of [[0, 0, 200], [last, last, 200], [last + 1, 0, 404], [0, last + 1, 404]]) {
      assert.equal((await daemon.get(tile('small', 'blend', 18, x, y))).status, status);
    }
  });

  it('tilejson has the types and places of version 3', async () => {
    const reply = await daemon.get('/tiles/small/blend.json', { headers: { Host: 'maps.example:81' } });
    assert.equal(reply.status, 200);
    assert.equal(reply.headers['content-type'], 'application/json');
    const { worlds } = (await daemon.get('/api/worlds')).json;
    const json = reply.json;
    assert.equal(json.tilejson, '3.0.0');
    assert.equal(json.scheme, 'xyz');
    assert.deepEqual(json.tiles,
      [`http://maps.example:81/tiles/small/blend/{z}/{x}/{y}.png?v=${worlds[0].hash}`]);
    assert.strictEqual(json.minzoom, 9);
    assert.strictEqual(json.maxzoom, 18);
    assert.deepEqual(json.bounds, [-180, -85.0511287798066, 180, 85.0511287798066]);
    assert.equal(json.center.length, 3);
    assert.ok(Math.abs(json.center[0] - -100 / 2 ** 25 * 180) < 1e-9);
    assert.ok(Math.abs(json.center[1] - -200 / 2 ** 25 * 180) < 1e-6);
    assert.equal(json.center[2], 16);
    assert.equal(json.tilesize, 256);
    assert.equal(json.seed, '9007199254740993');
    assert.equal(json.encoding, undefined);
    assert.equal((await daemon.get('/tiles/small/terrarium.json')).json.encoding, 'terrarium');
  });

  it('tilejson of another seed names it, and its tiles are immutable', async () => {
    const json = (await daemon.get('/tiles/small/biome.json?seed=hello+world')).json;
    assert.equal(json.seed, '1794106052');
    const url = new URL(json.tiles[0].replace('{z}', 10).replace('{x}', 512).replace('{y}', 512));
    assert.equal(url.searchParams.get('seed'), '1794106052');
    const reply = await daemon.get(url.pathname + url.search);
    assert.equal(reply.headers['cache-control'], 'public, max-age=31536000, immutable');
    const text = await daemon.get(tile('small', 'biome', 10, 512, 512) + '?seed=hello%20world');
    assert.deepEqual(text.body, reply.body);
  });

  it('a host that could write into a document is refused', async () => {
    for (const host of ['a/b', 'a"b', 'a b', '{z}', 'a<b', 'a\\b', 'x'.repeat(300)]) {
      const reply = await daemon.get('/tiles/small/blend.json', { headers: { Host: host } });
      assert.equal(reply.status, 400, host);
    }
    const { text } = await daemon.raw('GET /tiles/small/blend.json HTTP/1.0\r\n\r\n');
    assert.match(text, new RegExp(`"http://127\\.0\\.0\\.1:${daemon.port}/tiles/`));
  });

  it('seeds that JavaScript cannot tell apart give other maps', async () => {
    const bodies = new Set();
    for (const seed of ['9007199254740992', '9007199254740993', '9223372036854775807',
      '-9223372036854775808', '-1', '4294967295', '0']) {
      const reply = await daemon.get(`${tile('small', 'terrarium', 18, 131072, 131072)}?seed=${seed}`);
      assert.equal(reply.status, 200);
      bodies.add(reply.body.toString('latin1'));
      const point = await daemon.get(`/api/worlds/small/point?x=0&z=0&seed=${seed}`);
      assert.equal(point.json.seed, seed);
    }
    assert.equal(bodies.size, 7);
  });

  it('the configured seed, named or not, is the same tile', async () => {
    const path = tile('small', 'terrarium', 17, 65536, 65536);
    const plain = await daemon.get(path);
    const named = await daemon.get(`${path}?seed=9007199254740993`);
    assert.deepEqual(named.body, plain.body);
    assert.equal(named.headers.etag, plain.headers.etag);
  });

  it('the read-out says what the pixel shows, at every zoom and scale', async () => {
    const { worlds } = (await daemon.get('/api/worlds')).json;
    const colours = new Map(worlds[0].biomes.map(({ id, colour }) => [id, colour]));
    let random = 12345;
    const next = (below) => (random = random * 1103515245 + 12345 & 0x7fffffff) % below;
    for (const [zoom, scale] of [[18, 1], [18, 2], [17, 2], [15, 1], [12, 2], [9, 1]]) {
      const ending = scale === 2 ? '@2x.png' : '.png';
      const x = 2 ** (zoom - 1) - (zoom & 1), y = 2 ** (zoom - 1) - 1 + (zoom & 1);
      const biome = PNG.sync.read((await daemon.get(tile('small', 'biome', zoom, x, y, ending))).body);
      const heights = PNG.sync.read((await daemon.get(tile('small', 'terrarium', zoom, x, y, ending))).body);
      const ground = 2 ** (18 - zoom) / scale;
      for (let i = 0; i < 40; i++) {
        const px = next(256 * scale), py = next(256 * scale), at = 4 * (py * 256 * scale + px);
        const block = (tileIndex, pixel) =>
          Math.floor(tileIndex * 256 * 2 ** (18 - zoom) - 2 ** 25 + (pixel + next(100) / 100) * ground);
        const found = (await daemon.get(`/api/worlds/small/point?x=${block(x, px)}&z=${block(y, py)}` +
          `&zoom=${zoom}&scale=${scale}`)).json;
        const [r, g, b] = biome.data.subarray(at);
        const shown = `#${(r << 16 | g << 8 | b).toString(16).padStart(6, '0')}`;
        assert.equal(found.biome.colour, shown);
        assert.equal(colours.get(found.biome.id), shown);
        const [hr, hg, hb] = heights.data.subarray(at);
        assert.ok(Math.abs(hr * 256 + hg + hb / 256 - 32768 - found.height) <= 1 / 256 + 1e-4);
      }
    }
  });

  it('weights of a point sum to 1, the greatest first, and it is the biome', async () => {
    for (let i = 0; i < 50; i++) {
      const { weights, biome, x, z } =
        (await daemon.get(`/api/worlds/small/point?x=${i * 37 - 900}&z=${-i * 91}`)).json;
      assert.deepEqual([x, z], [i * 37 - 900, -i * 91 || 0]);
      assert.ok(weights.length >= 1 && weights.length <= 4);
      const sum = weights.reduce((total, { weight }) => total + weight, 0);
      assert.ok(Math.abs(sum - 1) < 1e-5, `${sum}`);
      assert.ok(weights.every(({ weight }, k) => weight > 0 && (k === 0 || weight <= weights[k - 1].weight)));
      assert.equal(weights[0].weight, weights.find(({ id }) => id === biome.id).weight);
    }
  });

  it('points at the far corners of the world are answered', async () => {
    for (const x of [-(2 ** 25), 2 ** 25 - 1]) {
      for (const z of [-(2 ** 25), 2 ** 25 - 1]) {
        for (const zoom of [0, 9, 18]) {
          const reply = await daemon.get(`/api/worlds/text-seed/point?x=${x}&z=${z}&zoom=${zoom}`);
          assert.equal(reply.status, 200);
          assert.deepEqual([reply.json.x, reply.json.z], [x, z]);
        }
      }
    }
  });

  it('the colours of a point are those of the tiles, in every layer, every world and every zoom', async () => {
    const { worlds } = (await daemon.get('/api/worlds')).json;
    for (const [name, zoom, scale] of [['small', 18, 1], ['small', 15, 2], ['text-seed', 18, 1], ['text-seed', 10, 1]]) {
      const layers = worlds.find((world) => world.name === name).layers.map((layer) => layer.name);
      const x = 2 ** (zoom - 1) - 1, y = 2 ** (zoom - 1), side = 256 * scale;
      const ending = scale === 2 ? '@2x.png' : '.png';
      const pictures = await Promise.all(layers.map(async (layer) =>
        PNG.sync.read((await daemon.get(tile(name, layer, zoom, x, y, ending))).body)));
      for (let k = 0; k < 12; k++) {
        const px = (k * 67 + 255) % side, py = (k * 101) % side;
        const block = (index, pixel) => index * 256 * 2 ** (18 - zoom) - 2 ** 25 + Math.floor(pixel * 2 ** (18 - zoom) / scale);
        const { colours } = (await daemon.get(`/api/worlds/${name}/point?x=${block(x, px)}&z=${block(y, py)}` +
          `&zoom=${zoom}&scale=${scale}&layers=${layers.join()}`)).json;
        assert.deepEqual(Object.keys(colours), layers);
        for (const [index, layer] of layers.entries()) {
          const shown = pictures[index].data.subarray(4 * (py * side + px)).subarray(0, 3).toString('hex');
          assert.equal(colours[layer], `#${shown}`, `${name} ${layer} ${zoom} ${px},${py}`);
        }
      }
    }
  });

  it('a point has no colours where none are asked for, and only those of layers that there are', async () => {
    const point = '/api/worlds/small/point?x=3&z=-8';
    assert.equal((await daemon.get(point)).json.colours, undefined);
    const colours = async (query) => (await daemon.get(`${point}&${query}`)).json.colours;
    assert.deepEqual(Object.keys(await colours('layers=relief')), ['relief']);
    assert.notDeepEqual(await colours('layers=blend&blend=none'), await colours('layers=blend'));
    for (const [layers, status] of [['', 400], ['relief,', 400], ['relief,relief', 400], [',', 400],
      ['magic', 404], ['trees', 404], ['Relief', 404], ['relief,magic', 404]]) {
      const reply = await daemon.get(`${point}&layers=${layers}`);
      assert.equal(reply.status, status, layers);
      assert.ok(reply.text.length > 10);
    }
  });

  it('there is no minus zero', async () => {
    const reply = await daemon.get('/api/worlds/small/point?x=-0&z=-0');
    assert.equal(reply.status, 200);
    assert.doesNotMatch(reply.text, /-0[,}.]/);
    // Of a world whose page opens at 0, 0.
    assert.match((await daemon.get('/tiles/text-seed/blend.json')).text, /"center":\[0\.0,0\.0,/);
  });

  it('the page and its files are served with a policy, and nothing else is', async () => {
    const page = await daemon.get('/');
    assert.equal(page.status, 200);
    assert.equal(page.headers['content-type'], 'text/html; charset=utf-8');
    assert.match(page.headers['content-security-policy'], /default-src 'self'/);
    assert.deepEqual((await daemon.get('/index.html')).body, page.body);
    assert.deepEqual((await daemon.get('/?embed=1&utm_source=x')).body, page.body);
    const linked = [...page.text.matchAll(/(?:src|href)="([^":#]+)"/g)].map(([, path]) => path);
    assert.ok(linked.length >= 2);
    for (const path of linked) {
      const reply = await daemon.get(`/${path}`);
      assert.equal(reply.status, 200, path);
      assert.equal(reply.headers['x-content-type-options'], 'nosniff');
      const named = /^[0-9a-f]{16}\//.test(path);
      assert.equal(reply.headers['cache-control'], named ? 'public, max-age=31536000, immutable' : 'no-cache', path);
    }
    for (const path of ['/index.htm', '/js/main.js', '/web/index.html', '/etc/passwd', '/js', '/package.json']) {
      assert.equal((await daemon.get(path)).status, 404, path);
    }
  });

  it('who asks chooses how biomes run into each other, where the world allows it', async () => {
    const at = 'tiles/small/blend/16/32767/32768.png';
    const { blend } = (await daemon.get('/api/worlds')).json.worlds[0];
    assert.deepEqual([...blend.methods].sort(), ['full', 'grid_convolve', 'grid_lerp', 'none', 'scattered']);
    const own = await daemon.get(`/${at}?blend=${blend.methods[0]}`);
    assert.deepEqual(own.body, (await daemon.get(`/${at}`)).body);
    const others = await Promise.all(blend.methods.slice(1).map((name) => daemon.get(`/${at}?blend=${name}`)));
    const pictures = new Set([own, ...others].map(({ body }) => body.toString('base64')));
    assert.equal(pictures.size, 5);
    const hard = await daemon.get('/api/worlds/small/point?x=3&z=-8&blend=none');
    assert.deepEqual(hard.json.weights.map(({ weight }) => weight), [1]);
    assert.deepEqual((await daemon.get(`/${at}`)).body, own.body);
    for (const path of [`/${at}?blend=soft`, `/${at}?blend=`, '/api/worlds/small/point?x=0&z=0&blend=FULL']) {
      const reply = await daemon.get(path);
      assert.equal(reply.status, 400, path);
      assert.match(reply.json.error.message, /scattered, full, grid_convolve, grid_lerp or none/);
    }
  });

  it('names that do not exist are named in the error', async () => {
    for (const [path, name] of [['/tiles/nowhere/blend/9/0/0.png', 'nowhere'],
      ['/tiles/small/magic/9/0/0.png', 'magic'], ['/tiles/nowhere/blend.json', 'nowhere'],
      ['/tiles/small/magic.json', 'magic'], ['/api/worlds/nowhere/point?x=0&z=0', 'nowhere']]) {
      const reply = await daemon.get(path);
      assert.equal(reply.status, 404);
      assert.match(reply.json.error.message, new RegExp(`'${name}'`));
    }
  });
});
