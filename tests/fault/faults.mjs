// What kills tile servers, done to a daemon that is being asked: no wrong tile, no failed request that
// could have been served, no crash, and the database whole at the end.
//   node tests/fault/faults.mjs     all of them at full length, as a table: `make faults`
// tests/http/faults.test.mjs runs the short forms.

import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { Daemon, WORLDS, program, sleep, tile } from '../http/client.mjs';

const OCEAN = `
worlds:
  - name: ocean
    generator: patchwork
    minzoom: 9
    biomes: [{id: 0, name: Ocean, colour: "#1c3a66"}]
`;
const root = process.getuid?.() === 0;
/** A file system of its own needs root and the right to mount; both may be missing in a container. */
const canMount = root && spawnSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', '-o', 'size=1m', 'none', '/mnt']).status === 0;

/** `count` tiles of the small world, in rows of ten. */
const tiles = (count, ending = '.png', from = 0) => Array.from({ length: count }, (_, i) =>
  tile('small', 'relief', 18, 131072 + i % 10, 131072 + from + (i / 10 | 0), ending));

/** The bytes of tiles as a daemon without any fault gives them. */
const right = new Map();
async function learn(paths) {
  const missing = paths.filter((path) => !right.has(path));
  if (missing.length > 0) {
    const daemon = await Daemon.start();
    for (let i = 0; i < missing.length; i += 40) {
      const part = missing.slice(i, i + 40);
      const replies = await Promise.all(part.map((path) => daemon.get(path)));
      part.forEach((path, k) => right.set(path, replies[k].body));
    }
    await daemon.stop();
  }
}

/** Asks for the paths, 20 at a time; each must be answered, and rightly. The slowest in ms. */
async function ask(daemon, paths) {
  let next = 0, slowest = 0;
  await Promise.all(Array.from({ length: 20 }, async () => {
    while (next < paths.length) {
      const path = paths[next++], begin = performance.now();
      const { status, body } = await daemon.get(path);
      slowest = Math.max(slowest, performance.now() - begin);
      assert.equal(status, 200, path);
      assert.ok(body.equals(right.get(path)), `${path} is wrong`);
    }
  }));
  return slowest;
}

/** Ends the daemon but keeps its folder. */
async function end(daemon, signal = 'SIGTERM') {
  daemon.signal(signal);
  const how = await daemon.exited;
  daemon.agent.destroy();
  if (signal === 'SIGTERM') {
    assert.deepEqual(how, { code: 0, signal: null }, daemon.log);
  }
}

function assertWhole(file) {
  const { stdout, stderr } = spawnSync('sqlite3', [file, 'PRAGMA integrity_check'], { encoding: 'utf8' });
  assert.equal(stdout, 'ok\n', stderr);
}

const sizeOf = (file) => ['', '-wal'].reduce((sum, ending) =>
  sum + (existsSync(file + ending) ? statSync(file + ending).size : 0), 0);
const warnings = (daemon) => daemon.log.split('\n').filter((line) => /cannot be written/.test(line)).length;
const healed = (daemon) => daemon.until(({ cache }) => cache.state === 'ok' && cache.pending === 0, 'a cache in order');

/** Runs `work` with a folder on a tmpfs of `size`. */
async function onDisk(size, work) {
  const folder = mkdtempSync(join(tmpdir(), 'ecotone-fault-'));
  const mount = (...args) => assert.equal(spawnSync('mount', args).status, 0, `mount ${args.join(' ')}`);
  mount('-t', 'tmpfs', '-o', `size=${size}`, 'none', folder);
  try {
    return await work(folder, (options) => mount('-o', `remount,${options}`, folder));
  } finally {
    spawnSync('umount', ['-l', folder]);
    rmSync(folder, { recursive: true, force: true });
  }
}

