// Start, stop, and what a crash leaves behind.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';

import { Daemon, heavyTile, program, slowness, sleep, tile } from './client.mjs';

const run = (...options) => spawnSync(program, options, { encoding: 'utf8', timeout: 20000 * slowness });

describe('start', () => {
  it('help and version are there for every command', () => {
    for (const command of [[], ['serve'], ['check'], ['render'], ['bench'], ['health']]) {
      const help = run(...command, '--help');
      assert.equal(help.status, 0, command.join());
      assert.match(help.stdout, /^usage: ecotone/);
      const version = run(...command, '--version');
      assert.equal(version.status, 0);
      assert.match(version.stdout, /^ecotone \d+\.\d+\.\d+\n$/);
    }
    for (const options of [[], ['nonsense'], ['serve', '--nonsense'], ['serve', 'a', 'b'], ['serve', '--threads', '65'],
      ['serve', '--threads', '1x']]) {
      const wrong = run(...options);
      assert.equal(wrong.status, 2, options.join());
      assert.notEqual(wrong.stderr, '');
    }
  });

  it('an address that cannot be listened on is said, with status 1', async () => {
    const daemon = await Daemon.start();
    const cases = [[`127.0.0.1:${daemon.port}`, /in use/], ['127.0.0.1', /address:port/], ['127.0.0.1:65536', /0 to 65535/],
      ['127.0.0.1:http', /address:port/], ['::1:80', /\[v6\]:port/], [':80', /address:port/], ['', /address:port/],
      ['[::1:80', /\[v6\]:port/], ['203.0.113.1:0', /no such address/]];
    for (const [listen, sentence] of cases) {
      const result = run('serve', '--listen', listen, '--cache', 'none', daemon.config);
      assert.equal(result.status, 1, listen);
      assert.match(result.stderr, sentence);
      assert.equal(result.stdout, '');
    }
    await daemon.stop();
  });

  it('a wrong or missing configuration is said, with status 1', () => {
    const folder = mkdtempSync(join(tmpdir(), 'ecotone-http-'));
    const file = join(folder, 'wrong.yaml');
    writeFileSync(file, 'worlds: [{name: a, generater: patchwork}]\n');
    for (const [path, sentence] of [[file, /wrong\.yaml:1: .*generater/], [join(folder, 'none.yaml'), /none\.yaml/], [folder, /./]]) {
      const result = run('serve', '--listen', '127.0.0.1:0', path);
      assert.equal(result.status, 1);
      assert.match(result.stderr, sentence);
    }
    rmSync(folder, { recursive: true });
  });

  it('without a configuration the built-in worlds are served', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'ecotone-http-'));
    const child = spawn(program, ['serve', '--listen', '127.0.0.1:0', '--cache', 'none'],
      { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] });
    const port = await new Promise((done) => child.stdout.setEncoding('utf8').on('data', (text) =>
      done(/:(\d+)\/$/m.exec(text)[1])));
    const { worlds } = await (await fetch(`http://127.0.0.1:${port}/api/worlds`)).json();
    assert.ok(worlds.some(({ name }) => name === 'demo'));
    assert.equal(run('health', `127.0.0.1:${port}`).status, 0);
    child.kill('SIGTERM');
    const status = await new Promise((done) => child.on('exit', done));
    assert.equal(status, 0);
    assert.equal(run('health', `127.0.0.1:${port}`).status, 1);
    rmSync(folder, { recursive: true });
  });

  it('a cache file that cannot be made is said, and tiles come from memory', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'ecotone-http-'));
    writeFileSync(join(folder, 'file'), '');
    const daemon = await Daemon.start({ options: ['--cache', join(folder, 'file', 'tiles.sqlite')] });
    assert.equal((await daemon.get(tile('small', 'blend', 18, 131072, 131072))).status, 200);
    await daemon.says(/served without it/);
    assert.equal((await daemon.health()).cache.state, 'degraded');
    await daemon.stop();
    rmSync(folder, { recursive: true });
  });
});

