// What no friendly client sends. After each of these the daemon answers as before.

import assert from 'node:assert/strict';
import net from 'node:net';
import { after, before, describe, it } from 'node:test';

import { Daemon, slowness, sleep, tile } from './client.mjs';

const MALFORMED = [
  '/tiles/small/blend/-1/0/0.png', '/tiles/small/blend/+1/0/0.png', '/tiles/small/blend/1.5/0/0.png',
  '/tiles/small/blend/010/0/0.png', '/tiles/small/blend/10/00/0.png', '/tiles/small/blend/10/0/0',
  '/tiles/small/blend/10/0/0.jpg', '/tiles/small/blend/10/0/0@3x.png', '/tiles/small/blend/10/0/%30.png',
  '/tiles/small/blend/10/0/0.png%00', '/tiles/small/blend/10/0/0.png?', '/tiles/small/blend/10/0/0.png?a=1',
  '/tiles/small/blend/10/0/0.png?seed=1&seed=2', '/tiles/small/blend/10/0/0.png?seed=%',
  '/tiles/small/blend/10/0/0.png?seed=%00', `/tiles/small/blend/10/0/0.png?seed=${'9'.repeat(129)}`,
  '/tiles//blend/10/0/0.png', '/tiles/../tiles/small/blend/10/0/0.png', '/..%2f..%2fetc/passwd', '//', '/.',
  '/tiles/sm%61ll/blend/10/0/0.png', '/tiles/small/blend/1e1/0/0.png', '/tiles/small/blend/0x1/0/0.png',
  '/api/worlds/small/point?x=1.5&z=0', '/api/worlds/small/point?x=0', '/api/worlds/small/point?x=&z=',
  '/api/worlds/small/point?x=0&z=0&zoom=-1', '/healthz?', '/healthz/', '*', 'healthz', '/tiles/sm\\all',
];

const OUTSIDE = [
  '/tiles/small/blend/19/0/0.png', '/tiles/small/blend/31/0/0.png', '/tiles/small/blend/32/0/0.png',
  '/tiles/small/blend/63/0/0.png', '/tiles/small/blend/64/0/0.png', '/tiles/small/blend/4294967306/0/0.png',
  '/tiles/small/blend/10/1024/0.png', '/tiles/small/blend/10/0/1024.png', '/tiles/small/blend/10/4294967296/0.png',
  `/tiles/small/blend/10/${'9'.repeat(200)}/0.png`, '/tiles/small/blend/8/0/0.png', '/tiles', '/tiles/small',
  '/api', '/api/worlds/small', '/api/worlds/small/point?x=33554432&z=0', '/etc/passwd',
  `/api/worlds/small/point?x=-${'9'.repeat(100)}&z=0`, '/tiles/small.json', `/tiles/${'w'.repeat(200)}/blend.json`,
];