async function fullDisk({ long }) {
  const paths = tiles(long ? 200 : 50, '@2x.png');
  await learn(paths);
  return onDisk('4m', async (folder, remount) => {
    const daemon = await Daemon.start({ folder, cache: 'memory: 1MiB' });
    const slowest = await ask(daemon, paths);
    await daemon.until(({ cache }) => cache.state === 'degraded', 'a full disk');
    assert.equal((await daemon.get('/readyz')).status, 200);
    await ask(daemon, paths);
    assert.equal(warnings(daemon), 1, daemon.log);
    remount('size=200m');
    await healed(daemon);
    await ask(daemon, paths);
    await end(daemon);
    assertWhole(daemon.cache);
    const asked = paths.reduce((sum, path) => sum + right.get(path).length, 0);
    return `${(asked / 1e6).toFixed(1)} MB asked twice, all right (slowest ${slowest.toFixed(0)} ms); degraded, one log line; heals with room`;
  });
}

async function lockedDatabase({ long }) {
  const seconds = long ? 10 : 1.5;
  const paths = tiles(60);
  await learn(paths);
  const daemon = await Daemon.start();
  await ask(daemon, paths.slice(0, 5));
  await healed(daemon);
  const lock = execFile('sqlite3', [daemon.cache]);
  lock.stdin.write('.timeout 5000\nBEGIN EXCLUSIVE;\nSELECT 1;\n');
  await new Promise((done) => { lock.stdout.on('data', (text) => String(text).includes('1') && done()); });
  const begin = performance.now();
  let slowest = 0, asked = 0;
  while (performance.now() - begin < seconds * 1000) {
    slowest = Math.max(slowest, await ask(daemon, paths));
    asked += paths.length;
  }
  assert.equal((await daemon.health()).cache.state, 'degraded');
  lock.stdin.end('ROLLBACK;\n');
  const { cache } = await healed(daemon);
  assert.equal(cache.dropped, 0);
  assert.equal(cache.stored, paths.length);
  await daemon.stop();
  return `${asked} requests in ${seconds} s, all right, slowest ${slowest.toFixed(0)} ms; all ${paths.length} tiles stored afterwards, none dropped`;
}

async function corruptRows({ long }) {
  const paths = tiles(60);
  await learn(paths);
  const daemon = await Daemon.start({ cache: 'memory: 0' });
  await ask(daemon, paths);
  await healed(daemon);
  const damages = ["UPDATE images SET data = zeroblob(length(data)) WHERE id % 3 = 0", "UPDATE images SET data = x'' WHERE id % 3 = 1",
    "UPDATE map SET hash = x'00' WHERE rowid_ % 2 = 0", "DELETE FROM images WHERE id % 4 = 0",
    "UPDATE map SET image = image + 1 WHERE image % 5 = 0"].map((text) => text.replace('rowid_', 'image'));
  let rounds = 0;
  for (; rounds < (long ? 10 : 1); rounds++) {
    for (const damage of damages) {
      const { stderr } = spawnSync('sqlite3', ['-cmd', '.timeout 5000', daemon.cache, damage], { encoding: 'utf8' });
      assert.equal(stderr, '');
      await ask(daemon, paths);
      await healed(daemon);
    }
  }
  const { status, stdout } = spawnSync(program, ['cache', 'verify', '--all', '--config', daemon.config], { encoding: 'utf8' });
  assert.equal(status, 0, stdout);
  await end(daemon);
  assertWhole(daemon.cache);
  rmSync(daemon.folder, { recursive: true });
  return `${rounds * damages.length} damages, ${rounds * damages.length * paths.length} requests, all right; verify finds all healed`;
}

async function noise() {
  const paths = tiles(30);
  await learn(paths);
  const folder = mkdtempSync(join(tmpdir(), 'ecotone-fault-'));
  const file = join(folder, 'tiles.sqlite');
  const bytes = Buffer.from(Array.from({ length: 4096 }, (_, i) => (i * 2654435761 >>> 13) & 255));
  writeFileSync(file, bytes);
  const daemon = await Daemon.start({ folder });
  await ask(daemon, paths);
  await healed(daemon);
  await daemon.says(/it is set aside as .*tiles\.sqlite\.damaged-20\d+T\d+Z and made anew/);
  await end(daemon);
  assertWhole(file);
  const aside = readdirSync(folder).filter(name => name.includes('.damaged-'));
  assert.deepEqual(readFileSync(join(folder, aside[0])), bytes);
  // The same over a part of a real cache: set aside, made anew.
  const other = await Daemon.start();
  await ask(other, paths);
  await healed(other);
  await end(other);
  const { stdout } = spawnSync('dd', ['if=/dev/urandom', `of=${other.cache}`, 'bs=4096', 'count=1', 'seek=2', 'conv=notrunc']);
  assert.equal(stdout.length, 0);
  const again = await Daemon.start({ folder: other.folder });
  await ask(again, paths);
  await healed(again);
  await ask(again, paths);
  await end(again);
  assertWhole(again.cache);
  rmSync(again.folder, { recursive: true });
  return 'all right: set aside, byte for byte, and made anew, alone as well as within a cache';
}

