// Many at once: single flight, overload, hits beside renders.

import assert from 'node:assert/strict';
import net from 'node:net';
import { describe, it } from 'node:test';

import { Daemon, heavyTile, slowness, sleep, tile } from './client.mjs';

const PNG_START = Buffer.from('89504e470d0a1a0a', 'hex');

describe('load', () => {
  it('sixty clients of one cold tile get one render and equal replies', async () => {
    const daemon = await Daemon.start();
    for (let round = 0; round < 3; round++) {
      const before = await daemon.health();
      const replies = await Promise.all(Array.from({ length: 60 }, () => daemon.get(heavyTile(round, '@2x.png'))));
      const after = await daemon.health();
      assert.equal(after.renders - before.renders, 1);
      for (const { status, body, headers } of replies) {
        assert.equal(status, 200);
        assert.deepEqual(body, replies[0].body);
        assert.equal(headers.etag, replies[0].headers.etag);
      }
      assert.deepEqual(replies[0].body.subarray(0, 8), PNG_START);
      assert.equal(after.in_flight, 0);
      assert.equal(after.failed, 0);
    }
    assert.ok((await daemon.health()).joined > 0);
    await daemon.stop();
  });

  it('get, head and a condition wait for the same render', async () => {
    const daemon = await Daemon.start();
    const slow = heavyTile(0, '@2x.png');
    const [get, head, conditional] = await Promise.all([daemon.get(slow),
      daemon.get(slow, { method: 'HEAD' }),
      daemon.get(slow, { headers: { 'If-None-Match': '*' } })]);
    assert.deepEqual([get.status, head.status, conditional.status], [200, 200, 304]);
    assert.equal(head.body.length, 0);
    assert.equal(Number(head.headers['content-length']), get.body.length);
    assert.equal(conditional.body.length, 0);
    assert.equal(head.headers.etag, get.headers.etag);
    assert.equal(conditional.headers.etag, get.headers.etag);
    assert.equal((await daemon.health()).renders, 1);
    await daemon.stop();
  });

  it('a tile comes from memory, and from the file after a restart', async () => {
    const daemon = await Daemon.start();
    const path = tile('small', 'blend', 15, 16384, 16383);
    const first = await daemon.get(path);
    const second = await daemon.get(path);
    assert.deepEqual(second.body, first.body);
    let health = await daemon.until(({ cache }) => cache.stored === 1 && cache.pending === 0, 'the stored tile');
    assert.deepEqual([health.renders, health.memory_hits, health.store_hits], [1, 1, 0]);
    daemon.signal('SIGTERM');
    await daemon.exited;
    const again = await Daemon.start({ folder: daemon.folder });
    const third = await again.get(path);
    assert.deepEqual(third.body, first.body);
    assert.equal(third.headers.etag, first.headers.etag);
    health = await again.health();
    assert.deepEqual([health.renders, health.memory_hits, health.store_hits], [0, 0, 1]);
    await again.stop();
  });

  it('a full queue is 503 with retry-after, at once, and heals', async () => {
    const daemon = await Daemon.start({ server: 'threads: 1, queue: 2' });
    const begin = Date.now();
    const replies = await Promise.all(Array.from({ length: 12 }, async (_, i) => {
      const { status, headers, text } = await daemon.get(heavyTile(i));
      return { status, headers, text, after: Date.now() - begin };
    }));
    const refused = replies.filter(({ status }) => status === 503);
    const drawn = replies.filter(({ status }) => status === 200);
    assert.equal(refused.length + drawn.length, 12);
    assert.ok(refused.length > 0, 'some are refused');
    assert.ok(drawn.length >= 2, 'those that wait are answered');
    for (const { headers, text } of refused) {
      assert.equal(headers['retry-after'], '1');
      assert.equal(headers['cache-control'], 'no-store');
      assert.equal(JSON.parse(text).error.status, 503);
    }
    assert.ok(Math.max(...refused.map(({ after }) => after)) <= Math.max(...drawn.map(({ after }) => after)));
    assert.equal((await daemon.health()).refused, refused.length);
    for (let i = 0; i < 12; i++) {
      assert.equal((await daemon.get(heavyTile(i))).status, 200);
    }
    await daemon.stop();
  });

  it('hits and documents are answered while cold tiles are drawn', async () => {
    const daemon = await Daemon.start({ server: 'threads: 2, queue: 300' });
    const hit = tile('small', 'blend', 18, 131072, 131072);
    await daemon.get(hit);
    const many = slowness > 1 ? 8 : 20; // within the deadline of a request
    const cold = Promise.all(Array.from({ length: many }, (_, i) => daemon.get(heavyTile(i))));
    await daemon.until(({ in_flight }) => in_flight > many / 2, 'the cold tiles');
    const times = [];
    for (let i = 0; i < 5 * many; i++) {
      const begin = performance.now();
      assert.equal((await daemon.get(i % 10 ? hit : '/api/worlds')).status, 200);
      times.push(performance.now() - begin);
    }
    assert.ok((await daemon.health()).in_flight > 0, 'the cold tiles outlast the hits');
    times.sort((a, b) => a - b);
    assert.ok(times[many] < 20 * slowness, `${times[many]} ms`);
    assert.ok((await cold).every(({ status }) => status === 200));
    assert.equal((await daemon.health()).in_flight, 0);
    await daemon.stop();
  });

  it('hits are answered at once while points of new seeds are asked', async () => {
    const daemon = await Daemon.start({ server: 'threads: 1, queue: 300' });
    const hit = tile('small', 'blend', 18, 131072, 131072);
    await daemon.get(hit);
    // One worker draws, and the points wait for it; the hits do not. A round is over too soon where
    // the tile is drawn before the points have come.
    let waited = 0;
    for (let round = 0; round < 8 && waited < 20; round++) {
      const cold = daemon.get(heavyTile(round, '@2x.png'));
      await daemon.until(({ in_flight, renders }) => in_flight === 1 || renders > round + 1, 'the cold tile');
      let open = 40;
      const points = Array.from({ length: 40 }, (_, i) =>
        daemon.get(`/api/worlds/heavy/point?x=0&z=0&seed=${40 * round + i}`).finally(() => { open--; }));
      while (open > 0) {
        assert.equal((await daemon.get(hit)).status, 200);
        waited = Math.max(waited, (await daemon.health()).waiting);
      }
      assert.ok((await Promise.all([cold, ...points])).every(({ status }) => status === 200));
    }
    assert.ok(waited >= 20, `${waited} of 40 points waited at most`);
    await daemon.stop();
  });

  it('points that meet a full queue are 503', async () => {
    const daemon = await Daemon.start({ server: 'threads: 1, queue: 2' });
    let refused = [];
    for (let round = 0; round < 8 && refused.length === 0; round++) {
      const cold = daemon.get(heavyTile(round, '@2x.png'));
      await daemon.until(({ in_flight, renders, waiting }) =>
        (in_flight === 1 && waiting === 0) || renders > round, 'the cold tile');
      const replies = await Promise.all(Array.from({ length: 12 }, (_, i) =>
        daemon.get(`/api/worlds/heavy/point?x=0&z=0&seed=${12 * round + i}`)));
      refused = replies.filter(({ status }) => status === 503);
      assert.ok(replies.filter(({ status }) => status === 200).length >= 2);
      assert.ok(replies.every(({ status }) => status === 200 || status === 503));
      assert.equal((await cold).status, 200);
    }
    assert.ok(refused.length > 0, 'some are refused');
    assert.ok(refused.every(({ headers }) => headers['retry-after'] === '1'));
    await daemon.stop();
  });

  it('what all have left is not drawn', async () => {
    const daemon = await Daemon.start({ server: 'threads: 1, queue: 300' });
    for (const leave of ['destroy', 'resetAndDestroy']) {
      const before = await daemon.health();
      const sockets = Array.from({ length: 60 }, (_, i) => {
        const socket = net.connect(daemon.port, '127.0.0.1').on('error', () => {});
        // What was sent after the request must not hide that the client is gone.
        socket.write(`GET ${heavyTile(i)}?seed=${leave} HTTP/1.1\r\nHost: a\r\n\r\n${i % 2 ? 'GET /' : ''}`);
        return socket;
      });
      await daemon.until(({ in_flight, renders }) => in_flight + renders - before.renders === 60, 'the cold tiles');
      const patient = daemon.get(`${heavyTile(59)}?seed=${leave}`);
      await daemon.until(({ joined, renders }) => joined > before.joined || renders - before.renders > 0, 'one more');
      sockets.forEach((socket) => socket[leave]());
      assert.equal((await patient).status, 200);
      const { renders } = await daemon.until(({ in_flight }) => in_flight === 0, 'the end of the renders');
      assert.ok(renders - before.renders < 30, `${renders - before.renders} of 60 were drawn`);
    }
    const { text } = await daemon.get('/metrics');
    assert.ok(Number(/^ecotone_requests_left_total (\d+)$/m.exec(text)[1]) >= 60);
    await daemon.stop();
  });

  it('the newest tile is drawn first', async () => {
    const daemon = await Daemon.start({ server: 'threads: 1, queue: 300' });
    const order = [];
    const asked = [];
    for (let i = 0; i < 8; i++) {
      asked.push(daemon.get(heavyTile(i)).then(() => order.push(i)));
      await daemon.until(({ in_flight, renders }) => in_flight + renders > i, 'the next flight');
      if (i === 0) {
        await daemon.until(({ waiting }) => waiting === 0, 'the begin of the first');
      }
    }
    // What was done or begun before the last was asked for comes first; then it is the last one's turn.
    const begun = order.length + 1;
    assert.ok(begun < 5, 'the tiles are asked for faster than they are drawn');
    await Promise.all(asked);
    assert.ok(order.indexOf(7) <= begun, order.join());
    await daemon.stop();
  });

  it('the same tiles, whatever the number of threads and the order', async () => {
    const pictures = [];
    for (const threads of [1, 4]) {
      const daemon = await Daemon.start({ server: `threads: ${threads}`, options: ['--cache', 'none'] });
      const indices = [0, 1, 2, 3, 4, 5];
      const replies = [];
      await Promise.all((threads === 1 ? indices : indices.reverse()).map(async (i) => {
        replies[i] = await daemon.get(tile('small', 'relief', 17, 65536 - i, 65534 + i));
      }));
      pictures.push(replies.map(({ body }) => body));
      assert.equal((await daemon.health()).cache.state, 'off');
      await daemon.stop();
    }
    assert.deepEqual(pictures[0], pictures[1]);
  });

  it('memory stays within its limit', async () => {
    const daemon = await Daemon.start({ cache: 'memory: 1MiB' });
    for (let i = 0; i < 60; i += 10) {
      await Promise.all(Array.from({ length: 10 }, (_, k) =>
        daemon.get(tile('small', 'relief', 18, 131072 + i + k, 131072))));
      assert.ok((await daemon.health()).memory_bytes <= 1024 * 1024);
    }
    assert.equal((await daemon.health()).renders, 60);
    await sleep(0);
    await daemon.stop();
  });
});
