// /metrics and /readyz: what they count, and that nobody can make them grow.

import assert from 'node:assert/strict';
import http from 'node:http';
import { join } from 'node:path';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { describe, it } from 'node:test';

import { Daemon, heavyTile, sleep, tile } from './client.mjs';

/** The samples of a text as Prometheus reads it, by name and labels; throws where it could not. */
function parse(text) {
  const samples = new Map();
  const types = new Map();
  assert.ok(text.endsWith('\n'));
  for (const line of text.slice(0, -1).split('\n')) {
    const type = /^# TYPE ([a-z_]+) (counter|gauge|histogram)$/.exec(line);
    if (type) {
      assert.ok(!types.has(type[1]), `${type[1]} twice`);
      types.set(type[1], type[2]);
    } else if (!/^# HELP [a-z_]+ .+$/.test(line)) {
      const [, key, name, value] = /^(([a-z_]+)(?:\{[a-z]+="[^"\\]*"(?:,[a-z]+="[^"\\]*")*\})?) (\d+(?:\.\d+)?)$/.exec(line);
      assert.ok(!samples.has(key), `${key} twice`);
      assert.ok(types.has(name) || types.get(name.replace(/_(bucket|sum|count)$/, '')) === 'histogram', name);
      samples.set(key, Number(value));
    }
  }
  return samples;
}

const replies = (samples, route, status) =>
  samples.get(`ecotone_http_requests_total{route="${route}",status="${status}"}`) ?? 0;

describe('metrics', () => {
  it('requests, tiers and renders are counted as they happen', async () => {
    const daemon = await Daemon.start({ cache: 'memory: 1MiB' });
    const first = await daemon.get('/metrics');
    assert.equal(first.status, 200);
    assert.equal(first.headers['content-type'], 'text/plain; version=0.0.4; charset=utf-8');
    assert.equal(first.headers['cache-control'], 'no-store');
    const before = parse(first.text);
    assert.equal(replies(before, 'tile', 200), 0);
    assert.equal(before.get('ecotone_render_seconds_count'), 0);

    const path = tile('small', 'relief', 18, 131072, 131072);
    const { headers } = await daemon.get(path);
    await daemon.get(path);
    assert.equal((await daemon.get(path, { headers: { 'If-None-Match': headers.etag } })).status, 304);
    await daemon.get(tile('nowhere', 'relief', 18, 0, 0));
    await daemon.get('/tiles/small/relief/01/0/0.png');
    await daemon.get('/healthz', { method: 'DELETE' });
    await daemon.get('/', { method: 'OPTIONS' });
    await daemon.get('/api/worlds/small/point?x=0&z=0');

    const after = parse((await daemon.get('/metrics')).text);
    assert.equal(replies(after, 'tile', 200), 2);
    assert.equal(replies(after, 'tile', 304), 1);
    assert.equal(replies(after, 'tile', 404), 1);
    assert.equal(replies(after, 'unreadable', 400), 1);
    assert.equal(replies(after, 'healthz', 405), 1);
    assert.equal(replies(after, 'page', 204), 1);
    assert.equal(replies(after, 'point', 200), 1);
    assert.equal(replies(after, 'metrics', 200), 1);
    assert.equal(after.get('ecotone_cache_hits_total{tier="memory"}'), 2);
    assert.equal(after.get('ecotone_renders_total'), 1);
    assert.equal(after.get('ecotone_in_flight'), 0);
    assert.equal(after.get('ecotone_ready'), 1);
    assert.ok(after.get('ecotone_cache_bytes{tier="memory"}') > 0);

    for (let i = 0; i < 40; i++) {
      await daemon.get(tile('small', 'relief', 18, 131072 + i, 131073, '@2x.png'));
    }
    const full = parse((await daemon.get('/metrics')).text);
    assert.ok(full.get('ecotone_cache_evictions_total{tier="memory"}') > 0);
    assert.ok(full.get('ecotone_cache_bytes{tier="memory"}') <= 1024 * 1024);
    await daemon.stop();
  });

  it('the histogram of renders rises, ends in all of them, and sums up to seconds', async () => {
    const daemon = await Daemon.start({ server: 'threads: 1' });
    const begin = Date.now();
    for (let i = 0; i < 5; i++) {
      await daemon.get(heavyTile(i));
    }
    const seconds = (Date.now() - begin) / 1000;
    const samples = parse((await daemon.get('/metrics')).text);
    const buckets = [...samples].filter(([key]) => key.startsWith('ecotone_render_seconds_bucket'));
    const bounds = buckets.map(([key]) => /le="([^"]+)"/.exec(key)[1]);
    assert.equal(bounds.at(-1), '+Inf');
    assert.ok(bounds.slice(0, -1).every((bound, i) => i === 0 || Number(bound) > Number(bounds[i - 1])));
    assert.ok(buckets.every(([, value], i) => i === 0 || value >= buckets[i - 1][1]));
    assert.equal(buckets.at(-1)[1], 5);
    assert.equal(samples.get('ecotone_render_seconds_count'), 5);
    const sum = samples.get('ecotone_render_seconds_sum');
    assert.ok(sum > 0 && sum < seconds, `${sum} of ${seconds}`);
    await daemon.stop();
  });

  it('the time of requests is counted by kind', async () => {
    const daemon = await Daemon.start();
    const path = heavyTile(0, '@2x.png');
    const begin = Date.now();
    await daemon.get(path);
    const seconds = (Date.now() - begin) / 1000;
    await daemon.get(path);
    await daemon.get('/api/worlds');
    await daemon.get('/api/worlds/small/point?x=0&z=0');
    await daemon.get('/static/small/relief/0,0,18/32x32.png');
    await daemon.get('/tiles/small/relief/01/0/0.png');
    await daemon.get('/healthz');
    await daemon.get('/');
    const samples = parse((await daemon.get('/metrics')).text);
    const count = (kind) => samples.get(`ecotone_http_request_seconds_count{class="${kind}"}`);
    assert.deepEqual(['tile', 'document', 'question', 'picture', 'unreadable', 'operation', 'page'].map(count),
      [2, 1, 1, 1, 1, 1, 1]);
    const sum = samples.get('ecotone_http_request_seconds_sum{class="tile"}');
    assert.ok(sum > 0 && sum < seconds + 0.5, `${sum} of ${seconds}`);
    const buckets = [...samples].filter(([key]) => key.startsWith('ecotone_http_request_seconds_bucket{class="tile",'));
    assert.match(buckets.at(-1)[0], /le="\+Inf"/);
    assert.equal(buckets.at(-1)[1], 2);
    assert.ok(buckets.every(([, value], i) => i === 0 || value >= buckets[i - 1][1]));
    await daemon.stop();
  });

  it('no request makes a label', async () => {
    const daemon = await Daemon.start();
    const names = async () => [...parse((await daemon.get('/metrics')).text).keys()];
    await daemon.get('/a');
    await daemon.get(tile('w', 'l', 1, 0, 0));
    await daemon.get('/tiles/a/b/c');
    await daemon.get('/%00');
    const before = await names();
    for (let i = 0; i < 200; i++) {
      await daemon.get(`/path-${i}`);
      await daemon.get(tile(`world-${i}`, `layer-${i}`, i % 19, 0, 0));
      await daemon.get(`/tiles/world-${i}/b/c-${i}`);
      await daemon.get(`/%${10 + i % 90}`);
    }
    assert.deepEqual(await names(), before);
    await daemon.stop();
  });
});