async function readOnly() {
  const paths = tiles(30);
  await learn(paths);
  return onDisk('16m', async (folder, remount) => {
    const inner = join(folder, 'cache');
    mkdirSync(inner);
    const config = mkdtempSync(join(tmpdir(), 'ecotone-fault-'));
    remount('ro');
    const daemon = new Daemon({ folder: config, worlds: WORLDS, options: ['--cache', join(inner, 'tiles.sqlite')] });
    daemon.url = await new Promise((done) => {
      daemon.child.stdout.on('data', (text) => { const found = /http:\/\/\S+/.exec(text); if (found) done(found[0]); });
    });
    daemon.port = Number(new URL(daemon.url).port);
    await ask(daemon, paths);
    assert.equal((await daemon.health()).cache.state, 'degraded');
    remount('rw');
    await healed(daemon);
    await end(daemon);
    assertWhole(join(inner, 'tiles.sqlite'));
    rmSync(config, { recursive: true });
    return `${paths.length} tiles, all right; degraded, and stored once the directory can be written`;
  });
}

async function killed({ long }) {
  const paths = tiles(200);
  const rounds = long ? 20 : 2;
  await learn(paths);
  let daemon = await Daemon.start();
  let answered = 0;
  for (let round = 0; round < rounds; round++) {
    const asked = paths.map(async (path) => {
      const reply = await daemon.get(path).catch(() => null);
      if (reply) {
        assert.ok(reply.status === 200 && reply.body.equals(right.get(path)), `${path} is wrong`);
        answered++;
      }
    });
    await sleep(10 + 37 * round % 400);
    await end(daemon, 'SIGKILL');
    await Promise.all(asked);
    assertWhole(daemon.cache);
    // What is in the file must not be what makes the next round: other tiles, again and again.
    if (round % 4 === 3) {
      spawnSync('sqlite3', [daemon.cache, 'DELETE FROM map WHERE image % 2']);
    }
    daemon = await Daemon.start({ folder: daemon.folder });
    assert.doesNotMatch(daemon.log, /set aside|damaged/);
  }
  await ask(daemon, paths);
  await daemon.stop();
  return `${rounds} kills, ${answered} replies in between, all right; the database whole each time`;
}

async function terminated({ long }) {
  const paths = tiles(200);
  const rounds = long ? 20 : 2;
  await learn(paths);
  let daemon = await Daemon.start(), answered = 0, refused = 0, slowest = 0;
  for (let round = 0; round < rounds; round++) {
    let lost = 0;
    const asked = paths.map(async (path) => {
      const reply = await daemon.get(path).catch(() => null);
      if (!reply) {
        lost++; // the listening socket was closed before it was connected
      } else if (reply.status === 200) {
        assert.ok(reply.body.equals(right.get(path)), `${path} is wrong`);
        answered++;
      } else {
        assert.equal(reply.status, 503);
        refused++;
      }
    });
    await sleep(30 + 23 * round % 200);
    const begin = performance.now();
    await end(daemon);
    slowest = Math.max(slowest, performance.now() - begin);
    await Promise.all(asked);
    assert.ok(lost < paths.length, 'nobody was answered');
    assertWhole(daemon.cache);
    spawnSync('sqlite3', [daemon.cache, 'DELETE FROM map; DELETE FROM images']);
    daemon = await Daemon.start({ folder: daemon.folder });
  }
  await daemon.stop();
  return `${rounds} times exit 0 within ${slowest.toFixed(0)} ms; ${answered} replies right, ${refused} refused with 503`;
}

