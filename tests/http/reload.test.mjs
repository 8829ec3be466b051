// SIGHUP reads the configuration again.

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { deflateSync } from 'node:zlib';

import { Daemon, heavyTile, sleep, slowness, tile } from './client.mjs';

const reloads = async (daemon, result) =>
  Number(new RegExp(`^ecotone_config_reloads_total\\{result="${result}"\\} (\\d+)$`, 'm').exec((await daemon.get('/metrics')).text)[1]);

/** Sends SIGHUP and waits until the daemon has read the file; `text` is written before. */
async function reload(daemon, text, result = 'done') {
  const before = await reloads(daemon, result);
  if (text !== undefined) {
    writeFileSync(daemon.config, text);
  }
  daemon.child.kill('SIGHUP');
  const limit = Date.now() + 10000 * slowness;
  while (await reloads(daemon, result) === before) {
    assert.ok(Date.now() < limit, `no reload:\n${daemon.log}`);
    await sleep(1);
  }
}

const names = async (daemon) => (await daemon.get('/api/worlds')).json.worlds.map(({ name }) => name);
const rss = (daemon) => Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${daemon.child.pid}/status`, 'utf8'))[1]);

const chunk = (type, data) => {
  const bytes = Buffer.concat([Buffer.from(type), data]);
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) {
      crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
    }
  }
  const frame = Buffer.alloc(bytes.length + 8);
  frame.writeUInt32BE(data.length, 0);
  bytes.copy(frame, 4);
  frame.writeUInt32BE(~crc >>> 0, bytes.length + 4);
  return frame;
};

/** A square picture of one colour. */
function plainPng(side, colour) {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const row = [0, ...Array.from({ length: side }, () => colour).flat()];
  const rows = Buffer.concat(Array.from({ length: side }, () => Buffer.from(row)));
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), chunk('IHDR', header), chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0))]);
}

describe('reload', () => {
  it('takes worlds and settings over, and says what needs a new start', async () => {
    const daemon = await Daemon.start();
    const text = readFileSync(daemon.config, 'utf8');
    const { hash } = (await daemon.get('/api/worlds')).json.worlds[0];
    await reload(daemon, text.replace('name: text-seed', 'name: other').replace('server: {', 'server: {base_path: /maps, threads: 3, '));
    assert.deepEqual((await daemon.get('/maps/api/worlds')).json.worlds.map(({ name }) => name), ['small', 'other', 'heavy']);
    assert.equal((await daemon.get('/api/worlds')).status, 404);
    assert.equal((await daemon.get(`/maps${tile('other', 'biome', 9, 256, 256)}`)).status, 200);
    assert.equal((await daemon.get(`/maps${tile('text-seed', 'biome', 9, 256, 256)}`)).status, 404);
    assert.match((await daemon.get('/maps/tiles/small/blend.json')).json.tiles[0], /\/maps\/tiles\//);
    await daemon.says(/server\.threads has changed; that takes effect at the next start/);
    await daemon.says(/is in effect: 3 worlds/);

    await reload(daemon, text.replace('{low: 40, high: 90}', '{low: 40, high: 91}'));
    assert.notEqual((await daemon.get('/api/worlds')).json.worlds[0].hash, hash);
    await daemon.stop();
  });

  it('a wrong file changes nothing, and is named with its line', async () => {
    const daemon = await Daemon.start();
    const text = readFileSync(daemon.config, 'utf8');
    const path = tile('small', 'blend', 18, 131072, 131072);
    const before = await daemon.get(path);
    for (const wrong of [text.replace('octaves: 2', 'octaves: 13'), 'worlds: [', '', 'no: such\n']) {
      await reload(daemon, wrong, 'failed');
      assert.deepEqual(await names(daemon), ['small', 'text-seed', 'heavy']);
      assert.deepEqual((await daemon.get(path)).body, before.body);
      const { state, error } = (await daemon.get('/api/worlds')).json.configuration;
      assert.equal(state, 'broken');
      assert.ok(error.startsWith('ecotone.yaml:') && !error.includes('/'), error);
    }
    await daemon.says(/ecotone\.yaml:\d+: worlds\[0\]\.noise\.octaves: 13 is out of range; .*the configuration stays as it was/);
    assert.equal(await reloads(daemon, 'done'), 0);
    await reload(daemon, text);
    assert.deepEqual((await daemon.get('/api/worlds')).json.configuration, { state: 'current' });
    assert.equal((await daemon.get('/healthz')).status, 200);
    await daemon.stop();
  });

  it('the same world keeps its tiles, whatever else changes', async () => {
    const daemon = await Daemon.start();
    const text = readFileSync(daemon.config, 'utf8');
    const path = tile('small', 'relief', 18, 131072, 131072);
    const before = await daemon.get(path);
    await reload(daemon, text.replace('title: A small world', 'title: Renamed').replace(/ {2}- name: text-seed[^]*?(?= {2}- name: heavy)/, ''));
    const { renders } = await daemon.health();
    const after = await daemon.get(path);
    assert.deepEqual(after.body, before.body);
    assert.equal(after.headers.etag, before.headers.etag);
    assert.equal((await daemon.health()).renders, renders);
    assert.equal((await daemon.get('/api/worlds')).json.worlds[0].title, 'Renamed');
    await daemon.stop();
  });

  it('a border goes on moving, and one that is told otherwise moves from where it stands', async () => {
    const border = (text) => `worlds:
  - {name: w, generator: patchwork, biomes: [{id: 4, name: Forest, colour: "#406030"}], border: ${text}}
