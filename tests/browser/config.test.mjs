// What the page makes of the server's configuration: its seeds, and a newer one that is broken.

import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { startDaemon } from '../http/daemon.mjs';
import { launch, openPage, settled, stateOf, tileUrls, waitForState } from './browser.mjs';

const world = (name, more) => `
  - name: ${name}
    title: The ${name} one
    generator: patchwork
    seed: 5
    ${more}
    biomes:
      - {id: 4, name: Forest, name_de: Forst, colour: "#406030", catalogue: 4}
      - {id: 2, name: Desert, colour: "#f0e0a0", catalogue: 2}`;
const LONG = 'and so on without an end that fits a screen';
/** Sixty biomes with names that do not fit in a line. */
const many = `
  - name: many
    title: A world of many biomes ${LONG}
    generator: patchwork
    seed: 5
    biomes:${Array.from({ length: 60 }, (unused, id) => `
      - {id: ${id}, name: "Number ${id} ${LONG}", colour: "#${(0x204060 + 0x030501 * id).toString(16)}", catalogue: 4}`).join('')}`;
const CONFIG = `worlds:${world('open', '')}${world('fixed', 'seeds: fixed')}${world('few', 'seeds: [1, hello world]')}${many}\n`;
const phone = { viewport: { width: 360, height: 740 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true };

let folder;
let daemon;
let browser;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ecotone-page-'));
  await writeFile(join(folder, 'worlds.yaml'), CONFIG);
  daemon = await startDaemon({ config: join(folder, 'worlds.yaml') });
  browser = await launch();
});

after(async () => {
  await browser?.close();
  await daemon?.stop();
  await rm(folder, { recursive: true, force: true });
});

const open = (t, hash, options) => openPage(t, browser, daemon.url, { hash, ...options });
const status = (page, pattern) => page.waitForFunction(
  (source) => new RegExp(source).test(document.querySelector('#status').textContent), pattern.source);

/** As the browser does when somebody comes back to the page. */
const comeBack = (page) => page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));

