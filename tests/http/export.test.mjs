// Tiles as files: the bytes of the daemon, whole or not there, and nothing twice.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';

import { Daemon, program, sleep, WORLDS } from './client.mjs';

describe('export', () => {
  let folder, config;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'ecotone-export-'));
    config = join(folder, 'ecotone.yaml');
    writeFileSync(config, WORLDS);
  });
  after(() => rmSync(folder, { recursive: true }));

  const options = (world, zoom, rect, out) =>
    ['export', '--config', config, '--world', world, '--layer', 'relief', '--zoom', zoom, `--rect=${rect}`, '-o', join(folder, out)];
  const run = (...args) => spawnSync(program, args, { encoding: 'utf8' });
  const files = (out) => readdirSync(join(folder, out), { withFileTypes: true })
    .flatMap((entry) => (entry.isDirectory() ? files(join(out, entry.name)) : [join(out, entry.name)]));

  it('writes the tiles that the daemon serves, and what they are', async () => {
    const args = options('small', '16-18', '-300,-300,300,300', 'whole');
    const dry = run(...args, '--dry-run');
    assert.equal(dry.status, 0);
    assert.match(dry.stdout, /^zoom 16: 4 tiles\nzoom 17: 4 tiles\nzoom 18: 16 tiles\n$/);
    assert.ok(!existsSync(join(folder, 'whole')));
    const done = run(...args);
    assert.equal(done.status, 0, done.stderr);
    assert.match(done.stderr, /^24 of 24 tiles, [\d.]+ a second\s*$/m);
    const daemon = await Daemon.start();
    const json = (await daemon.get('/tiles/small/relief.json')).json;
    const said = JSON.parse(readFileSync(join(folder, 'whole/tilejson.json')));
    assert.deepEqual([said.hash, said.seed, said.format, said.scheme, said.tiles],
      [json.hash, json.seed, 'png', 'xyz', ['{z}/{x}/{y}.png']]);
    const tiles = files('whole').filter((name) => name.endsWith('.png'));
    assert.equal(tiles.length, 24);
    for (const name of tiles) {
      assert.deepEqual(readFileSync(join(folder, name)), (await daemon.get(`/tiles/small/relief/${name.slice(6)}`)).body, name);
    }
    await daemon.stop();
  });

  it('ends a begun tile on SIGINT, and goes on from there without doing anything twice', async () => {
    const args = options('heavy', '18', '0,0,5120,5120', 'stopped');
    const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    child.stderr.on('data', (text) => { said += text; });
    while (!existsSync(join(folder, 'stopped/18')) || files('stopped').length < 8) {
      await sleep(5);
    }
    child.kill('SIGINT');
    const [status] = await once(child, 'close');
    assert.equal(status, 130);
    assert.match(said, /^\d+ of 400 tiles, [\d.]+ a second, \d+ s left\s*\necotone: stopped; run again/m);
    const names = files('stopped').filter((name) => name.endsWith('.png'));
    assert.ok(names.length < 400);
    assert.equal(files('stopped').length, names.length + 1, 'parts of files');
    const times = names.map((name) => statSync(join(folder, name)).mtimeMs);
    const rest = run(...options('heavy', '18', '0,0,1024,256', 'stopped'));
    assert.equal(rest.status, 0, rest.stderr);
    const there = Number(/^4 of 4 tiles, (\d+) were there/m.exec(rest.stderr)[1]);
    assert.ok(there >= 1);
    assert.deepEqual(names.map((name) => statSync(join(folder, name)).mtimeMs), times);
  });

  it('what fails is said, with status 1, and wrong use with 2', () => {
    const good = options('small', '18', '0,0,10,10', 'whole');
    const cases = [[1, /says that other tiles are there/, [...good, '--seed', '5']], [1, /is not empty and no export/, options('small', '18', '0,0,10,10', '.')],
      [1, /has no 'cells'/, [...good, '--layer', 'cells']], [1, /drawn at zooms 9 to 18/, options('small', '8', '0,0,10,10', 'x')],
      [1, /more bits than webp/, [...good, '--layer', 'height16', '--format', 'webp']],
      [1, /are too many/, options('small', '18', '-33554432,-33554432,33554432,33554432', 'x')],
      [1, /Not a directory/, options('small', '18', '0,0,10,10', 'ecotone.yaml')], [1, /No such file/, [...good.slice(0, -1), join(folder, 'no/where')]],
      [2, /usage: ecotone export/, options('small', '18', '0,0,0,10', 'x')], [2, /--zoom/, options('small', '18-17', '0,0,1,1', 'x')],
      [2, /neither png nor webp/, [...good, '--format', 'gif']], [2, /needed/, ['export', '--world', 'small']]];
    for (const [status, sentence, args] of cases) {
      const { status: got, stderr } = run(...args);
      assert.match(stderr, sentence);
      assert.equal(got, status, stderr);
    }
    assert.ok(!existsSync(join(folder, 'x')));
  });
});