describe('readyz', () => {
  it('is ready from the first answer on, and says when the cache is degraded', async () => {
    const daemon = await Daemon.start();
    const reply = await daemon.get('/readyz');
    assert.equal(reply.status, 200);
    assert.equal(reply.headers['cache-control'], 'no-store');
    assert.deepEqual(reply.json, { status: 'ready', cache: 'ok' });
    await daemon.stop();

    const folder = mkdtempSync(join(tmpdir(), 'ecotone-http-'));
    writeFileSync(join(folder, 'file'), '');
    const without = await Daemon.start({ options: ['--cache', join(folder, 'file', 'tiles.sqlite')] });
    const said = await without.get('/readyz');
    assert.equal(said.status, 200);
    assert.deepEqual(said.json, { status: 'ready', cache: 'degraded' });
    assert.equal(parse((await without.get('/metrics')).text).get('ecotone_cache_degraded'), 1);
    await without.stop();
    rmSync(folder, { recursive: true });
  });

  it('is 503 with Retry-After while the server drains', async () => {
    const daemon = await Daemon.start({ server: 'threads: 1, queue: 100' });
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    assert.equal((await daemon.get('/readyz', { agent })).status, 200);
    const busy = daemon.get(heavyTile(0, '@2x.png'));
    await daemon.until(({ in_flight, waiting }) => in_flight === 1 && waiting === 0, 'the render');
    daemon.signal('SIGTERM');
    await sleep(20);
    const reply = await daemon.get('/readyz', { agent });
    assert.equal(reply.status, 503);
    assert.equal(reply.headers['retry-after'], '1');
    assert.match(reply.json.error.message, /stopping/);
    agent.destroy();
    assert.equal((await busy).status, 200);
    await daemon.stop();
  });
});
