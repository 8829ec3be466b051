// The files under config/ that put the daemon to work elsewhere.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';

import { Daemon, program, sleep, tile } from './client.mjs';

const file = (name) => readFileSync(new URL(`../../config/${name}`, import.meta.url), 'utf8');
const has = (command, ...options) => spawnSync(command, options).status === 0;

async function freePort() {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

describe('deployment', () => {
  it('nginx in front keeps versioned tiles, and links name where the client is', async (context) => {
    if (!has('nginx', '-v')) {
      context.skip('no nginx');
      return;
    }
    const daemon = await Daemon.start({ server: 'trusted_proxies: "127.0.0.1"' });
    const folder = mkdtempSync(join(tmpdir(), 'ecotone-nginx-'));
    const port = await freePort();
    writeFileSync(join(folder, 'nginx.conf'), `pid ${folder}/pid;\nerror_log ${folder}/error.log;\n${file('nginx.conf')
      .replace('/var/cache/nginx/ecotone', `${folder}/cache`)
      .replace('ecotone:8080', `127.0.0.1:${daemon.port}`)
      .replace('listen 80', `listen 127.0.0.1:${port}`)
      .replace('http {', `http {\naccess_log off;\n${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join('\n')}`)}`);
    const nginx = spawn('nginx', ['-c', join(folder, 'nginx.conf'), '-g', 'daemon off; master_process off;'], { stdio: 'ignore' });
    try {
      const at = `http://127.0.0.1:${port}`;
      for (let i = 0; i < 200 && !await fetch(`${at}/healthz`).then(({ ok }) => ok, () => false); i++) {
        await sleep(20);
      }
      const json = await (await fetch(`${at}/tiles/small/relief.json`)).json();
      assert.ok(json.tiles[0].startsWith(`${at}/tiles/small/relief/`), json.tiles[0]);
      const url = json.tiles[0].replace('{z}', 18).replace('{x}', 131072).replace('{y}', 131072);
      const first = await fetch(url), second = await fetch(url);
      assert.deepEqual([first, second].map(({ headers }) => headers.get('x-cache-status')), ['MISS', 'HIT']);
      const bytes = await Promise.all([first, second].map((reply) => reply.arrayBuffer()));
      assert.deepEqual(bytes[0], bytes[1]);
      const plain = at + tile('small', 'relief', 18, 131072, 131072);
      for (let i = 0; i < 2; i++) {
        assert.equal((await fetch(plain)).headers.get('x-cache-status'), 'BYPASS');
      }
      const [script] = /[^"]+\/leaflet\.js/.exec(await (await fetch(at)).text());
      await (await fetch(`${at}/${script}`)).arrayBuffer();
      assert.equal((await fetch(`${at}/${script}`)).headers.get('x-cache-status'), 'HIT');
      // What is not kept passes by the cache and its lock, so that nobody waits for another's reply.
      for (const changing of ['/api/worlds', '/', '/tiles/small/relief.json', '/readyz']) {
        assert.equal((await fetch(at + changing)).headers.get('x-cache-status'), 'BYPASS', changing);
      }
      assert.equal((await fetch(`${at}/metrics`)).status, 404);
    } finally {
      nginx.kill('SIGKILL');
      await once(nginx, 'exit');
      rmSync(folder, { recursive: true, force: true });
      await daemon.stop();
    }
  });

  it('the unit for systemd is one', (context) => {
    if (!has('systemd-analyze', '--version')) {
      context.skip('no systemd');
      return;
    }
    const folder = mkdtempSync(join(tmpdir(), 'ecotone-unit-'));
    const unit = join(folder, 'ecotone.service');
    // Verified with a program that is there.
    writeFileSync(unit, file('ecotone.service').replace('/usr/local/bin/ecotone', program));
    const checked = spawnSync('systemd-analyze', ['verify', '--man=no', unit], { encoding: 'utf8' });
    // From 0, confined, to 100; most services of a system have about 95.
    const judged = spawnSync('systemd-analyze', ['security', '--offline=true', '--threshold=20', unit], { encoding: 'utf8' });
    rmSync(folder, { recursive: true });
    assert.equal(checked.status, 0, checked.stderr);
    assert.doesNotMatch(checked.stderr, /ecotone\.service:\d+:/);
    assert.equal(judged.status, 0, judged.stdout + judged.stderr);
  });
});
