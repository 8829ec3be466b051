// Methods, conditions, encodings, caching and errors.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';

import { Daemon, tile } from './client.mjs';

const TILE = tile('small', 'blend', 18, 131072, 131072);

describe('protocol', () => {
  let daemon;
  before(async () => { daemon = await Daemon.start(); });
  after(() => daemon.stop());

  const without = (headers, ...names) =>
    Object.fromEntries(Object.entries(headers).filter(([name]) => !['date', ...names].includes(name)));

  it('head has the headers of get and no body', async () => {
    const paths = [TILE, tile('small', 'relief', 18, 131000, 131000), '/', '/api/worlds', '/tiles/small/blend.json',
      '/api/worlds/small/point?x=1&z=2', '/nowhere', '/tiles/small/blend/1/0/0.png', '/a%20b'];
    for (const path of paths) {
      const head = await daemon.get(path, { method: 'HEAD' });
      const get = await daemon.get(path);
      assert.equal(head.status, get.status, path);
      assert.deepEqual(without(head.headers), without(get.headers), path);
      assert.equal(head.body.length, 0);
      assert.equal(Number(head.headers['content-length']), get.body.length);
    }
  });

  it('a url that names the server is answered as its path', async () => {
    for (const [target, status] of [['http://anywhere.example/healthz', 200], ['http://a:80', 200], ['HTTPS://a/nowhere', 404]]) {
      const { text } = await daemon.raw(`GET ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
      assert.ok(text.startsWith(`HTTP/1.1 ${status} `), `${target}: ${text.slice(0, 40)}`);
    }
  });

  it('options is 204 with what is allowed', async () => {
    for (const path of [TILE, '/', '/api/worlds']) {
      const reply = await daemon.get(path, { method: 'OPTIONS' });
      assert.equal(reply.status, 204);
      assert.equal(reply.headers.allow, 'GET, HEAD, OPTIONS');
      assert.equal(reply.headers['access-control-allow-methods'], 'GET, HEAD, OPTIONS');
      assert.equal(reply.headers['access-control-allow-origin'], '*');
      assert.equal(reply.body.length, 0);
    }
  });

  it('other methods are 405 and never the tile', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'TRACE', 'PROPFIND']) {
      for (const path of [TILE, '/', '/api/worlds', '/nowhere']) {
        const reply = await daemon.get(path, { method, agent: false });
        assert.equal(reply.status, 405, `${method} ${path}`);
        assert.equal(reply.headers.allow, 'GET, HEAD, OPTIONS');
        assert.equal(reply.headers['content-type'], 'application/json');
        assert.equal(reply.headers['cache-control'], 'no-store');
        assert.equal(reply.json.error.status, 405);
      }
    }
  });

  it('a body is not read: post 405, get 400, and the connection ends', async () => {
    for (const [method, status] of [['POST', 405], ['PUT', 405], ['GET', 400], ['HEAD', 400]]) {
      const { text } = await daemon.raw(
        `${method} /healthz HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000000\r\n\r\nhello`);
      assert.match(text, new RegExp(`^HTTP/1\\.1 ${status} `), method);
      assert.match(text, /\r\nConnection: close\r\n/i);
    }
    const { text } = await daemon.raw('GET /healthz HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n' +
      '0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: a\r\n\r\n');
    assert.equal(text.match(/HTTP\/1\.1 \d+/g).length, 1);
    assert.match(text, /^HTTP\/1\.1 400 /);
  });

  it('if-none-match gives a bodyless 304 for lists, weak tags and *', async () => {
    for (const path of [TILE, '/', '/api/worlds', '/tiles/small/blend.json', '/api/worlds/small/point?x=1&z=2']) {
      const { headers: { etag, 'cache-control': cache, vary } } = await daemon.get(path);
      assert.match(etag, /^"[0-9a-f-]{16,}"$/);
      const cases = [[etag, 304], [`W/${etag}`, 304], ['*', 304], [`"a", ${etag}`, 304], [`"a",W/"b" ,W/${etag}`, 304],
        ['"a"', 200], [etag.slice(1, -1), 200], [etag.slice(0, -2) + '"', 200], ['', 200], ['"', 200],
        [`W/W/${etag}`, 200], [etag.toUpperCase(), /[a-f]/.test(etag) ? 200 : 304]];
      for (const [value, status] of cases) {
        const reply = await daemon.get(path, { headers: { 'If-None-Match': value } });
        assert.equal(reply.status, status, `${path} ${value}`);
        assert.equal(reply.headers.etag, etag);
        assert.equal(reply.headers['cache-control'], cache);
        assert.equal(reply.headers.vary, vary);
        assert.equal(reply.headers['access-control-allow-origin'], '*');
        assert.equal(reply.body.length === 0, status === 304);
      }
      const { text } = await daemon.raw(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${daemon.port}\r\n` +
        `If-None-Match: "x"\r\nIf-None-Match: ${etag}\r\nConnection: close\r\n\r\n`);
      assert.match(text, /^HTTP\/1\.1 304 [^]*\r\n\r\n$/);
    }
  });

  it('cors and nosniff are on every status', async () => {
    const statuses = new Set();
    for (const [path, options] of [[TILE, {}], [TILE, { method: 'OPTIONS' }], [TILE, { headers: { 'If-None-Match': '*' } }],
      ['/%', {}], ['/nowhere', {}], [TILE, { method: 'DELETE', agent: false }], [`/${'a'.repeat(2000)}`, {}]]) {
      const reply = await daemon.get(path, options);
      statuses.add(reply.status);
      assert.equal(reply.headers['access-control-allow-origin'], '*', path);
      assert.equal(reply.headers['x-content-type-options'], 'nosniff', path);
    }
    assert.deepEqual([...statuses], [200, 204, 304, 400, 404, 405, 414]);
  });

  it('errors are json sentences that nobody keeps', async () => {
    for (const path of ['/nowhere', '/tiles/small/blend/1/0/0.png', '/%00', '/tiles/small/blend/x/0/0.png',
      '/api/worlds/small/point?x=1', '/tiles/small/blend/18/0/0.png?seed=']) {
      const reply = await daemon.get(path);
      assert.equal(reply.headers['content-type'], 'application/json');
      assert.equal(reply.headers['cache-control'], 'no-store');
      assert.equal(reply.headers.etag, undefined);
      assert.deepEqual(Object.keys(reply.json), ['error']);
      assert.equal(reply.json.error.status, reply.status);
      assert.ok(reply.json.error.message.length > 15);
    }
  });

  it('a tile is kept for ever under its world hash only', async () => {
    const { hash } = (await daemon.get('/api/worlds')).json.worlds[0];
    const cases = [['', 'no-cache'], [`?v=${hash}`, 'public, max-age=31536000, immutable'],
      [`?v=${'0'.repeat(16)}`, 'no-cache'], [`?v=${hash.slice(1)}`, 'no-cache'], [`?seed=5&v=${hash}`, 'no-cache'],
      [`?v=${hash}&seed=9007199254740993`, 'public, max-age=31536000, immutable']];
    for (const [query, cache] of cases) {
      const reply = await daemon.get(TILE + query);
      assert.equal(reply.status, 200);
      assert.equal(reply.headers['cache-control'], cache, query);
    }
  });

  it('text is gzipped by q-values with vary, a png never', async () => {
    const cases = [['gzip', true], ['gzip, br', true], ['br;q=1.0, gzip;q=0.5', true], ['*', true], ['GZIP', true],
      ['gzip;q=0', false], ['identity', false], ['', false], ['gzip;q=0.2, identity;q=0.5', false],
      ['*;q=0', false], ['gzip;q=0, *', false], ['br', false], ['gzip;q=x', false], ['gzip;q=1.0000', false]];
    const [script] = /[^"]+\/leaflet\.js/.exec((await daemon.get('/')).text);
    for (const path of ['/', `/${script}`, '/api/worlds']) {
      const plain = await daemon.get(path);
      assert.equal(plain.headers['content-encoding'], undefined);
      assert.equal(plain.headers.vary, 'Accept-Encoding');
      for (const [value, zipped] of cases) {
        const reply = await daemon.get(path, { headers: { 'Accept-Encoding': value } });
        assert.equal(reply.headers['content-encoding'], zipped ? 'gzip' : undefined, `${path} ${value}`);
        assert.equal(reply.headers.vary, 'Accept-Encoding');
        assert.deepEqual(zipped ? gunzipSync(reply.body) : reply.body, plain.body);
        assert.equal(reply.headers.etag === plain.headers.etag, !zipped);
      }
    }
    const picture = await daemon.get(TILE, { headers: { 'Accept-Encoding': 'gzip' } });
    assert.equal(picture.headers['content-encoding'], undefined);
    assert.equal(picture.headers.vary, undefined);
  });

  it('one connection serves many requests, pipelined too', async () => {
    const many = 'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(20) +
      `GET ${tile('small', 'height', 17, 65000, 65000)} HTTP/1.1\r\nHost: a\r\n\r\n` +
      'GET /nowhere HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
    const { text } = await daemon.raw(many);
    const statuses = text.match(/HTTP\/1\.1 \d+/g).map((line) => line.slice(9));
    assert.deepEqual(statuses, [...Array(21).fill('200'), '404']);
  });

  it('http/1.0 is answered and closed', async () => {
    const { text } = await daemon.raw('GET /healthz HTTP/1.0\r\n\r\n');
    assert.match(text, /^HTTP\/1\.[01] 200 /);
    assert.match(text, /"status":"ok"/);
  });
});
