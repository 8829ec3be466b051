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

/** Violations that keep people out, in short; `part`: a selector, everything without one. */
async function violations(page, part) {
  if (!(await page.evaluate(() => 'axe' in window))) {
    await page.evaluate(axe);
  }
  const found = await page.evaluate(
    async (where) => (await window.axe.run(where ?? document, { resultTypes: ['violations'] })).violations, part);
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
      assert.deepEqual(await violations(page, '#tool'), [], tool);
    }
    await page.click('#tool-body >> text=Keys');
    await page.waitForSelector('dialog[open]');
    assert.deepEqual(await violations(page, 'dialog'), [], 'keys');
  });
}

test('axe finds nothing serious on a phone: sheet, tools, keys, and two maps, light and dark', async (t) => {
  const page = await open(t, `${VIEW}&compare=side&world2=demo&layer2=relief`, {
    viewport: { width: 360, height: 740 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true,
  });
  assert.deepEqual(await violations(page), []);
  await page.tap('[data-do="fold"]');
  assert.deepEqual(await violations(page), [], 'sheet');
  for (const tool of ['compare', 'measure', 'picture', 'share', 'settings']) {
    await page.tap(`[data-tool="${tool}"]`);
    await page.waitForSelector('#tool-body > *');
    for (const colorScheme of ['light', 'dark']) {
      await page.emulateMedia({ colorScheme });
      assert.deepEqual(await violations(page, '#tool'), [], `${tool}, ${colorScheme}`);
    }
  }
  await page.tap('#tool-body >> text=Keys');
  await page.waitForSelector('dialog[open]');
  assert.deepEqual(await violations(page, 'dialog'), [], 'keys');
});

test('the whole page is walked through by Tab, from the map to the end, and what is closed is left out', async (t) => {
  const page = await open(t, VIEW);
  const seen = [];
  for (let press = 0; press < 60; press++) {
    await page.keyboard.press('Tab');
    const at = await page.evaluate(() => {
      const { activeElement: on } = document;
      const box = on.getBoundingClientRect();
      const name = on.id || on.dataset.do || on.dataset.tool || on.getAttribute('aria-label') || on.textContent.trim();
      const ring = getComputedStyle(on).outlineStyle !== 'none' || getComputedStyle(on, '::after').boxShadow !== 'none' ||
        getComputedStyle(on.closest('label') ?? on).outlineStyle !== 'none';
      return on === document.body ? null : { name, ring, shown: on.checkVisibility() && box.width > 0 && box.right > 0 && box.left < innerWidth };
    });
    if (!at) {
      break;
    }
    assert.ok(at.shown && at.ring, JSON.stringify(at));
    seen.push(at.name);
  }
  const order = ['map', 'home', 'zoom-in', 'fold', 'copy', 'compare', 'settings', 'world', 'layer', 'seed', 'roll', 'place'];
  const places = order.map((name) => seen.indexOf(name));
  assert.ok(places.every((place, at) => place >= 0 && (at === 0 || place > places[at - 1])), `${seen}`);
  await page.click('[data-do="fold"]');
  await page.locator('[data-do="fold"]').focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement.closest('#panel')), null);
});

test('a tool is opened, used and closed by keyboard, and the focus comes back to its button', async (t) => {
  const page = await open(t, VIEW);
  await page.locator('#map').focus();
  await page.keyboard.press('c');
  await page.waitForSelector('#tool-body .choice');
  await page.locator('#tool-body [value="off"]').focus();
  await page.keyboard.press('ArrowRight');
  await page.waitForFunction(() => location.hash.includes('compare=side'));
  await page.keyboard.press('Escape');
  assert.equal(await page.evaluate(() => document.activeElement.dataset.tool), 'compare');
  await page.keyboard.press('?');
  await page.waitForSelector('dialog[open]');
  await page.keyboard.press('Escape');
  await page.waitForSelector('dialog:not([open])', { state: 'attached' });
  assert.equal(await page.evaluate(() => document.activeElement.dataset.tool), 'compare');
  await settled(page);
});

test('the page has its landmarks, a heading for each part, a title and a description', async (t) => {
  const page = await open(t, VIEW);
  const found = await page.evaluate(() => ({
    main: document.querySelectorAll('main').length,
    aside: document.querySelector('aside').getAttribute('aria-label'),
    headings: [...document.querySelectorAll('h1, h2')].filter((each) => each.checkVisibility()).map(({ tagName }) => tagName),
    description: document.querySelector('meta[name="description"]').content,
    icon: document.querySelector('link[rel="icon"]').href,
  }));
  assert.equal(found.main, 1);
  assert.ok(found.aside && found.description);
  assert.deepEqual(found.headings, ['H1', 'H2', 'H2']);
  assert.equal((await fetch(found.icon)).headers.get('content-type'), 'image/svg+xml');
  assert.match(await page.title(), /^Four biomes · Ecotone$/);
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

test('single keys can be switched off, and stay off', async (t) => {
  const page = await open(t, VIEW);
  await page.click('[data-tool="settings"]');
  await page.getByRole('checkbox', { name: 'Single-key shortcuts' }).uncheck();
  await page.reload();
  await settled(page);
  await page.locator('#map').focus();
  for (const key of ['g', 'm', '?', '/']) {
    await page.keyboard.press(key);
  }
  assert.equal(await page.locator('dialog[open], #tool:not([hidden])').count(), 0);
  assert.equal(await page.evaluate(() => document.activeElement.id), 'map');
  await page.click('[data-tool="settings"]');
  const single = page.getByRole('checkbox', { name: 'Single-key shortcuts' });
  assert.equal(await single.isChecked(), false);
  await single.check();
  await page.locator('#map').focus();
  await page.keyboard.press('g');
  await waitForState(page, { over: 'grid' });
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
  });
}

test('who reads another language sees no English words flash by', async (t) => {
  const page = await open(t, '', { wait: false, locale: 'de' });
  await page.addInitScript(() => {
    window.flashed = [];
    const look = () => {
      const shown = [...document.querySelectorAll('[data-t]')].filter((each) =>
        each.closest('.panel, .readout') && each.checkVisibility({ visibilityProperty: true }));
      const english = shown.filter(({ textContent }) => ['World', 'Layer', 'At the centre', 'Compare'].includes(textContent));
      window.flashed.push(...english.map(({ textContent }) => textContent));
      window.shownFrames = (window.shownFrames ?? 0) + (shown.length > 0);
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  await page.reload();
  await settled(page);
  await page.waitForFunction(() => window.shownFrames > 2);
  assert.deepEqual(await page.evaluate(() => window.flashed), []);
});

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