async function reload(text) {
  const printed = () => daemon.output.join('').match(/is in effect|stays as it was/g)?.length ?? 0;
  const earlier = printed();
  await writeFile(join(folder, 'worlds.yaml'), text);
  daemon.child.kill('SIGHUP');
  for (const limit = Date.now() + 10000; printed() === earlier; ) {
    assert.ok(Date.now() < limit, daemon.output.join(''));
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

for (const [where, options] of [['at a desk', {}], ['on a phone', phone]]) {
  test(`a world with one seed shows it and takes no other, ${where}`, async (t) => {
    const page = await open(t, '#world=fixed&layer=biome&seed=6&x=0&z=0&zoom=18', options);
    if (options === phone) {
      await page.tap('[data-do="fold"]');
    }
    await status(page, /The fixed one has no such seed\. This is the world’s own\./);
    assert.ok(await page.isDisabled('#seed'));
    assert.ok(await page.isDisabled('[data-do="roll"]'));
    assert.equal(await page.inputValue('#seed'), '5');
    assert.equal(await page.textContent('#seed-hint'), 'This world has one seed.');
    await page.locator('#map').focus();
    await page.keyboard.press('r');
    assert.equal((await stateOf(page)).seed, undefined);
    await settled(page);
  });

  test(`a world with a few seeds lets one choose among them, ${where}`, async (t) => {
    const page = await open(t, '#world=few&layer=biome&x=0&z=0&zoom=18', options);
    if (options === phone) {
      await page.tap('[data-do="fold"]');
    }
    assert.ok(!(await page.isVisible('#seed')));
    assert.deepEqual(await page.locator('#seed-list option').allTextContents(), ['5', '1', 'hello world']);
    await page.selectOption('#seed-list', 'hello world');
    await waitForState(page, { seed: 'hello world' });
    await settled(page);
    assert.ok((await tileUrls(page)).every((url) => new URL(url).searchParams.get('seed') === 'hello world'));
    const rolled = new Set();
    for (let roll = 0; roll < 12; roll++) {
      await page.click('[data-do="roll"]');
      rolled.add(await page.inputValue('#seed-list'));
    }
    assert.deepEqual([...rolled].sort(), ['1', '5', 'hello world']);
    await page.selectOption('#world', 'fixed');
    await page.waitForFunction(() => !location.hash.includes('seed='));
    await page.selectOption('#world', 'open');
    await page.fill('#seed', '77');
    await page.press('#seed', 'Enter');
    await waitForState(page, { seed: '77' });
    await settled(page);
  });
}

test('the other side of a comparison keeps to the seeds of its world, too', async (t) => {
  const page = await open(t, '#world=open&layer=biome&x=0&z=0&zoom=18&compare=side&world2=few&layer2=biome&seed2=1');
  await page.click('[data-tool="compare"]');
  await page.waitForSelector('#tool-body form');
  const seed = page.getByRole('combobox', { name: 'Seed' });
  assert.equal(await seed.inputValue(), '1');
  await seed.selectOption('hello world');
  await waitForState(page, { seed2: 'hello world' });
  await page.selectOption('#tool-body select >> nth=0', 'fixed');
  await page.waitForFunction(() => !location.hash.includes('seed2='));
  assert.ok(await page.isDisabled('#tool-body input[type="text"]'));
  await settled(page);
});

test('a broken configuration is said with its line, the map stays, and the word goes with the fault', async (t) => {
  const page = await open(t, '#world=open&layer=biome&x=0&z=0&zoom=18');
  const clip = { x: 360, y: 60, width: 320, height: 500 };
  const good = await page.screenshot({ clip });
  t.after(() => reload(CONFIG));
  await reload(CONFIG.replace('seeds: fixed', 'seeds: fixd'));
  await comeBack(page);
  await status(page, /configuration of the server is broken; shown are the worlds of before\. worlds\.yaml:\d+: worlds\[1\]\.seeds: /);
  assert.doesNotMatch(await page.textContent('#status'), new RegExp(folder));
  await page.click('[data-do="zoom-in"]');
  await page.click('[data-do="zoom-out"]');
  await settled(page);
  assert.ok(good.equals(await page.screenshot({ clip })));
  const late = await open(t, '#world=few&layer=biome&x=0&z=0&zoom=18');
  await status(late, /configuration of the server is broken/);
  await reload(CONFIG);
  await comeBack(page);
  await page.waitForFunction(() => document.querySelector('#status').textContent === '');
});

test('a world that has changed on the server is said, and shown after a reload of the page', async (t) => {
  const page = await open(t, '#world=open&layer=biome&x=0&z=0&zoom=18');
  t.after(() => reload(CONFIG));
  await reload(CONFIG.replace('#406030', '#305080'));
  await comeBack(page);
  await status(page, /This world has changed on the server/);
  await page.fill('#seed', '7');
  await page.press('#seed', 'Enter');
  await waitForState(page, { seed: '7' });
  await settled(page);
  await comeBack(page);
  await status(page, /This world has changed on the server/);
  await Promise.all([page.waitForResponse(/\/point\?.*seed=7/), page.mouse.move(640, 300)]);
  await settled(page);
  assert.match(await page.textContent('#status'), /This world has changed on the server/);
  await page.selectOption('#world', 'few');
  await page.waitForFunction(() => document.querySelector('#status').textContent === '');
  await page.evaluate(() => { location.hash = '#world=few&layer=biome&x=0&z=0&zoom=18&compare=side&world2=open&layer2=biome'; });
  await status(page, /This world has changed on the server/);
  await page.evaluate(() => { location.hash = '#world=open&layer=biome&x=0&z=0&zoom=18'; });
  await page.waitForFunction(() => !document.querySelector('.map-other'));
  await page.reload();
  await settled(page);
  const colours = await page.locator('#legend .swatch').evaluateAll((all) => all.map((each) => each.style.backgroundColor));
  assert.ok(colours.includes('rgb(48, 80, 128)'), `${colours}`);
  await status(page, /has changed on the server since this link was made/);
});

const overlaps = (page, part, others) => page.evaluate(([from, to]) => {
  const boxes = (selector) => [...document.querySelectorAll(selector)].filter((each) => each.checkVisibility())
    .map((each) => ({ name: each.id || each.className, ...each.getBoundingClientRect().toJSON() }));
  return boxes(from).flatMap((a) => boxes(to).filter((b) => a.right > b.left && b.right > a.left &&
    a.bottom > b.top && b.bottom > a.top).map((b) => `${a.name} ${b.name}`));
}, [part, others]);
const FLOATING = '#dock, #readout, #buttons, #scale, #opener';
const COMPARED = '#world=many&layer=biome&x=0&z=0&zoom=15&world2=many&layer2=relief&seed2=%D7%A9%D7%9C%D7%95%D7%9D%20%F0%9F%92%A7';

for (const compare of ['swipe', 'side']) {
  test(`${compare}: what each map shows is said in sight, however long the title is, here and in another page`, async (t) => {
    const words = (page) => Promise.all([
      page.waitForSelector('.caption.other bdi:nth-of-type(3)'), page.waitForSelector('#readout[aria-busy="false"]', { state: 'attached' })]);
    const page = await open(t, `${COMPARED}&compare=${compare}`, { viewport: { width: 1100, height: 700 }, wait: false });
    await words(page);
    const captions = page.locator('.caption');
    assert.deepEqual(await overlaps(page, '.caption', FLOATING), []);
    assert.match(await captions.last().textContent(), / · Relief · Seed שלום 💧$/);
    const last = await captions.last().locator('bdi').last().boundingBox();
    const box = await captions.last().boundingBox();
    assert.ok(last.width > 40 && last.y + last.height <= box.y + box.height, 'the seed is not cut off');
    const framed = await openPage(t, browser, `${daemon.url}?embed=1&show=scale,buttons`, {
      hash: `${COMPARED}&compare=${compare}`, viewport: { width: 1100, height: 500 }, wait: false,
    });
    await words(framed);
    assert.deepEqual(await overlaps(framed, '.caption', FLOATING), []);
    assert.equal((await framed.locator('#map').boundingBox()).x, 0);
  });
}

test('on a phone a world of sixty biomes with long names fits: one line when folded, all of them to scroll to', async (t) => {
  const page = await open(t, '#world=many&layer=biome&x=0&z=0&zoom=14&compare=side&world2=many&layer2=relief', { ...phone, wait: false });
  await page.waitForSelector('#legend[aria-busy="false"]', { state: 'attached' });
  assert.deepEqual(await overlaps(page, '#dock, .caption', '#buttons, #scale'), []);
  await page.tap('[data-do="fold"]');
  const panel = await page.locator('#panel').boundingBox();
  assert.ok(panel.height > 300, `${panel.height} pixels are left for what is in the sheet`);
  await page.locator('#legend .legend-biome').last().scrollIntoViewIfNeeded();
  const rows = await page.$$eval('#legend .legend-biome', (all) => all.map((row) => row.scrollWidth - row.clientWidth));
  assert.ok(rows.length > 40 && rows.every((over) => over <= 0), `${rows}`);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.tap('[data-do="copy"]');
  await page.waitForFunction(async () => /^x -?\d+, z .* so on without an end that/.test(await navigator.clipboard.readText()));
});

test('a small map in another page keeps its legend, buttons and way out apart', async (t) => {
  const page = await openPage(t, browser, `${daemon.url}?embed=1&show=readout,legend,scale,buttons`, {
    hash: '#world=many&layer=biome&x=0&z=0&zoom=14', viewport: { width: 420, height: 480 },
  });
  assert.deepEqual(await overlaps(page, '#opener', '#panel, #scale, #buttons, #readout'), []);
  assert.deepEqual(await overlaps(page, '#buttons, #scale', '#panel, #readout'), []);
});

test('biomes have the names that the configuration gives them, else those of the catalogue', async (t) => {
  const page = await open(t, '#world=open&layer=biome&x=0&z=0&zoom=18', { locale: 'de' });
  assert.deepEqual((await page.locator('#legend .legend-word').allTextContents()).sort(), ['Forst', 'Wüste']);
  const en = JSON.parse(await readFile(new URL('../../web/lang/en.json', import.meta.url), 'utf8'));
  assert.notEqual(await page.textContent('label[for="world"]'), en['what.world']);
  await page.fill('#legend input[type="search"]', 'wüs');
  assert.equal(await page.locator('#legend [data-biome]').count(), 1);
});
