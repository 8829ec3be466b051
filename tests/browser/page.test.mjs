// What a person does with the page, at a desk.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { startDaemon } from '../http/daemon.mjs';
import {
  fetchJson,
  hashOf,
  launch,
  openPage,
  pixelsOf,
  readOut,
  settled,
  stateOf,
  tileUrls,
  waitForState,
} from './browser.mjs';

let daemon;
let browser;
let worlds;

before(async () => {
  daemon = await startDaemon();
  browser = await launch();
  ({ worlds } = await fetchJson(`${daemon.url}api/worlds`));
});

after(async () => {
  await browser?.close();
  await daemon?.stop();
});

const open = (t, hash, options) => openPage(t, browser, daemon.url, { hash, ...options });

function rgb(colour) {
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  return `rgb(${red}, ${green}, ${blue})`;
}

/** Java's String.hashCode, by its definition. */
function javaHash(text) {
  let hash = 0;
  for (let at = 0; at < text.length; at++) {
    hash = (31 * hash + text.charCodeAt(at)) | 0;
  }
  return String(hash);
}

const hint = (page, part) => page.textContent(`[data-part="${part}"]`);

test('the page opens at the home of the first world, titled by it', async (t) => {
  const page = await open(t, '');
  const [world] = worlds;
  const state = await stateOf(page);
  assert.deepEqual({ x: state.x, z: state.z, zoom: state.zoom }, world.home);
  assert.equal(state.world, world.name);
  assert.equal(await page.title(), `${world.title} · Ecotone`);
  await page.waitForSelector('#legend[aria-busy="false"]');
  const legend = await page.locator('#legend .legend-word').allTextContents();
  assert.ok(legend.length > 3);
  assert.ok(legend.every((name) => world.biomes.some((biome) => biome.name === name)), `${legend}`);
});

test('dragging moves by one block a pixel at zoom 18', async (t) => {
  const page = await open(t, '#world=demo&layer=biome&x=0&z=0&zoom=18');
  await page.mouse.move(600, 400);
  await page.mouse.down();
  await page.mouse.move(560, 430, { steps: 4 });
  await page.mouse.move(500, 460, { steps: 4 });
  await page.mouse.up();
  await waitForState(page, { x: 100, z: -60 });
});

test('the wheel zooms and keeps the block under the pointer', async (t) => {
  const page = await open(t, '#world=demo&layer=biome&x=0&z=0&zoom=16');
  await page.mouse.move(700, 200);
  const first = await readOut(page);
  await page.mouse.wheel(0, -120);
  await waitForState(page, { zoom: 18 });
  await settled(page);
  const then = await readOut(page);
  assert.ok(Math.abs(then.x - first.x) <= 4, `${first.x} ${then.x}`);
  assert.ok(Math.abs(then.z - first.z) <= 4, `${first.z} ${then.z}`);
});

test('the buttons zoom, stop at both limits, and lead home', async (t) => {
  const page = await open(t, '#world=demo&layer=biome&x=900&z=0&zoom=21');
  const { minzoom, home } = worlds.find((world) => world.name === 'demo');
  await page.click('[data-do="zoom-in"]');
  await waitForState(page, { zoom: 22 });
  assert.ok(await page.isDisabled('[data-do="zoom-in"]'));
  const rendering = await page.$eval('.leaflet-tile', (tile) => getComputedStyle(tile).imageRendering);
  assert.equal(rendering, 'pixelated');
  for (let zoom = 21; zoom >= minzoom; zoom--) {
    await page.click('[data-do="zoom-out"]');
    await waitForState(page, { zoom });
  }
  assert.ok(await page.isDisabled('[data-do="zoom-out"]'));
  await page.click('[data-do="home"]');
  await waitForState(page, home);
  await settled(page);
});

