// What the page says and keeps when the server fails, is slow, or is not there.

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';

import { startDaemon } from '../http/daemon.mjs';
import { launch, openPage, PNG, readOut, settled, tileUrls, waitForState } from './browser.mjs';

const HASH = '#world=demo&layer=biome&x=0&z=0&zoom=18';
const FAILED_LOAD = /Failed to load resource/;

let daemon;
let browser;

before(async () => {
  daemon = await startDaemon();
  browser = await launch();
});

after(async () => {
  await browser?.close();
  await daemon?.stop();
});

const open = (t, options) => openPage(t, browser, daemon.url, { hash: HASH, ...options });

const said = (page, pattern) =>
  page.waitForFunction(
    (source) => new RegExp(source).test(document.querySelector('#status').textContent),
    pattern.source,
  );

function busy(message) {
  return {
    status: 503,
    contentType: 'application/json',
    headers: { 'Retry-After': '1' },
    body: JSON.stringify({ error: { status: 503, message } }),
  };
}

test('a busy server is said in its words, the last picture stays, and the new one comes later', async (t) => {
  const page = await open(t, { expected: FAILED_LOAD });
  const clip = { x: 340, y: 200, width: 500, height: 400 };
  const good = await page.screenshot({ clip });
  let failing = true;
  let asked = 0;
  await page.route('**/tiles/**/height/**', (route) => {
    asked++;
    return failing ? route.fulfill(busy('The queue of tiles is full.')) : route.continue();
  });
  await page.selectOption('#layer', 'height');
  await said(page, /The queue of tiles is full\. Trying again\./);
  assert.ok(good.equals(await page.screenshot({ clip })));
  const earlier = asked;
  await page.waitForTimeout(2500);
  assert.ok(asked - earlier <= 3, `asked ${asked - earlier} times in 2.5 s`);
  failing = false;
  await settled(page);
  assert.ok((await tileUrls(page)).every((url) => url.includes('/height/')));
  assert.equal(await page.textContent('#status'), '');
});

test('while a zoom cannot be drawn the picture of the last one stays', async (t) => {
  const page = await open(t, { expected: FAILED_LOAD });
  await page.route('**/tiles/demo/biome/19/**', (route) => route.abort());
  await page.route('**/tiles/demo/biome/17/**', (route) => route.fulfill(busy('Busy.')));
  await page.click('[data-do="zoom-out"]');
  await said(page, /Busy\./);
  const kept = await page.locator('.leaflet-tile-loaded[src*="/18/"]').count();
  assert.ok(kept > 0);
  await page.unroute('**/tiles/demo/biome/17/**');
  await settled(page);
});

test('a page that finds no server says so and starts once there is one', async (t) => {
  const page = await open(t, { expected: FAILED_LOAD, wait: false, hash: '' });
  await page.route('**/api/worlds', (route) => route.abort());
  await page.reload();
  await said(page, /The server does not answer\. Trying again\./);
  await page.unroute('**/api/worlds');
  await settled(page);
  assert.equal(await page.textContent('#status'), '');
});

test('a server that goes away in the middle is said, the map stays, and all goes on once it is back', async (t) => {
  const cache = join(await mkdtemp(join(tmpdir(), 'ecotone-away-')), 'cache.db');
  t.after(() => rm(dirname(cache), { recursive: true, force: true }));
  const first = await startDaemon({ t, cache });
  const page = await openPage(t, browser, first.url, { hash: HASH, expected: /Failed to load resource|net::ERR/ });
  const clip = { x: 360, y: 200, width: 300, height: 300 };
  const good = await page.screenshot({ clip });
  await first.stop('SIGKILL');
  await page.mouse.move(600, 300);
  await said(page, /The server does not answer/);
  await page.selectOption('#layer', 'relief');
  await said(page, /does not answer\. Trying again/);
  assert.ok(good.equals(await page.screenshot({ clip })));
  await startDaemon({ t, cache, args: ['--listen', new URL(first.url).host] });
  await settled(page);
  await page.waitForFunction(() => document.querySelector('#status').textContent === '');
  assert.ok((await tileUrls(page)).every((url) => url.includes('/relief/')));
});

