// `ecotone cache`, beside a daemon that runs and after it.

import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';

import { Daemon, program, tile } from './client.mjs';

const worlds = ({ hills = '', small = '' } = {}) => `
worlds:
  - name: small
    generator: patchwork
    seed: 1
    quota: 3MB
    minzoom: 9
    ${small}
    biomes: [{id: 4, name: Forest, colour: "#406030"}, {id: 5, name: Sand, colour: "#e0d090"}]
  - name: hills
    generator: relief
    seed: 7
    ${hills}
    relief: {erosion: [{kind: inverted, iterations: 3}]}
`;

const sql = (file, text) => {
  const { stdout, stderr } = spawnSync('sqlite3', ['-cmd', '.timeout 5000', file, text], { encoding: 'utf8' });
  assert.equal(stderr, '');
  return stdout;
};

describe('ecotone cache', () => {
  let daemon;
  /** Runs a verb with the daemon's configuration; { status, stdout, stderr, json }. */
  const cache = (verb, ...args) => {
    const { status, stdout, stderr } = spawnSync(program, ['cache', verb, '--config', daemon.config, ...args], { encoding: 'utf8' });
    return { status, stdout, stderr, get json() { return JSON.parse(stdout); } };
  };
  const rows = () => cache('stats', '--json').json.rows.map(({ world, layer, state, seeds, tiles }) =>
    `${world} ${layer} ${state} ${seeds} ${tiles}`);
  const draw = async (count = 4) => {
    for (let i = 0; i < count; i++) {
      await daemon.get(tile('small', 'biome', 18, 131072 + i, 131072));
      await daemon.get(`${tile('small', 'relief', 12, 2048 + i, 2048, '.webp')}?seed=text&blend=full`);
    }
    await daemon.get(tile('hills', 'slope', 16, 32768, 32768));
    await daemon.until(({ cache: { pending } }) => pending === 0, 'the end of writing');
  };

  before(async () => { daemon = await Daemon.start({ worlds: worlds(), cache: 'limit: 64MiB' }); });
  after(() => daemon.stop());

  it('stats tells what there is of each world and layer', async () => {
    await draw();
    const { status, json } = cache('stats', '--json');
    assert.equal(status, 0);
    assert.equal(json.file, daemon.cache);
    assert.equal(json.limit, 64 * 1024 * 1024);
    const blocks = json.rows.find(({ layer }) => layer === 'blocks');
    assert.ok(blocks.tiles >= 1 && blocks.bytes > 1000 && blocks.state === 'current', JSON.stringify(blocks));
    assert.deepEqual(rows().filter((row) => !/blocks/.test(row)),
      ['hills slope current 1 1', 'small biome current 1 4', 'small relief current 1 4']);
    assert.equal(json.tiles, json.rows.reduce((sum, { tiles }) => sum + tiles, 0));
    const { stdout } = cache('stats', '--world', 'small', '--layer', 'biome');
    assert.match(stdout, /unused\), limit 67.1 MB; \d+ tiles, \d+ images\nworld +layer +state .*\nsmall +biome +current +1 +4 +\d+ .*Z 20\d\d-.*Z\nsmall: .*\n$/);
  });

  it('what counts to a quota is told, and metrics tell it too', async () => {
    const { quotas } = cache('stats', '--json').json;
    assert.deepEqual(Object.keys(quotas), ['small']);
    assert.equal(quotas.small.limit, 3000000);
    assert.ok(quotas.small.bytes > 0);
    assert.match(cache('stats').stdout, /^small: [\d.]+ kB of its quota of 3.0 MB$/m);
    const { text } = await daemon.get('/metrics');
    assert.match(text, /^ecotone_cache_world_limit_bytes\{world="small"\} 3000000$/m);
    assert.match(text, new RegExp(`^ecotone_cache_world_bytes\\{world="small"\\} ${quotas.small.bytes}$`, 'm'));
    assert.doesNotMatch(text, /ecotone_cache_world_.*hills/);
  });

  it('verify finds that all is right', () => {
    const { status, json } = cache('verify', '--all', '--json');
    assert.deepEqual({ status, ...json, right: 0 }, { status: 0, file: daemon.cache, right: 0, wrong: 0, damaged: 0, skipped: 0, faults: [] });
    assert.equal(json.right, cache('stats', '--json').json.tiles);
    assert.match(cache('verify', '--sample', '3').stdout, /: 3 right, 0 wrong, 0 damaged, 0 not compared/);
  });

  it('verify names each tile that is not as it should be, with status 3', () => {
    // An image is damaged, and a row shows the tile of another.
    sql(daemon.cache, `UPDATE images SET data = x'00' WHERE id = (SELECT image FROM map JOIN worlds ON worlds.hash = substr(key, 1, 8)
      WHERE seed = 1 AND substr(key, 13, 4) = x'00020000');
      UPDATE map SET (image, hash) = (SELECT image, hash FROM map WHERE substr(key, 13, 4) = x'00000801')
      WHERE substr(key, 13, 4) = x'00000800';`);
    const { status, stdout } = cache('verify', '--all', '--layer', 'biome');
    assert.equal(status, 3);
    assert.match(stdout, /^small\/biome\/18\/131072\/131072.png of seed 1: its checksum is wrong\n.*: 3 right, 0 wrong, 1 damaged/);
    const other = cache('verify', '--all', '--layer', 'relief', '--json');
    assert.equal(other.status, 3);
    assert.deepEqual(other.json.faults, [{ tile: 'small/relief/12/2048/2048.webp of seed 3556653', fault: 'its checksum is wrong' }]);
  });

  it('purge deletes what is meant, while the daemon runs and answers', async () => {
    assert.equal(cache('purge').status, 2);
    const far = cache('purge', '--area', '100000,100000,200000,200000', '--json').json;
    assert.deepEqual([far.tiles, far.images], [0, 1]); // the image that no row shows any more
    const { json } = cache('purge', '--world', 'small', '--zoom', '10-12', '--json');
    assert.equal(json.tiles, 4);
    assert.deepEqual(rows().filter((row) => /small/.test(row)), ['small biome current 1 4']);
    const one = cache('purge', '--layer', 'biome', '--area', '256,0,257,1');
    assert.match(one.stdout, /: 1 tiles and 1 images deleted/);
    assert.equal((await daemon.get(tile('small', 'biome', 18, 131073, 131072))).status, 200);
    await draw(8);
    assert.equal(cache('purge', '--seed', 'text').status, 0);
    assert.deepEqual(rows().filter((row) => /small/.test(row)), ['small biome current 1 7']); // the one that was purged is in memory
    const all = cache('purge', '--all', '--json').json;
    assert.ok(all.file_after < all.file_before && all.file_after <= 90112, JSON.stringify(all));
    assert.deepEqual(rows(), []);
  });

  it('tiles of what the configuration no longer has are told and can be purged', async () => {
    for (let i = 20; i < 24; i++) {
      await daemon.get(tile('small', 'biome', 18, 131072 + i, 131072));
      await daemon.get(`${tile('small', 'biome', 18, 131072 + i, 131072)}?seed=5`);
    }
    await daemon.get(tile('hills', 'slope', 16, 32778, 32768));
    await daemon.until(({ cache: { pending } }) => pending === 0, 'the end of writing');
    const config = (text) => writeFileSync(daemon.config, `cache: {path: "${daemon.cache}"}\n${text}`);
    config(worlds({ hills: 'sea_level: 60', small: 'seeds: fixed' }));
    const [blocks, slope, own, other, ...rest] = rows();
    assert.match(blocks, /^hills blocks current 1 \d+$/);
    assert.deepEqual([slope, own, other], ['hills slope old 1 1', 'small biome current 1 4', 'small biome refused 1 4']);
    assert.deepEqual(rest, []);
    assert.match(cache('verify', '--all').stdout, / 1 not compared: they are of another configuration\n$|5 not compared/);
    assert.match(cache('purge', '--stale').stdout, /: 5 tiles and 5 images deleted/);
    assert.deepEqual(rows(), [blocks, own]);
    config(worlds().replaceAll('name: small', 'name: large'));
    assert.deepEqual(rows(), [blocks, 'small biome foreign 1 4']);
    assert.match(cache('purge', '--stale').stdout, /: 4 tiles and 4 images deleted/);
  });

  it('a file that is none, no cache, or locked is said, with status 1', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'ecotone-cache-'));
    const file = join(folder, 'x');
    assert.match(cache('stats', '--file', file).stderr, /x: there is no such file\n$/);
    assert.ok(!existsSync(file));
    writeFileSync(file, 'a text '.repeat(1000));
    for (const verb of ['stats', 'purge', 'verify']) {
      const { status, stderr, stdout } = cache(verb, '--all', '--file', file);
      assert.deepEqual([status, stdout], [1, '']);
      assert.match(stderr, /^ecotone: cache .*x: it is no tile cache\n$/);
    }
    const lock = execFile('sqlite3', [daemon.cache]);
    lock.stdin.write('.timeout 5000\nBEGIN IMMEDIATE;\nSELECT 1;\n');
    await new Promise((done) => { lock.stdout.on('data', (text) => String(text).includes('1') && done()); });
    await daemon.get(tile('small', 'biome', 18, 131172, 131072));
    const { status, stderr } = cache('purge', '--all', '--wait', '1');
    lock.stdin.end('ROLLBACK;\n');
    assert.equal(status, 1);
    assert.match(stderr, /another process has locked/);
    rmSync(folder, { recursive: true });
  });

  it('what is written wrongly is said, with status 2', () => {
    for (const args of [[], ['count'], ['stats', 'x'], ['stats', '--layer', 'no'], ['stats', '--zoom', '3-2'],
      ['purge', '--zoom', '19'], ['verify', '--sample', '0'], ['stats', '--area', '1,2,3']]) {
      const { status, stderr } = spawnSync(program, ['cache', ...args], { encoding: 'utf8' });
      assert.equal(status, 2, args.join(' '));
      assert.notEqual(stderr, '');
    }
  });
});