test('the read-out equals the API, and its biome is the colour of the pixel', async (t) => {
  const views = ['x=0&z=0&zoom=18', 'x=-3000&z=2500&zoom=18', 'x=-77&z=-9000&zoom=16', 'x=40&z=-2&zoom=20'];
  const page = await open(t, `#world=demo&layer=biome&${views[0]}`);
  const world = worlds.find(({ name }) => name === 'demo');
  for (const view of views) {
    await page.evaluate((hash) => { location.hash = hash; }, `#world=demo&layer=biome&${view}`);
    await settled(page);
    const { zoom } = await stateOf(page);
    const shown = await pixelsOf(page);
    for (const [x, y] of [[400, 40], [499, 349], [500, 350], [611, 455], [377, 690], [940, 400]]) {
      await page.mouse.move(x, y);
      const read = await readOut(page);
      const point = await fetchJson(
        `${daemon.url}api/worlds/demo/point?x=${read.x}&z=${read.z}&zoom=${Math.min(18, zoom)}`,
      );
      assert.deepEqual([read.x, read.z], [point.sampled.x, point.sampled.z]);
      assert.equal(read.biome, point.biome.name);
      assert.equal(read.height, Math.round(point.height));
      assert.equal(read.swatch, rgb(point.biome.colour));
      assert.equal(shown(x, y), rgb(point.biome.colour), `${view} at ${x}, ${y}`);
      const weights = point.weights.filter(({ weight }) => weight >= 0.005);
      assert.equal(read.weights.length, weights.length);
      assert.equal(read.weights[0].name, point.biome.name);
      const above = Math.round(point.height - world.sea_level);
      assert.ok(read.above.startsWith(above === 0 ? 'at sea' : String(Math.abs(above))), read.above);
    }
  }
});

test('blocks beside 0 are -1 and 0, one pixel each, and never -0', async (t) => {
  const page = await open(t, '#world=demo&layer=biome&x=0&z=0&zoom=18');
  const seen = [];
  for (const step of [-2, -1, 0, 1]) {
    await page.mouse.move(500 + step, 350 + step);
    const read = await readOut(page);
    seen.push([read.xText, read.zText]);
  }
  assert.deepEqual(seen, [['-2', '-2'], ['-1', '-1'], ['0', '0'], ['1', '1']]);
});

test('a world can be chosen, with its biomes, title and home', async (t) => {
  const page = await open(t, '#world=demo&layer=biome&x=400&z=0&zoom=18');
  const next = worlds.find(({ name }) => name === 'patchwork');
  await page.selectOption('#world', next.name);
  await waitForState(page, { world: next.name, layer: 'biome', ...next.home });
  await settled(page);
  assert.ok((await tileUrls(page)).every((url) => url.includes(`/tiles/${next.name}/biome/`)));
  assert.equal(await page.locator('#legend [data-biome]').count(), next.biomes.length);
  assert.equal(await page.title(), `${next.title} · Ecotone`);
});

test('every layer can be chosen and asks for its own tiles; those of data are not offered', async (t) => {
  const page = await open(t, '#world=demo&layer=biome&x=0&z=0&zoom=18');
  const { layers } = worlds.find(({ name }) => name === 'demo');
  for (const { name, title, data } of layers) {
    await page.selectOption('#layer', name);
    await waitForState(page, { layer: name });
    await settled(page);
    assert.ok((await tileUrls(page)).every((url) => url.includes(`/tiles/demo/${name}/18/`)));
    assert.equal(await page.textContent(`#layer option[value="${name}"]`), title);
    assert.equal(await page.$eval(`#layer option[value="${name}"]`, (option) => option.hidden), data === true);
  }
});

test('a seed is a string with all of its digits, and changes the map', async (t) => {
  const page = await open(t, '#world=demo&layer=biome&x=0&z=0&zoom=17');
  const own = await page.screenshot();
  for (const seed of ['9007199254740993', '-9223372036854775808', '9223372036854775807']) {
    await page.fill('#seed', seed);
    await page.press('#seed', 'Enter');
    await waitForState(page, { seed });
    await settled(page);
    assert.ok((await tileUrls(page)).every((url) => new URL(url).searchParams.get('seed') === seed));
    assert.equal(await hint(page, 'seed-hint'), 'Your seed, a number.');
  }
  assert.ok(!own.equals(await page.screenshot()));
  await page.click('[data-do="own-seed"]');
  await waitForState(page, { layer: 'biome' });
  await settled(page);
  assert.equal((await stateOf(page)).seed, undefined);
});

