// The commands as a person types them: exit statuses, messages, and what becomes of output files.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { lstat, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';

import { binary, root } from './daemon.mjs';

const pngjs = createRequire(new URL('../../web/package.json', import.meta.url))('pngjs');

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Runs the program; never throws. */
function run(...args) {
  return new Promise((resolve) => {
    execFile(binary, args, { cwd: root, encoding: 'buffer' }, (error, stdout, stderr) => {
      resolve({ status: error ? error.code : 0, stdout, stderr: stderr.toString() });
    });
  });
}

describe('commands', () => {
  let folder;
  const render = (output, ...more) =>
    run('render', '--world', 'demo', '--layer', 'blend', '--rect=-20,-20,20,20', '-o', output, ...more);

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ecotone-cli-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('every command explains itself', async () => {
    for (const command of ['serve', 'check', 'render', 'bench', 'health', 'score', 'area', 'locate', 'export']) {
      const { status, stdout } = await run(command, '--help');
      assert.equal(status, 0, command);
      assert.match(stdout.toString(), new RegExp(`^usage: ecotone ${command}`), command);
      assert.equal((await run(command, '--version')).status, 0, command);
    }
    assert.equal((await run('nonsense')).status, 2);
  });

  it('the shipped configuration is right, a broken one is told with file, line and key', async () => {
    assert.equal((await run('check', 'config/ecotone.yaml')).status, 0);
    const path = join(folder, 'broken.yaml');
    await writeFile(path, 'worlds:\n  - name: demo\n    nmae: x\n');
    const { status, stderr } = await run('check', path);
    assert.equal(status, 1);
    assert.match(stderr, /broken\.yaml:3: .*nmae/);
  });

  it('render writes a PNG and leaves nothing beside it', async () => {
    const path = join(folder, 'map.png');
    assert.equal((await render(path)).status, 0);
    assert.deepEqual((await readFile(path)).subarray(0, 8), PNG);
    assert.deepEqual((await readdir(folder)).filter((name) => name.startsWith('map.png')), ['map.png']);
  });

  it('render writes heights of 16 bits', async () => {
    const { status, stdout } = await render('-', '--layer', 'height16', '--rect=-700,-20,1400,120');
    assert.equal(status, 0);
    // Width, height, depth, colour type: grey.
    assert.deepEqual([stdout.readUInt32BE(16), stdout.readUInt32BE(20), stdout[24], stdout[25]], [2100, 140, 16, 0]);
    const big = pngjs.PNG.sync.read(stdout, { skipRescale: true });
    const small = pngjs.PNG.sync.read((await render('-', '--layer', 'height16', '--rect=1360,70,1370,80')).stdout, { skipRescale: true });
    for (let k = 0; k < 100; k++) {
      const [x, y] = [2060 + k % 10, 90 + Math.floor(k / 10)];
      assert.equal(small.data[4 * k], big.data[4 * (y * big.width + x)]);
    }
    assert.ok(new Set(small.data).size > 20);
  });

  it('render erodes a rectangle alone where asked to, cells of the erosion grid only', async () => {
    const alone = (...more) => render('-', '--world', 'relief', '--layer', 'height16', '--rect=0,0,400,400',
      '--erosion', 'whole-window', ...more);
    const [window, tiled] = [await alone('--step', '4'), await alone('--step', '4', '--erosion', 'tiled')];
    assert.deepEqual([window.status, tiled.status], [0, 0]);
    assert.notDeepEqual(window.stdout, tiled.stdout);
    const coarse = await alone('--step', '8');
    assert.equal(coarse.status, 1);
    assert.match(coarse.stderr, /cells of 4 blocks; --step is 8, 4 at most/);
    const other = await alone('--world', 'demo', '--layer', 'blend');
    assert.equal(other.status, 1);
    assert.match(other.stderr, /'demo' is no relief/);
  });

  it('render writes to standard output', async () => {
    const { status, stdout } = await render('-');
    assert.equal(status, 0);
    assert.deepEqual(stdout.subarray(0, 8), PNG);
  });

  it('render follows a link and keeps it', async () => {
    const target = join(folder, 'target.png');
    const link = join(folder, 'link.png');
    await writeFile(target, 'old');
    await symlink(target, link);
    assert.equal((await render(link)).status, 0);
    assert.ok((await lstat(link)).isSymbolicLink());
    assert.deepEqual((await readFile(target)).subarray(0, 8), PNG);
  });

  it('render leaves a device a device, and says that the disk is full', async () => {
    const { status, stderr } = await render('/dev/full');
    assert.equal(status, 1);
    assert.match(stderr, /No space left on device/);
    assert.ok((await lstat('/dev/full')).isCharacterDevice());
  });

  it('a failed render leaves the old picture', async () => {
    const path = join(folder, 'kept.png');
    await writeFile(path, 'old');
    const { status, stderr } = await render(path, '--world', 'nowhere');
    assert.equal(status, 1);
    assert.match(stderr, /no world named 'nowhere'/);
    assert.equal((await readFile(path)).toString(), 'old');
  });

  it('a layer that the world does not have is told with those it has', async () => {
    const { status, stderr } = await render('-', '--layer', 'trees');
    assert.equal(status, 1);
    assert.match(stderr, /'demo' has no 'trees'; biome, blend, height, relief/);
  });
});
