// The cache file as an operator sees it.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { describe, it } from 'node:test';

import { Daemon, tile } from './client.mjs';

const bytesOf = (daemon) =>
  ['', '-wal'].reduce((sum, ending) => sum + (existsSync(daemon.cache + ending) ? statSync(daemon.cache + ending).size : 0), 0);

describe('cache file', () => {
  it('stays under its limit however much is asked for, and every tile is answered', async () => {
    const limit = 2 * 2 ** 20;
    const daemon = await Daemon.start({ cache: 'limit: 2MiB, memory: 1MiB' });
    let asked = 0, most = 0, received = 0;
    for (let row = 0; row < 6; row++) {
      const bodies = await Promise.all(Array.from({ length: 30 }, (_, i) =>
        daemon.get(tile('small', 'relief', 18, 131072 + i, 131072 + row, '@2x.png'))));
      asked += bodies.length;
      assert.ok(bodies.every(({ status }) => status === 200));
      received += bodies.reduce((sum, { body }) => sum + body.length, 0);
      most = Math.max(most, bytesOf(daemon));
    }
    assert.ok(received > 3 * limit, `${received} bytes are too few to tell`);
    const { cache } = await daemon.until((health) => health.cache.pending === 0 && health.cache.bytes <= limit, 'the writer');
    most = Math.max(most, bytesOf(daemon));
    assert.ok(most < 1.2 * limit, `${most} of ${limit}`);
    assert.equal(cache.stored, asked);
    assert.equal(cache.dropped, 0);
    assert.equal(cache.limit, limit);
    assert.ok(cache.evicted > asked / 2);
    const { text } = await daemon.get('/metrics');
    assert.match(text, new RegExp(`^ecotone_cache_evictions_total\\{tier="file"\\} ${cache.evicted}$`, 'm'));
    assert.match(text, new RegExp(`^ecotone_cache_limit_bytes ${limit}$`, 'm'));
    assert.match(text, new RegExp(`^ecotone_cache_bytes\\{tier="file"\\} ${cache.bytes}$`, 'm'));
    const last = tile('small', 'relief', 18, 131072 + 29, 131077, '@2x.png');
    const before = (await daemon.get(last)).body;
    const hits = (await daemon.health()).renders;
    assert.deepEqual((await daemon.get(last)).body, before);
    assert.equal((await daemon.health()).renders, hits);
    const path = daemon.cache;
    daemon.signal('SIGTERM');
    await daemon.exited;
    assert.equal(spawnSync('sqlite3', [path, 'PRAGMA integrity_check'], { encoding: 'utf8' }).stdout, 'ok\n');
    await daemon.stop();
  });
});