test('a text seed is said to be one, with the number that it stands for', async (t) => {
  const page = await open(t, '#world=demo&layer=biome&x=0&z=0&zoom=18');
  for (const seed of ['glacier', 'gargamel & 100% {x}', '+9223372036854775808', 'Ä💧']) {
    await page.fill('#seed', seed);
    await page.press('#seed', 'Enter');
    await waitForState(page, { seed });
    await settled(page);
    await page.locator('#map').focus();
    const said = `Your seed: the text stands for ${javaHash(seed)}.`;
    await page.waitForFunction(
      (text) => document.querySelector('#seed-hint').textContent === text,
      said,
    );
  }
  await page.fill('#seed', 'ü'.repeat(65));
  await page.press('#seed', 'Enter');
  assert.match(await hint(page, 'seed-hint'), /too long/);
  assert.equal((await stateOf(page)).seed, 'Ä💧');
});

test('the dice gives a random seed of 64 bits', async (t) => {
  const page = await open(t, '#world=demo&layer=biome&x=0&z=0&zoom=18');
  const seeds = new Set();
  for (let roll = 0; roll < 8; roll++) {
    await page.click('[data-do="roll"]');
    seeds.add((await stateOf(page)).seed);
  }
  await settled(page);
  assert.equal(await hint(page, 'seed-hint'), 'A random seed, a number.');
  await page.click('[data-do="seed-back"]');
  await page.waitForFunction(() => document.querySelector('#seed-hint').textContent === 'Your seed, a number.');
  assert.equal(seeds.size, 8);
  assert.ok([...seeds].every((seed) => BigInt.asIntN(64, BigInt(seed)).toString() === seed));
  assert.ok([...seeds].some((seed) => BigInt(seed) > 2n ** 53n || BigInt(seed) < -(2n ** 53n)));
});

test('a pasted hash is shown, and the way back leads through the choices', async (t) => {
  const page = await open(t, '#world=demo&layer=biome&x=0&z=0&zoom=18');
  await page.selectOption('#layer', 'height');
  await page.fill('#seed', '42');
  await page.press('#seed', 'Enter');
  await waitForState(page, { seed: '42' });
  await page.evaluate(() => { location.hash = '#world=demo&layer=blend&seed=42&x=12&z=-7&zoom=16'; });
  await settled(page);
  assert.equal(await page.inputValue('#layer'), 'blend');
  await page.goBack();
  await waitForState(page, { layer: 'height', seed: '42', x: 0, zoom: 18 });
  assert.equal(await page.inputValue('#seed'), '42');
  await page.goBack();
  await page.waitForFunction(() => !location.hash.includes('seed'));
  assert.equal((await stateOf(page)).layer, 'height');
  await page.goBack();
  await waitForState(page, { layer: 'biome' });
  await page.goForward();
  await waitForState(page, { layer: 'height' });
  await settled(page);
  assert.equal(await page.inputValue('#layer'), 'height');
});

test('the hash opens the very same view again', async (t) => {
  const hash = '#world=demo&layer=relief&seed=glacier&x=1234567&z=-7654321&zoom=17';
  const page = await open(t, hash);
  assert.equal(hashOf(page), hash);
  const clip = { x: 340, y: 180, width: 560, height: 460 };
  const first = await page.screenshot({ clip });
  await page.reload();
  await settled(page);
  assert.equal(hashOf(page), hash);
  assert.ok(first.equals(await page.screenshot({ clip })));
});

test('a hostile hash gives a map inside the world, and words', async (t) => {
  const page = await open(t, '#world=<img src=x onerror=alert(1)>&layer=../x&x=1e999&z=-1e30&zoom=99');
  const state = await stateOf(page);
  assert.equal(state.world, worlds[0].name);
  assert.equal(state.zoom, 22);
  assert.ok(state.x < 2 ** 25 && state.x > 2 ** 25 - 1000, `${state.x}`);
  assert.ok(state.z >= -(2 ** 25) && state.z < -(2 ** 25) + 1000, `${state.z}`);
  assert.match(await page.textContent('#status'), /no world “<img/);
});

test('a link to another version of the world says that it has changed, and works', async (t) => {
  const page = await open(t, '#world=demo&layer=biome&x=0&z=0&zoom=18&v=0123456789abcdef-1-1');
  assert.match(await page.textContent('#status'), /Four biomes has changed on the server since this link|newer way/);
  const { v } = await stateOf(page);
  assert.ok(v.startsWith(worlds.find(({ name }) => name === 'demo').hash), v);
  await page.reload();
  await settled(page);
  assert.equal(await page.textContent('#status'), '');
});