describe('stop', () => {
  for (const name of ['SIGTERM', 'SIGINT']) {
    it(`${name} ends an idle daemon at once`, async () => {
      const daemon = await Daemon.start();
      await daemon.get('/healthz');
      const begin = Date.now();
      daemon.signal(name);
      await daemon.stop();
      assert.ok(Date.now() - begin < 1500 * slowness);
    });
  }

  it('SIGTERM while busy answers everybody and exits 0', async () => {
    const daemon = await Daemon.start({ server: 'threads: 2, queue: 100' });
    const asked = Array.from({ length: 30 }, (_, i) => daemon.get(heavyTile(i, '@2x.png')));
    await daemon.until(({ in_flight, waiting }) => in_flight > 10 && waiting < in_flight, 'the renders');
    daemon.signal('SIGTERM');
    const replies = await Promise.all(asked);
    const { code, signal } = await daemon.exited;
    assert.deepEqual({ code, signal }, { code: 0, signal: null }, daemon.log);
    assert.ok(replies.every(({ status }) => status === 200 || status === 503));
    assert.ok(replies.some(({ status }) => status === 200), 'what was being drawn is answered');
    assert.ok(replies.some(({ status }) => status === 503), 'what waited is told');
    await daemon.stop();
  });

  it('a stopping daemon takes no connections, and open ones get hits, but no renders', async () => {
    const daemon = await Daemon.start({ server: 'threads: 1, queue: 100' });
    const hit = tile('small', 'blend', 18, 131072, 131072);
    await daemon.get(hit);
    const socket = net.connect(daemon.port, '127.0.0.1');
    let text = '';
    socket.setEncoding('latin1').on('data', (part) => { text += part; });
    const closed = new Promise((done) => socket.on('close', done));
    socket.write('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n');
    const busy = daemon.get(heavyTile(0, '@2x.png'));
    await daemon.until(({ in_flight, waiting }) => in_flight > 0 && waiting === 0, 'the render');
    daemon.signal('SIGTERM');
    await daemon.says(/finishing/);
    await sleep(20);
    socket.write(`GET ${hit} HTTP/1.1\r\nHost: a\r\n\r\nGET ${heavyTile(1)} HTTP/1.1\r\nHost: a\r\n\r\n`);
    await assert.rejects(daemon.get('/healthz', { agent: false }));
    assert.equal((await busy).status, 200);
    await closed;
    assert.deepEqual(text.match(/HTTP\/1\.1 \d+/g).map((line) => line.slice(9)), ['200', '200', '503']);
    await daemon.stop();
  });

  it('a second signal ends at once', async () => {
    const daemon = await Daemon.start({ server: 'threads: 1, queue: 100' });
    const asked = Array.from({ length: 3 }, (_, i) => daemon.get(heavyTile(i, '@2x.png')).catch(() => null));
    await daemon.until(({ in_flight }) => in_flight > 0, 'the renders');
    daemon.signal('SIGTERM');
    daemon.signal('SIGINT');
    const { code } = await daemon.exited;
    await Promise.all(asked);
    // It may have been fast enough to end in peace.
    assert.ok([0, 128 + 2, 128 + 15].includes(code), `${code}`);
    rmSync(daemon.folder, { recursive: true, force: true });
  });

  it('as process 1 of a container it stops too', async (context) => {
    const unshare = ['unshare', '--pid', '--mount-proc', '--fork', '--kill-child', program, 'serve', '--listen', '127.0.0.1:0', '--cache', 'none'];
    if (spawnSync(unshare[0], ['--pid', '--mount-proc', '--fork', 'true']).status !== 0) {
      context.skip('no right to make a pid namespace');
      return;
    }
    const child = spawn(unshare[0], unshare.slice(1), { stdio: ['ignore', 'pipe', 'ignore'] });
    await new Promise((done) => child.stdout.once('data', done));
    const { stdout } = spawnSync('pgrep', ['-P', `${child.pid}`], { encoding: 'utf8' });
    process.kill(Number(stdout), 'SIGTERM');
    assert.equal(await new Promise((done) => child.on('exit', done)), 0);
  });
});

describe('crash', () => {
  it('kill -9 while drawing leaves a whole database and the same tiles', async () => {
    const paths = [...Array.from({ length: 60 }, (_, i) => tile('small', 'relief', 18, 131072 + i % 10, 131072 + (i / 10 | 0))),
      heavyTile(0, '@2x.png'), heavyTile(1)];
    let daemon = await Daemon.start();
    const before = new Map();
    for (let round = 0; round < 3; round++) {
      const asked = paths.map(async (path) => {
        const reply = await daemon.get(path).catch(() => null);
        if (reply) {
          assert.equal(reply.status, 200);
          if (before.has(path)) {
            assert.deepEqual(reply.body, before.get(path));
          }
          before.set(path, reply.body);
        }
      });
      await daemon.until(({ renders, store_hits }) => renders + store_hits > 15 * (round + 1), 'some tiles').catch(() => {});
      await sleep(20 * round);
      daemon.signal('SIGKILL');
      await Promise.all(asked);
      await daemon.exited;
      daemon.agent.destroy();
      assert.ok(existsSync(daemon.cache));
      const check = spawnSync('sqlite3', [daemon.cache, 'PRAGMA integrity_check'], { encoding: 'utf8' });
      assert.equal(check.stdout, 'ok\n', check.stderr);
      daemon = await Daemon.start({ folder: daemon.folder });
      assert.doesNotMatch(daemon.log, /set aside|damaged/);
    }
    assert.ok(before.size > 0);
    for (const path of paths) {
      const reply = await daemon.get(path);
      assert.equal(reply.status, 200);
      if (before.has(path)) {
        assert.deepEqual(reply.body, before.get(path), path);
      }
      before.set(path, reply.body);
    }
    await daemon.stop();

    const fresh = await Daemon.start({ options: ['--cache', 'none'] });
    for (const path of paths) {
      assert.deepEqual((await fresh.get(path)).body, before.get(path), path);
    }
    await fresh.stop();
  });
});