test('over a slow line nothing goes blank: what was there stays until its like has come', async (t) => {
  const page = await open(t);
  const client = await page.context().newCDPSession(page);
  await client.send('Network.emulateNetworkConditions', {
    offline: false, latency: 120, downloadThroughput: 500000, uploadThroughput: 500000,
  });
  const ground = await page.evaluate(() => getComputedStyle(document.querySelector('#map')).backgroundColor);
  const blanks = async () => {
    const { data } = PNG.sync.read(await page.screenshot({ clip: { x: 360, y: 100, width: 330, height: 500 } }));
    let count = 0;
    for (let at = 0; at < data.length; at += 4) {
      count += ground === `rgb(${data[at]}, ${data[at + 1]}, ${data[at + 2]})`;
    }
    return count;
  };
  for (const act of [() => page.selectOption('#layer', 'relief'), () => page.click('[data-do="roll"]')]) {
    await act();
    let looks = 0;
    for (let whole = false; !whole; looks++) {
      assert.equal(await blanks(), 0);
      whole = await page.evaluate(() => !document.querySelector('#progress.busy'));
    }
    assert.ok(looks > 2, `${looks} looks`);
    await settled(page);
  }
});

test('a browser that takes no more changes of the address still shows what is chosen, and has it a little later', async (t) => {
  const page = await open(t);
  await page.evaluate(() => {
    window.replace = history.replaceState;
    window.push = history.pushState;
    history.replaceState = history.pushState = () => { throw new DOMException('too often', 'SecurityError'); };
  });
  await page.selectOption('#layer', 'height');
  await page.click('[data-do="zoom-in"]');
  await page.waitForFunction(() => [...document.querySelectorAll('img.leaflet-tile-loaded')]
    .some(({ src }) => src.includes('/height/')));
  assert.equal(new URL(page.url()).hash.includes('height'), false);
  await page.evaluate(() => {
    Object.assign(history, { replaceState: window.replace, pushState: window.push });
  });
  await waitForState(page, { layer: 'height', zoom: 19 });
  await settled(page);
});

test('a part of the page that the server no longer has is said, and the rest goes on', async (t) => {
  const page = await open(t, { expected: FAILED_LOAD });
  await page.route('**/js/tool-share.js', (route) => route.fulfill({ status: 404 }));
  await page.click('[data-tool="share"]');
  await said(page, /could not be loaded.* reload the page/);
  assert.ok(!(await page.isVisible('#tool')));
  await page.click('[data-tool="picture"]');
  await page.waitForSelector('[data-do="save-picture"]');
  await page.waitForFunction(() => document.querySelector('#status').textContent === '');
});

test('one question is in flight at a time, however much the pointer moves', async (t) => {
  const page = await open(t);
  let inFlight = 0;
  let most = 0;
  let asked = 0;
  await page.route('**/point?**', async (route) => {
    most = Math.max(most, ++inFlight);
    asked++;
    await new Promise((resolve) => setTimeout(resolve, 120));
    inFlight--;
    await route.continue().catch(() => {});
  });
  for (let step = 0; step < 100; step++) {
    await page.mouse.move(350 + 5 * step, 300 + (step % 7));
  }
  const read = await readOut(page);
  assert.equal(most, 1);
  assert.ok(asked >= 2 && asked <= 60, `${asked} questions`);
  assert.deepEqual([read.x, read.z], [345, -49]);
});

test('a late answer to another seed is never shown', async (t) => {
  const page = await open(t);
  await page.mouse.move(600, 300);
  await settled(page);
  let release;
  const held = new Promise((resolve) => { release = resolve; });
  await page.route('**/point?**', async (route) => {
    const seed = new URL(route.request().url()).searchParams.get('seed');
    if (seed === '1') {
      await held;
    }
    const biome = { id: 0, name: `answer to ${seed}`, colour: '#123456' };
    await route
      .fulfill({ json: { x: 0, z: 0, seed, biome, height: 1, weights: [] } })
      .catch(() => {});
  });
  await page.fill('#seed', '1');
  await page.press('#seed', 'Enter');
  await waitForState(page, { seed: '1' });
  await page.waitForTimeout(200);
  await page.fill('#seed', '2');
  await page.press('#seed', 'Enter');
  await waitForState(page, { seed: '2' });
  await page.waitForSelector('#readout[aria-busy="false"]', { timeout: 3000 });
  assert.equal((await readOut(page)).biome, 'answer to 2');
  release();
  await page.waitForTimeout(300);
  assert.equal((await readOut(page)).biome, 'answer to 2');
});

test('a refused question is said once and not asked again', async (t) => {
  const page = await open(t, { expected: FAILED_LOAD });
  let asked = 0;
  await page.route('**/point?**', (route) => {
    asked++;
    return route.fulfill({
      status: 404,
      json: { error: { status: 404, message: 'There is no world demo any more.' } },
    });
  });
  await page.mouse.move(600, 300);
  await said(page, /no world demo any more/);
  await page.waitForTimeout(2500);
  assert.equal(asked, 1);
  await page.unroute('**/point?**');
  await page.mouse.move(620, 300);
  await readOut(page);
  assert.equal(await page.textContent('#status'), '');
});