test('the map fills the screen and leaves it again', async (t) => {
  const page = await open(t, '#world=demo&layer=biome&x=0&z=0&zoom=18');
  await page.click('[data-do="full"]');
  await page.waitForFunction(() => document.fullscreenElement !== null);
  await page.waitForSelector('[data-do="full"][aria-pressed="true"]');
  await page.click('[data-do="full"]');
  await page.waitForFunction(() => document.fullscreenElement === null);
});

test('the keyboard moves and zooms, and the centre is read out under a cross', async (t) => {
  const page = await open(t, '#world=demo&layer=biome&x=0&z=0&zoom=18');
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'map');
  assert.ok(await page.isVisible('#cross'));
  await page.keyboard.press('ArrowRight');
  await page.waitForFunction(() => /&x=80&/.test(location.hash));
  await page.keyboard.press('ArrowDown');
  await page.waitForFunction(() => /&z=80&/.test(location.hash));
  let read = await readOut(page);
  assert.deepEqual([read.title, read.x, read.z], ['At the centre', 80, 80]);
  await page.keyboard.press('-');
  await waitForState(page, { zoom: 17 });
  await page.keyboard.press('+');
  await waitForState(page, { zoom: 18 });
  await page.mouse.move(700, 500);
  read = await readOut(page);
  assert.deepEqual([read.title, read.x, read.z], ['Under the pointer', 280, 230]);
  assert.ok(!(await page.isVisible('#cross')));
  await page.keyboard.press('ArrowLeft');
  await page.waitForFunction(() => /&x=0&/.test(location.hash));
  read = await readOut(page);
  assert.deepEqual([read.title, read.x, read.z], ['At the centre', 0, 80]);
  await page.waitForFunction(
    (name) => document.querySelector('[data-part="spoken"]').textContent.startsWith(name),
    read.biome,
  );
});

/** The places of the map's pane in every frame of a move by the keyboard. */
function framesOfMove(page) {
  return page.evaluate(async () => {
    const pane = document.querySelector('.leaflet-map-pane');
    const frames = new Set();
    const key = { key: 'ArrowRight', code: 'ArrowRight', keyCode: 39, bubbles: true };
    document.querySelector('#map').dispatchEvent(new KeyboardEvent('keydown', key));
    for (const end = performance.now() + 500; performance.now() < end; ) {
      await new Promise(requestAnimationFrame);
      frames.add(pane.getBoundingClientRect().x);
    }
    return [...frames];
  });
}

test('a glide is on whole pixels in every frame, so that no hairlines show', async (t) => {
  const page = await open(t, '#world=demo&layer=biome&x=0&z=0&zoom=18', {
    reducedMotion: 'no-preference',
  });
  await page.locator('#map').focus();
  const frames = await framesOfMove(page);
  assert.ok(frames.length > 2, `${frames}`);
  assert.ok(frames.every(Number.isInteger), `${frames}`);
});

test('who wants no motion sees none', async (t) => {
  const page = await open(t, '#world=demo&layer=biome&x=0&z=0&zoom=18');
  await page.locator('#map').focus();
  assert.deepEqual(await framesOfMove(page), [-80]);
});

test('a place can be typed as people write it', async (t) => {
  const page = await open(t, '#world=demo&layer=biome&x=0&z=0&zoom=12');
  await page.fill('#place', '/tp 1200 70 -340');
  await page.press('#place', 'Enter');
  await waitForState(page, { x: 1200, z: -340, zoom: 16 });
  await page.fill('#place', 'over there');
  await page.click('#where button');
  assert.match(await hint(page, 'place-hint'), /Two numbers/);
  await page.goBack();
  await waitForState(page, { x: 0, z: 0, zoom: 12 });
  await settled(page);
});

test('the scale bar is as long as it says', async (t) => {
  const page = await open(t, '#world=demo&layer=biome&x=0&z=0&zoom=18');
  for (const [zoom, text, width] of [[18, '100 blocks', 100], [16, '200 blocks', 50], [22, '5 blocks', 80]]) {
    await page.evaluate((to) => { location.hash = `#world=demo&layer=biome&x=0&z=0&zoom=${to}`; }, zoom);
    await settled(page);
    assert.equal(await page.textContent('#scale [data-part="text"]'), text);
    const box = await page.locator('#scale [data-part="bar"]').boundingBox();
    assert.equal(box.width, width);
  }
});