async function oceans({ long }) {
  const side = long ? 100 : 20;
  const daemon = await Daemon.start({ worlds: OCEAN });
  for (let row = 0; row < side; row++) {
    const replies = await Promise.all(Array.from({ length: side }, (_, i) =>
      daemon.get(tile('ocean', 'biome', 18, 131072 + i, 131072 + row))));
    assert.ok(replies.every(({ status }) => status === 200));
  }
  const { cache } = await healed(daemon);
  assert.equal(cache.stored, side * side);
  const images = spawnSync('sqlite3', [daemon.cache, 'SELECT count(*) FROM images'], { encoding: 'utf8' }).stdout.trim();
  await end(daemon);
  const bytes = sizeOf(daemon.cache);
  assert.ok(bytes < 1e6, `${bytes} bytes`);
  rmSync(daemon.folder, { recursive: true });
  return `${side * side} tiles, ${images} image, ${(bytes / 1e3).toFixed(0)} kB`;
}

async function limited({ long }) {
  const [limit, wanted] = long ? [10e6, 100e6] : [2e6, 6e6];
  const daemon = await Daemon.start({ cache: `limit: ${limit}, memory: 1MiB` });
  let received = 0, most = 0;
  for (let row = 0; received < wanted; row++) {
    const replies = await Promise.all(tiles(20, '@2x.png', 1000 + 2 * row).map((path) => daemon.get(path)));
    assert.ok(replies.every(({ status }) => status === 200));
    received += replies.reduce((sum, { body }) => sum + body.length, 0);
    most = Math.max(most, sizeOf(daemon.cache));
  }
  const { cache } = await healed(daemon);
  assert.equal(cache.dropped, 0);
  most = Math.max(most, sizeOf(daemon.cache));
  assert.ok(most < 1.2 * limit, `${most} bytes`);
  await end(daemon);
  assertWhole(daemon.cache);
  rmSync(daemon.folder, { recursive: true });
  return `limit ${limit / 1e6} MB, ${(received / 1e6).toFixed(0)} MB asked: file and WAL ${(most / 1e6).toFixed(1)} MB at most`;
}

/** `elsewhere`: what covers the short form in `make unit` and `make http`, so that it is not run twice. */
export const faults = [
  { what: 'full disk', asked: 'tmpfs of 4 MB', run: fullDisk, skip: !canMount && 'no right to mount' },
  { what: 'locked database', asked: 'BEGIN EXCLUSIVE, 10 s', run: lockedDatabase },
  { what: 'corrupt rows', asked: 'images and map, 5 ways', run: corruptRows },
  { what: 'noise as database', asked: '4 KB as file, and in a cache', run: noise },
  { what: 'read-only directory', asked: 'tmpfs remounted', run: readOnly, skip: !canMount && 'no right to mount' },
  { what: 'kill -9 under load', asked: '20 times', run: killed, elsewhere: 'lifecycle.test.mjs' },
  { what: 'SIGTERM under load', asked: '20 times', run: terminated, elsewhere: 'lifecycle.test.mjs' },
  { what: 'ocean tiles', asked: '10,000 under 1 MB', run: oceans, elsewhere: 'test_cache' },
  { what: 'byte limit', asked: '10 MB, 100 MB asked', run: limited, elsewhere: 'cache.test.mjs, test_cache_limit' },
];

async function main() {
  const only = process.argv.slice(2);
  let failed = false;
  console.log('| what | asked | measured |\n|---|---|---|');
  for (const { what, asked, run, skip } of faults) {
    if (only.length > 0 && !only.some((word) => what.includes(word))) {
      continue;
    }
    let measured;
    try {
      measured = skip ? `skipped: ${skip}` : await run({ long: true });
    } catch (error) {
      failed = true;
      measured = `FAILED: ${error.message.split('\n')[0]}`;
    }
    console.log(`| ${what} | ${asked} | ${measured} |`);
  }
  process.exit(failed ? 1 : 0);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await main();
}
