// Who can use the page: languages, keys, assistive technology; and what a first visit loads.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';

import { root, startDaemon } from '../http/daemon.mjs';
import { launch, longestTask, openPage, readOut, settled, waitForState } from './browser.mjs';

const VIEW = '#world=demo&layer=biome&x=0&z=0&zoom=18';
const LONG_TASK = 50; // milliseconds
const WEIGHT_MOST = 120 * 1024; // bytes, gzipped

let daemon;
let browser;
let axe;

before(async () => {
  daemon = await startDaemon();
  browser = await launch();
  axe = await readFile(`${root}web/node_modules/axe-core/axe.min.js`, 'utf8');
});

after(async () => {
  await browser?.close();
  await daemon?.stop();
});

const open = (t, hash, options) => openPage(t, browser, daemon.url, { hash, ...options });

/** Violations that keep people out, in short. */
async function violations(page) {
  if (!(await page.evaluate(() => 'axe' in window))) {
    await page.evaluate(axe);
  }
  const found = await page.evaluate(async () => (await window.axe.run()).violations);
  return found
    .filter(({ impact }) => ['serious', 'critical'].includes(impact))
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`);
}

for (const colorScheme of ['light', 'dark']) {
  test(`${colorScheme}: axe finds nothing serious in the page, its tools and its list of keys`, async (t) => {
    const world = colorScheme === 'dark' ? 'overworld' : 'demo';
    const hash = `#world=${world}&layer=biome&x=0&z=0&zoom=16&over=grid,shade&compare=swipe&world2=demo&layer2=relief`;
    const page = await open(t, hash, { colorScheme });
    await page.waitForSelector('#legend[aria-busy="false"]');
    await page.click('.legend-biome');
    await page.waitForSelector('.legend-actions:not([hidden])');
    assert.deepEqual(await violations(page), []);
    for (const tool of ['compare', 'measure', 'picture', 'share', 'settings']) {
      await page.click(`[data-tool="${tool}"]`);
      await page.waitForSelector('#tool-body > *');
      await page.mouse.move(700, 600);
      assert.deepEqual(await violations(page), [], tool);
    }
    await page.click('#tool-body >> text=Keys');
    await page.waitForSelector('dialog[open]');
    assert.deepEqual(await violations(page), [], 'keys');
  });
}

test('axe finds nothing serious on a phone with its sheet open', async (t) => {
  const page = await open(t, VIEW, {
    viewport: { width: 360, height: 740 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true,
  });
  await page.tap('[data-do="fold"]');
  assert.deepEqual(await violations(page), []);
});

test('single keys do what the list of keys says, and nothing while something is typed', async (t) => {
  const page = await open(t, VIEW);
  await page.locator('#map').focus();
  await page.keyboard.press('?');
  await page.waitForSelector('dialog[open] >> text=this list');
  await page.keyboard.press('Escape');
  assert.equal(await page.locator('dialog[open]').count(), 0);
  await page.locator('#map').focus();
  await page.keyboard.press('g');
  await waitForState(page, { over: 'grid' });
  await page.keyboard.press('m');
  await page.waitForSelector('#tool >> text=Distance');
  await page.keyboard.press('Escape');
  assert.ok(!(await page.isVisible('#tool')));
  await page.keyboard.press('/');
  await page.keyboard.type('7 g 8');
  assert.equal(await page.inputValue('#place'), '7 g 8');
  await waitForState(page, { over: 'grid' });
  await page.locator('#map').focus();
  await page.keyboard.press('l');
  assert.equal(await page.evaluate(() => document.activeElement.type), 'search');
});

test('the read-out is copied by its button and by a key', async (t) => {
  const page = await open(t, VIEW);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const read = await readOut(page);
  await page.click('[data-do="copy"]');
  const pattern = new RegExp(`^x -?\\d+, z -?\\d+: ${read.biome} \\(\\d+\\), Height ${read.height}$`);
  await page.waitForFunction(
    async (source) => new RegExp(source).test(await navigator.clipboard.readText()), pattern.source);
  await page.mouse.move(640, 350);
  await readOut(page);
  await page.locator('#map').focus();
  await page.keyboard.press('ArrowRight');
  await page.waitForFunction(() => /&x=80&/.test(location.hash));
  await readOut(page);
  await page.keyboard.press('y');
  await page.waitForFunction(async () => (await navigator.clipboard.readText()).startsWith('x 80, z 0: '));
});

for (const [locale, words] of [
  ['de-AT', { layer: 'Ebene', tool: 'Vergleich', title: 'In der Mitte', scale: '100 Blöcke', wrong: 'Zwei Zahlen' }],
  ['ru', { layer: 'Слой', tool: 'Сравнить', title: 'В центре', scale: '100 блоков', wrong: 'Два числа' }],
]) {
  test(`the page speaks ${locale} where the browser does, and nothing sticks out`, async (t) => {
    const page = await open(t, VIEW, { locale, viewport: { width: 360, height: 740 } });
    assert.equal(await page.getAttribute('html', 'lang'), locale.slice(0, 2));
    await page.click('[data-do="fold"]');
    assert.equal(await page.textContent('label[for="layer"]'), words.layer);
    assert.equal(await page.textContent('#scale [data-part="text"]'), words.scale);
    assert.match(await page.textContent('#readout-title'), new RegExp(words.title));
    await page.fill('#place', '?');
    await page.press('#place', 'Enter');
    assert.match(await page.textContent('#place-hint'), new RegExp(words.wrong));
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360);
    for (const tool of ['compare', 'measure', 'picture', 'share', 'settings']) {
      await page.click(`[data-tool="${tool}"]`);
      await page.waitForSelector('#tool-body > *');
      const wide = await page.evaluate(() => [...document.querySelectorAll('#panel *')]
        .filter((each) => each.checkVisibility() && !each.closest('.unseen'))
        .filter((each) => each.getBoundingClientRect().right > innerWidth + 0.5 ||
          (each.matches('button, label span') && each.scrollWidth > each.clientWidth + 1 && each.clientWidth > 0))
        .map((each) => `${each.tagName} ${each.textContent.slice(0, 40)}`));
      assert.deepEqual(wide, [], tool);
    }
    await page.screenshot({ path: `${root}build/screenshots/360-${locale.slice(0, 2)}.png` });
  });
}