`;
    const daemon = await Daemon.start({ worlds: border('{diameter: 1000, target: 4000, seconds: 30}') });
    const text = readFileSync(daemon.config, 'utf8');
    const change = (to) => reload(daemon, text.replace(/border: .*/, `border: ${to}}`));
    const properties = async () => (await daemon.get('/api/worlds/w/border')).json.properties;
    await sleep(400);
    const first = await properties();
    assert.ok(first.diameter > 1035 && first.state === 'grows', `${first.diameter}`);
    await change('{diameter: 1000, target: 4000, seconds: 30, warning_distance: 20, center: {x: 7}}');
    const second = await properties();
    assert.ok(second.diameter >= first.diameter, `${first.diameter} to ${second.diameter}`);
    assert.ok(second.seconds_left <= first.seconds_left);
    assert.equal(second.warning_distance, 20);
    assert.equal(second.center.x, 7);
    await change('{diameter: 1000, target: 500, seconds: 1000000}');
    const third = await properties();
    assert.equal(third.state, 'shrinks');
    assert.ok(third.diameter > second.diameter - 1 && third.diameter < 4000, `${second.diameter} to ${third.diameter}`);
    assert.ok(third.seconds_left > 999990);
    await change('{diameter: 300}');
    assert.deepEqual([(await properties()).state, (await properties()).diameter], ['stands', 300]);
    await daemon.stop();
  });

  it('a picture of the climates is read again', async () => {
    const daemon = await Daemon.start({ worlds: 'worlds: [{name: w, generator: overworld, overworld: {scale: 8}}]\n' });
    const picture = join(dirname(daemon.config), 'climate.png');
    const hash = async () => (await daemon.get('/api/worlds')).json.worlds[0].hash;
    const article = await hash();
    writeFileSync(picture, plainPng(256, [0xff, 0xff, 0xb2]));
    await reload(daemon, readFileSync(daemon.config, 'utf8').replace('scale: 8', 'diagram: climate.png'));
    const deserts = await hash();
    writeFileSync(picture, plainPng(256, [0xbe, 0xff, 0xf2]));
    await reload(daemon);
    const tundras = await hash();
    assert.equal(new Set([article, deserts, tundras]).size, 3);
    writeFileSync(picture, plainPng(256, [1, 2, 3]));
    await reload(daemon, undefined, 'failed');
    await daemon.says(/diagram: climate\.png: pixel 0, 0 is #010203; #ffffb2 desert/);
    assert.equal(await hash(), tundras);
    await daemon.stop();
  });

  it('what is being drawn of a world that goes is finished', async () => {
    const daemon = await Daemon.start({ server: 'threads: 1, queue: 100' });
    const text = readFileSync(daemon.config, 'utf8');
    const asked = Array.from({ length: 4 }, (_, i) => daemon.get(heavyTile(i)));
    await daemon.until(({ in_flight }) => in_flight === 4, 'the renders');
    await reload(daemon, text.slice(0, text.indexOf('  - name: heavy')));
    assert.deepEqual(await names(daemon), ['small', 'text-seed']);
    for (const reply of await Promise.all(asked)) {
      assert.equal(reply.status, 200);
    }
    assert.equal((await daemon.get(heavyTile(0))).status, 404);
    await daemon.stop();
  });

  it('the cache limit follows', async () => {
    const daemon = await Daemon.start({ cache: 'limit: 100MiB' });
    assert.equal((await daemon.health()).cache.limit, 100 * 2 ** 20);
    await reload(daemon, readFileSync(daemon.config, 'utf8').replace('100MiB', '3MiB'));
    assert.equal((await daemon.health()).cache.limit, 3 * 2 ** 20);
    await daemon.stop();
  });

  it('a thousand reloads under load leave no memory behind', async () => {
    const daemon = await Daemon.start({ cache: 'memory: 4MiB' });
    const text = readFileSync(daemon.config, 'utf8');
    const variants = [text, text.replace('{low: 40, high: 90}', '{low: 41, high: 90}'), `${text}# ${'x'.repeat(500000)}\n`];
    let warm = 0, stop = false;
    const load = (async () => {
      for (let i = 0; !stop; i++) {
        const reply = await daemon.get(tile('small', 'biome', 18, 131072 + i % 500, 131072));
        assert.equal(reply.status, 200);
      }
    })();
    const count = slowness > 1 ? 100 : 1000;
    for (let i = 0; i < count; i++) {
      await reload(daemon, variants[i % variants.length]);
      if (i === count / 5) {
        warm = rss(daemon);
      }
    }
    stop = true;
    await load;
    const end = rss(daemon);
    // A configuration that were kept would cost more than this in 800 reloads.
    assert.ok(slowness > 1 || end < warm + 6000, `${warm} kB after ${count / 5}, ${end} kB after ${count}`);
    assert.deepEqual(await names(daemon), ['small', 'text-seed', 'heavy']);
    await daemon.stop();
  });
});