describe('hostile clients', () => {
  let daemon;
  let slow;
  before(async () => {
    daemon = await Daemon.start();
    // Opened now and looked at last: sockets that begin a request and never finish it.
    slow = Array.from({ length: 500 }, () => {
      const socket = net.connect(daemon.port, '127.0.0.1');
      socket.opened = Date.now();
      socket.on('error', () => {});
      socket.on('close', () => { socket.lasted = Date.now() - socket.opened; });
      socket.resume();
      socket.write('GET /healthz HTTP/1.1\r\nHost: a\r\nX-Slow: ');
      return socket;
    });
  });
  after(() => daemon.stop());

  const line = (path) => daemon.raw(`GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
  const alive = async () => assert.equal((await daemon.get('/healthz', { agent: false })).status, 200);

  it('malformed urls are 400 with a sentence', async () => {
    for (const path of MALFORMED) {
      const { text } = await line(path);
      assert.match(text, /^HTTP\/1\.1 400 [^]*\{"error":\{"status":400,"message":".{15,}"\}\}$/, path);
    }
  });

  it('urls of tiles and things that do not exist are 404 with a sentence', async () => {
    for (const path of OUTSIDE) {
      const { text } = await line(path);
      assert.match(text, /^HTTP\/1\.1 404 [^]*\{"error":\{"status":404,"message":".{15,}"\}\}$/, path);
    }
  });

  it('nothing of that was drawn', async () => {
    assert.equal((await daemon.health()).renders, 0);
  });

  it('bytes outside ascii in a url are 400 or end the connection', async () => {
    for (const path of ['/caf\xe9', '/\xff\xfe', '/a\x01b', '/\x7f', '/a\0/tiles', '/tiles/small/blend.json?seed=\xe9']) {
      const { text } = await daemon.raw(Buffer.from(`GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`, 'latin1'));
      assert.match(text, /^(HTTP\/1\.1 4\d\d |$)/, JSON.stringify(path));
    }
    await alive();
  });

  it('requests cut off anywhere harm nobody', async () => {
    const whole = `GET ${tile('small', 'blend', 10, 512, 512)}?seed=7 HTTP/1.1\r\nHost: a\r\nAccept: */*\r\n\r\n`;
    await Promise.all(Array.from({ length: whole.length - 1 }, (_, length) =>
      daemon.raw(whole.slice(0, length + 1), { end: true, ms: 500 })));
    await alive();
  });

  it('clients that leave at once harm nobody', async () => {
    for (let round = 0; round < 50; round++) {
      const socket = net.connect(daemon.port, '127.0.0.1');
      socket.on('error', () => {});
      socket.write(`GET ${tile('small', 'relief', 18, 131072 + round, 131000)} HTTP/1.1\r\nHost: a\r\n\r\n`);
      await new Promise((done) => socket.once('connect', done));
      await sleep(round % 5);
      socket.resetAndDestroy ? socket.resetAndDestroy() : socket.destroy();
    }
    await daemon.until(({ in_flight }) => in_flight === 0, 'the end of the renders');
    await alive();
  });

  it('a megabyte of headers is 4xx or cut off', async () => {
    const huge = 'x'.repeat(1024 * 1024);
    const requests = [`GET / HTTP/1.1\r\nHost: a\r\nX-Huge: ${huge}\r\n\r\n`,
      `GET / HTTP/1.1\r\nHost: a\r\n${'X: y\r\n'.repeat(180000)}\r\n`,
      `GET /${huge} HTTP/1.1\r\nHost: a\r\n\r\n`,
      `GET /?${huge} HTTP/1.1\r\nHost: a\r\n\r\n`,
      `${huge} / HTTP/1.1\r\nHost: a\r\n\r\n`, huge];
    for (const request of requests) {
      const { text, failure } = await daemon.raw(request);
      if (text === '') {
        assert.ok(failure, `a reply, or a closed door, to ${request.slice(0, 40)}`);
      } else {
        assert.match(text, /^HTTP\/1\.1 4\d\d /);
      }
    }
    await alive();
  });

  it('long urls are 414 and many headers that fit are fine', async () => {
    assert.match((await line(`/${'a'.repeat(1024)}`)).text, /^HTTP\/1\.1 414 /);
    assert.match((await line(`/${'a'.repeat(1023)}`)).text, /^HTTP\/1\.1 404 /);
    const headers = Array.from({ length: 100 }, (_, i) => `X-Header-${i}: ${'v'.repeat(100)}\r\n`).join('');
    const { text } = await daemon.raw(`GET /healthz HTTP/1.1\r\nHost: a\r\n${headers}Connection: close\r\n\r\n`);
    assert.match(text, /^HTTP\/1\.1 200 /);
  });

  it('requests against the rules of http are refused', async () => {
    // Which hosts there are is our own question, and the whole reply is ours.
    for (const [hosts, words] of [['', 'has no Host'], ['Host : a\r\n', 'has no Host'],
      ['Host: a\r\nHost: b\r\n', 'more than one Host'], ['Host: a\r\nHost: a\r\n', 'more than one Host']]) {
      for (const method of ['GET', 'OPTIONS']) {
        const { text } = await daemon.raw(`${method} /healthz HTTP/1.1\r\n${hosts}Connection: close\r\n\r\n`);
        assert.match(text, /^HTTP\/1\.1 400 [^]*\r\n\r\n\{"error":\{"status":400,"message":"[^"]*"\}\}$/, hosts);
        assert.equal(text.split('HTTP/1.1 ').length, 2, text);
        assert.ok(text.includes(words), text);
        assert.match(text, /\r\nAccess-Control-Allow-Origin: \*\r\n/);
        assert.match(text, /\r\nCache-Control: no-store\r\n/);
      }
    }
    assert.match((await daemon.raw('GET /healthz HTTP/1.0\r\n\r\n')).text, /^HTTP\/1\.1 200 /);
    // The library's own replies: in HTML, and then it closes the connection.
    for (const request of ['GET /healthz HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n',
      'GET /healthz HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n',
      'GET /healthz HTTP/1.1\r\nHost: a\r\nno colon\r\n\r\n', 'GET / HTTP/9.9\r\nHost: a\r\n\r\n',
      `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(40000)}\r\n\r\n`]) {
      const begin = Date.now();
      const { text } = await daemon.raw(request, { ms: 5000 * slowness });
      assert.match(text, /^HTTP\/1\.1 (400|431|505) [^]*\r\nConnection: close\r\n[^]*<\/html>$/, JSON.stringify(request.slice(0, 80)));
      assert.ok(Date.now() - begin < 4000 * slowness, 'it closes the connection at once');
    }
    await alive();
  });

  it('garbage, alone or after a request, ends the connection only', async () => {
    const garbage = ['\r\n\r\n\r\n', '\0\0\0\0\0\0\0\0\r\n\r\n', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
      'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'GET\r\n\r\n', 'GET / HTTP/9.9\r\n\r\n', 'GET / HTTQ/1.1\r\n\r\n',
      `${' '.repeat(5000)}\r\n`, 'GET / HTTP/1.1\nHost: a\n\n', '{"a":1}\n', ':::\r\n:::\r\n\r\n'];
    await Promise.all(garbage.flatMap((bytes) => ['', 'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n'].map((start) =>
      daemon.raw(Buffer.from(start + bytes, 'latin1'), { end: true, ms: 1000 * slowness }).then(({ text }) => {
        if (start) {
          assert.match(text, /^HTTP\/1\.1 200 /, JSON.stringify(bytes));
        }
      }))));
    await alive();
  });

  it('random bytes never end the daemon', async () => {
    let state = 1;
    const next = () => (state = Math.imul(state, 1664525) + 1013904223 >>> 0) >>> 24;
    const whole = `GET ${tile('small', 'blend', 10, 512, 512)}?seed=7 HTTP/1.1\r\nHost: a\r\nIf-None-Match: "x", W/"y"\r\n` +
      'Accept-Encoding: gzip;q=0.5, *\r\nConnection: close\r\n\r\n';
    for (let batch = 0; batch < 10; batch++) {
      await Promise.all(Array.from({ length: 30 }, () => {
        const bytes = Buffer.from(whole, 'latin1');
        for (let i = 1 + next() % 4; i > 0; i--) {
          bytes[next() % bytes.length] = next();
        }
        return daemon.raw(bytes, { end: true, ms: 500 });
      }));
    }
    await alive();
  });

  it('five hundred slow sockets leave the others alone, and are closed in time', async () => {
    assert.ok((await daemon.health()).connections >= 500 || slow.some(({ lasted }) => lasted));
    const begin = Date.now();
    for (let i = 0; i < 20; i++) {
      await alive();
    }
    assert.ok(Date.now() - begin < 2000 * slowness);
    const limit = Date.now() + 30000;
    while (slow.some(({ lasted }) => lasted === undefined) && Date.now() < limit) {
      await sleep(100);
    }
    assert.equal(slow.filter(({ lasted }) => lasted === undefined).length, 0);
    assert.ok(Math.min(...slow.map(({ lasted }) => lasted)) > 5000);
    await daemon.until(({ connections }) => connections <= 2, 'the closing of the slow connections');
  });
});

describe('a crowd', () => {
  it('idle sockets, more than there are places, make room for who asks', async () => {
    // 200 descriptors: 72 connections, of which some are enough for a crowd.
    const daemon = await Daemon.start({ shell: 'ulimit -n 200' });
    const idle = Array.from({ length: 150 }, (_, i) => {
      const socket = net.connect(daemon.port, '127.0.0.1').on('error', () => {});
      socket.resume();
      if (i % 2) {
        socket.write('GET /healthz HTTP/1.1\r\nHost: a\r\nX-Slow: ');
      }
      return socket;
    });
    await sleep(500);
    const begin = Date.now();
    assert.equal((await daemon.get('/healthz', { agent: false })).status, 200);
    assert.ok(Date.now() - begin < 8000, `${Date.now() - begin} ms`);
    idle.forEach((socket) => socket.destroy());
    await daemon.stop();
  });
});

describe('few descriptors', () => {
  it('more connections than descriptors wait, and the daemon lives', async () => {
    const daemon = await Daemon.start({ shell: 'ulimit -n 200' });
    const sockets = Array.from({ length: 400 }, () => net.connect(daemon.port, '127.0.0.1').on('error', () => {}));
    await sleep(300);
    sockets.forEach((socket) => socket.destroy());
    await daemon.until(({ connections }) => connections <= 2, 'the closing of the connections');
    assert.equal((await daemon.get(tile('small', 'blend', 18, 131072, 131072))).status, 200);
    await daemon.stop();
  });
});