test('the switch of language and of appearance is kept', async (t) => {
  const page = await open(t, VIEW, { colorScheme: 'light' });
  await page.click('[data-tool="settings"]');
  await page.selectOption('#tool-body select >> nth=0', 'dark');
  const surface = () => page.$eval('#dock', (dock) => getComputedStyle(dock).backgroundColor);
  assert.equal(await surface(), 'rgb(21, 26, 25)');
  await Promise.all([
    page.waitForNavigation(),
    page.selectOption('#tool-body select >> nth=1', 'de'),
  ]);
  await page.waitForSelector('html.ready');
  await settled(page);
  assert.equal(await page.getAttribute('html', 'lang'), 'de');
  assert.equal(await surface(), 'rgb(21, 26, 25)');
  await page.goto(`${daemon.url}?lang=ru${VIEW}`);
  await settled(page);
  assert.equal(await page.getAttribute('html', 'lang'), 'ru');
});

test('a first visit loads less than 120 KB of page, gzipped', async (t) => {
  const page = await open(t, '', { wait: false });
  await settled(page);
  const urls = await page.evaluate(() => performance.getEntriesByType('resource')
    .map(({ name }) => name).filter((name) => !/\/(tiles|api)\//.test(name)));
  const sizes = await Promise.all([daemon.url, ...urls].map(async (url) => {
    const bytes = Buffer.from(await (await fetch(url)).arrayBuffer());
    return gzipSync(bytes, { level: 9 }).length;
  }));
  const weight = sizes.reduce((sum, size) => sum + size);
  t.diagnostic(`${sizes.length} files, ${weight} bytes`);
  assert.ok(weight < WEIGHT_MOST, `${weight} bytes`);
});

test('panning far and fast asks for few tiles that nobody sees', async (t) => {
  const page = await open(t, VIEW);
  let asked = 0;
  page.on('request', (request) => {
    asked += /\/tiles\//.test(request.url());
  });
  const health = async () => (await (await fetch(`${daemon.url}healthz`)).json()).renders;
  const before = await health();
  const longest = await longestTask(page, async () => {
    for (let drag = 0; drag < 20; drag++) {
      await page.mouse.move(900, 400);
      await page.mouse.down();
      await page.mouse.move(400, 400, { steps: 2 });
      await page.mouse.up();
    }
    await settled(page);
  });
  await page.waitForSelector('#legend[aria-busy="false"]');
  const renders = (await health()) - before;
  // 20 times 500 pixels are 40 columns of 3 or 4 tiles, and a column beside each screen.
  t.diagnostic(`${asked} tiles asked for, ${renders} rendered, the longest task ${longest} ms`);
  assert.ok(renders <= 40 * 4 + 24, `${renders} tiles were rendered`);
  assert.ok(longest < LONG_TASK, `${longest} ms`);
});
