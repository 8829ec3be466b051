// Behind proxies and under a path: links point where the client is.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';

import { Daemon, program, tile } from './client.mjs';

const root = async (daemon, headers = {}, base = '') => {
  const reply = await daemon.get(`${base}/tiles/small/blend.json`, { headers });
  assert.equal(reply.status, 200, reply.text);
  const [url] = reply.json.tiles;
  assert.match(url, /\/tiles\/small\/blend\/\{z\}\/\{x\}\/\{y\}\.png\?v=[0-9a-f]{16}$/);
  return url.slice(0, url.indexOf('/tiles/'));
};

const forwarded = { 'Host': 'inner:1', 'X-Forwarded-Host': 'maps.example', 'X-Forwarded-Proto': 'https', 'X-Forwarded-Prefix': '/atlas/' };

describe('behind a proxy', () => {
  it('what a stranger forwards is not believed', async () => {
    const daemon = await Daemon.start({ server: 'trusted_proxies: "10.0.0.0/8, ::1"' });
    assert.equal(await root(daemon, forwarded), 'http://inner:1');
    await daemon.stop();
    const nobody = await Daemon.start();
    assert.equal(await root(nobody, forwarded), 'http://inner:1');
    await nobody.stop();
  });

  it('what a trusted proxy forwards is, each header for itself, of a list the last', async () => {
    const daemon = await Daemon.start({ server: 'trusted_proxies: "10.0.0.0/8 127.0.0.0/30"' });
    assert.equal(await root(daemon, forwarded), 'https://maps.example/atlas');
    assert.equal(await root(daemon, { Host: 'h', 'X-Forwarded-Proto': 'HTTPS' }), 'https://h');
    assert.equal(await root(daemon, { Host: 'h', 'X-Forwarded-Host': 'evil.example, good.example:81' }), 'http://good.example:81');
    assert.equal(await root(daemon, { Host: 'h' }), 'http://h');
    for (const [name, value] of [['X-Forwarded-Host', 'a/b'], ['X-Forwarded-Host', ''], ['X-Forwarded-Host', '"><script>'], ['X-Forwarded-Proto', 'ftp'],
      ['X-Forwarded-Prefix', 'maps'], ['X-Forwarded-Prefix', '/a/../b'], ['X-Forwarded-Prefix', `/${'a'.repeat(300)}`], ['X-Forwarded-Host', 'a'.repeat(300)]]) {
      const reply = await daemon.get('/tiles/small/blend.json', { headers: { [name]: value } });
      assert.equal(reply.status, 400, `${name}: ${value}`);
    }
    await daemon.stop();
  });

  it('the standard header counts where the others are not sent', async () => {
    const daemon = await Daemon.start({ server: 'trusted_proxies: "127.0.0.1"' });
    const standard = { Host: 'inner:1', Forwarded: 'for=6.6.6.6;host=evil.example, for="[2001:db8::7]";host="maps.example:444";proto=https' };
    assert.equal(await root(daemon, standard), 'https://maps.example:444');
    assert.equal(await root(daemon, { ...standard, 'X-Forwarded-For': '192.0.2.1' }), 'http://inner:1');
    for (const value of ['host="a/b"', 'proto=ftp', 'host="a', 'host']) {
      assert.equal((await daemon.get('/tiles/small/blend.json', { headers: { Forwarded: value } })).status, 400, value);
    }
    await daemon.stop();
    const nobody = await Daemon.start();
    assert.equal(await root(nobody, standard), 'http://inner:1');
    await nobody.stop();
  });

  it('public_url stands above everything that a request says', async () => {
    const daemon = await Daemon.start({ server: 'public_url: "https://maps.example:444/atlas", trusted_proxies: "127.0.0.1"' });
    assert.equal(await root(daemon), 'https://maps.example:444/atlas');
    assert.equal(await root(daemon, forwarded), 'https://maps.example:444/atlas');
    await daemon.stop();
  });

  it('base_path holds for page, tiles, documents and links alike', async () => {
    const daemon = await Daemon.start({ server: 'base_path: "/my/maps", trusted_proxies: "127.0.0.1"' });
    assert.equal(await root(daemon, { Host: 'h' }, '/my/maps'), 'http://h/my/maps');
    assert.equal(await root(daemon, forwarded, '/my/maps'), 'https://maps.example/atlas/my/maps');
    const page = await daemon.get('/my/maps/');
    assert.equal(page.headers['content-type'], 'text/html; charset=utf-8');
    for (const path of [...page.text.matchAll(/(?:src|href)="([^":#]+)"/g)].map(([, link]) => link)) {
      assert.doesNotMatch(path, /^\//);
      assert.equal((await daemon.get(`/my/maps/${path}`)).status, 200, path);
    }
    const path = tile('small', 'blend', 18, 131072, 131072);
    assert.equal((await daemon.get(`/my/maps${path}`)).status, 200);
    assert.equal((await daemon.get('/my/maps/api/worlds')).status, 200);
    for (const outside of [path, '/', '/api/worlds', '/my', '/my/', '/my/mapsx', '/my/mapsx/api/worlds', '//my/maps/', '/my%2Fmaps/', '/my/maps/my/maps']) {
      const reply = await daemon.get(outside);
      assert.equal(reply.status, 404, outside);
      assert.equal(reply.headers['cache-control'], 'no-store');
    }
    for (const probe of ['/healthz', '/readyz', '/metrics']) {
      assert.equal((await daemon.get(probe)).status, 200);
      assert.equal((await daemon.get(`/my/maps${probe}`)).status, 200);
    }
    for (const query of ['', '?embed=1']) {
      const reply = await daemon.get(`/my/maps${query}`);
      assert.equal(reply.status, 308);
      // Wherever a proxy puts the path: what it stripped of it is not known here.
      for (const prefix of ['', '/atlas']) {
        assert.equal(new URL(reply.headers.location, `https://maps.example${prefix}/my/maps${query}`).href,
          `https://maps.example${prefix}/my/maps/${query}`);
      }
    }
    assert.equal((await daemon.get(`/my/maps?${'x'.repeat(5000)}`)).status, 414);
    await daemon.stop();
  });

  it('wrong settings are said with line and key', async () => {
    const daemon = await Daemon.start();
    const file = join(daemon.folder, 'wrong.yaml');
    for (const [line, sentence] of [['base_path: maps', /base_path/], ['base_path: /maps/', /base_path/], ['base_path: /a//b', /base_path/],
      ['base_path: /..', /base_path/], ['public_url: maps.example', /public_url/], ['public_url: "ftp://a"', /public_url/], ['public_url: "http://a/"', /public_url/],
      ['public_url: "http:///a"', /public_url/], ['trusted_proxies: proxy.example', /trusted_proxies/], ['trusted_proxies: "10.0.0.0/33"', /trusted_proxies/],
      ['trusted_proxies: "::1/129"', /trusted_proxies/], ['trusted_proxies: "10.0.0.0/"', /trusted_proxies/], ['trusted_proxies: "10.0.0.0/-1"', /trusted_proxies/]]) {
      writeFileSync(file, `server:\n  ${line}\n`);
      const { status, stderr } = spawnSync(program, ['check', file], { encoding: 'utf8' });
      assert.equal(status, 1, line);
      assert.match(stderr, sentence);
      assert.match(stderr, /wrong\.yaml:2: server\./);
    }
    await daemon.stop();
  });
});
