// The legend and what lies on top of the picture.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { startDaemon } from '../http/daemon.mjs';
import { fetchJson, launch, openPage, PNG, pixelAt, readOut, settled, waitForState } from './browser.mjs';

const VIEW = '#world=patchwork&layer=biome&x=0&z=0&zoom=15';
const LAYERS = ['biome', 'blend', 'height', 'terrarium', 'relief'];
const PIXELS = 1000;

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
const counted = (page) => page.waitForSelector('#legend[aria-busy="false"]');

function rgbOf(colour) {
  return [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
}

async function shot(page) {
  const { data, width } = PNG.sync.read(await page.screenshot());
  return (x, y) => [...data.subarray(4 * (y * width + x), 4 * (y * width + x) + 3)];
}

/** The same random numbers in every run. */
function createRandom(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** The colour of a layer where the server says that `point` is: by the definition of the layer. */
const COLOUR_OF = {
  biome: ({ biome }) => rgbOf(biome.colour),
  blend: ({ colour }) => rgbOf(colour),
  height: ({ height }, { height_low: low, height_high: high }) => {
    const grey = Math.floor(Math.min(255, Math.max(0, ((height - low) * 255) / (high - low) + 0.5)));
    return [grey, grey, grey];
  },
  terrarium: ({ height }) => {
    const value = Math.floor(height * 256 + 0.5) + 32768 * 256;
    return [value >> 16, (value >> 8) & 255, value & 255];
  },
  relief: ({ colours }) => rgbOf(colours.relief),
};

test('1,000 random pixels of five layers are what the read-out says of their blocks', async (t) => {
  const page = await open(t, '#world=demo&layer=biome&x=300&z=-500&zoom=18');
  const world = worlds.find(({ name }) => name === 'demo');
  const random = createRandom(20);
  const places = Array.from({ length: PIXELS / LAYERS.length }, () => ({
    x: 380 + Math.floor(330 * random()), y: 20 + Math.floor(660 * random()),
  }));
  const answers = await Promise.all(places.map(({ x, y }) =>
    fetchJson(`${daemon.url}api/worlds/demo/point?x=${300 + x - 500}&z=${-500 + y - 350}&layers=relief`)));
  for (const layer of LAYERS) {
    await page.selectOption('#layer', layer);
    await settled(page);
    const at = await shot(page);
    for (const [index, { x, y }] of places.entries()) {
      const seen = at(x, y);
      const right = COLOUR_OF[layer](answers[index], world);
      const off = Math.max(...seen.map((value, k) => Math.abs(value - right[k])));
      // The API gives heights as 7 digits; a half may fall to the other side.
      assert.ok(off <= (layer === 'height' || layer === 'terrarium' ? 1 : 0), `${layer} at ${x}, ${y}: ${seen} ${right}`);
    }
  }
  await page.selectOption('#layer', 'biome');
  await settled(page);
  for (const { x, y } of places.slice(0, 20)) {
    await page.mouse.move(x, y);
    const read = await readOut(page);
    const found = answers[places.findIndex((place) => place.x === x && place.y === y)];
    assert.deepEqual([read.x, read.z, read.biome], [found.x, found.z, found.biome.name]);
    assert.equal(read.swatch, `rgb(${rgbOf(found.biome.colour).join(', ')})`);
  }
});

test('shares of the biomes are those of the pixels in view', async (t) => {
  const page = await open(t, VIEW, { viewport: { width: 1000, height: 720 } });
  await counted(page);
  const shares = await page.$$eval('#legend [data-biome]', (rows) => rows.map((row) => ({
    id: Number(row.dataset.biome),
    share: Number.parseFloat(row.querySelector('.legend-share').textContent.replace('<', '') || '0') / 100,
  })));
  assert.deepEqual(shares.map(({ share }) => share), shares.map(({ share }) => share).sort((a, b) => b - a));
  await page.evaluate(() => {
    document.querySelectorAll('#dock, #readout, #buttons, #scale').forEach((each) => each.remove());
  });
  const { data } = PNG.sync.read(await page.screenshot());
  const counts = new Map();
  for (let at = 0; at < data.length; at += 4) {
    const colour = [...data.subarray(at, at + 3)].join();
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  const { biomes } = worlds.find(({ name }) => name === 'patchwork');
  for (const { id, share } of shares) {
    const { colour } = biomes.find((biome) => biome.id === id);
    const right = (counts.get(rgbOf(colour).join()) ?? 0) / (1000 * 720);
    assert.ok(Math.abs(share - right) < 0.012, `${id}: ${share} ${right}`);
  }
});

test('a click lights a biome, Shift and click hides one, and all can be shown again', async (t) => {
  const page = await open(t, VIEW);
  await counted(page);
  const { biomes } = worlds.find(({ name }) => name === 'patchwork');
  const before = await shot(page);
  const colourAt = (x, y) => before(x, y).join();
  const place = (name) => {
    const colour = rgbOf(biomes.find((biome) => biome.name === name).colour).join();
    for (let y = 200; y < 690; y += 3) {
      for (let x = 380; x < 900; x += 3) {
        if ([0, 2, -2].every((d) => colourAt(x + d, y) === colour && colourAt(x, y + d) === colour)) {
          return { x, y, colour };
        }
      }
    }
    throw new Error(`no ${name} in view`);
  };
  const [ocean, plains, forest] = ['Ocean', 'Plains', 'Forest'].map(place);
  const row = (name) => page.locator('.legend-biome', { hasText: new RegExp(`^${name}`) });
  const now = async () => {
    await page.waitForFunction(() => document.querySelectorAll('.leaflet-mask-pane canvas').length > 0 &&
      [...document.querySelectorAll('.leaflet-mask-pane canvas')].every((each) => each.matches('.leaflet-tile-loaded')));
    return shot(page);
  };
  await row('Ocean').click();
  let at = await now();
  assert.equal(at(ocean.x, ocean.y).join(), ocean.colour);
  assert.ok(at(plains.x, plains.y)[1] < 80, 'dimmed');
  assert.equal(await row('Ocean').getAttribute('aria-pressed'), 'true');
  await row('Forest').click({ modifiers: ['Shift'] });
  await row('Ocean').click();
  at = await now();
  assert.equal(at(plains.x, plains.y).join(), plains.colour);
  assert.equal(at(forest.x, forest.y).join(), '138,138,138');
  await page.click('#legend >> text=Show all again');
  await page.waitForFunction(() => !document.querySelector('.leaflet-mask-pane canvas'));
  assert.equal((await shot(page))(forest.x, forest.y).join(), forest.colour);
});

test('a biome is found by its name, and its nearest block is gone to', async (t) => {
  const page = await open(t, '#world=patchwork&layer=relief&x=0&z=0&zoom=16');
  await counted(page);
  await page.fill('#legend input', 'BADL');
  assert.deepEqual(await page.locator('.legend-word').allTextContents(), ['Badlands']);
  await page.click('.legend-biome');
  await page.click('#legend >> text=Go to the nearest');
  await page.waitForFunction(() => !location.hash.includes('&x=0&z=0&'));
  const read = await readOut(page);
  assert.equal(read.biome, 'Badlands');
  await page.fill('#legend input', 'nowhere');
  await page.waitForSelector('text=No biome is called that.');
});

test('the other palette paints the biome layer, and swatches and read-out follow it', async (t) => {
  const page = await open(t, VIEW);
  await page.selectOption('.legend select', 'apart');
  await waitForState(page, { palette: 'apart', layer: 'biome' });
  await page.waitForFunction(() => document.querySelectorAll('.leaflet-mask-pane canvas').length > 0 &&
    [...document.querySelectorAll('.leaflet-mask-pane canvas')].every((each) => each.matches('.leaflet-tile-loaded')));
  for (const [x, y] of [[400, 300], [523, 411], [700, 600], [611, 333]]) {
    await page.mouse.move(x, y);
    const read = await readOut(page);
    assert.equal(await pixelAt(page, x, y), read.swatch, `${x}, ${y}`);
  }
  assert.match(await page.textContent('[data-part="close"]'), /easy to tell apart/);
});

test('grid lines lie on the borders of chunks and regions', async (t) => {
  const page = await open(t, '#world=demo&layer=terrarium&x=0&z=0&zoom=20&over=grid');
  await page.evaluate(() => { document.querySelector('.leaflet-tile-pane').style.visibility = 'hidden'; });
  const at = await shot(page);
  const light = (x, y) => at(x, y).reduce((sum, value) => sum + value) / 3;
  // Four pixels a block; block 0 begins two pixels left of the middle, and a chunk has 64 pixels.
  const middle = 498;
  const line = [0, 1, 2, 3, 4].map((chunk) => light(middle + 64 * chunk, 500));
  const beside = [0, 1, 2, 3, 4].map((chunk) => light(middle + 64 * chunk + 30, 500));
  assert.ok(line.every((value, k) => Math.abs(value - beside[k]) > 5), `${line} ${beside}`);
  await page.uncheck('#overlays [value="grid"]');
  await page.waitForFunction(() => !location.hash.includes('over='));
  assert.equal(await page.locator('.leaflet-grid-pane canvas').count(), 0);
});

test('hill shade has no seams at the edges of tiles, and its strength can be set', async (t) => {
  const page = await open(t, '#world=demo&layer=height&x=512&z=512&zoom=17&over=shade');
  const painted = () => page.waitForFunction(() =>
    [...document.querySelectorAll('.leaflet-overlays-pane canvas')].every((each) => each.matches('.leaflet-tile-loaded')));
  await painted();
  const edge = await page.evaluate(() => {
    // Alpha across the edge of two neighbouring canvases compared with that inside of one.
    const canvases = [...document.querySelectorAll('.leaflet-overlays-pane canvas')];
    const place = (canvas) => canvas.getBoundingClientRect();
    const left = canvases.find((a) => canvases.some((b) => place(b).x === place(a).x + 256 && place(b).y === place(a).y));
    const right = canvases.find((b) => place(b).x === place(left).x + 256 && place(b).y === place(left).y);
    const light = (canvas) => {
      const { data } = canvas.getContext('2d').getImageData(0, 0, 256, 256);
      return (x, y) => (data[4 * (256 * y + x)] > 127 ? 1 : -1) * data[4 * (256 * y + x) + 3];
    };
    const [a, b] = [left, right].map(light);
    let [across, inside] = [0, 0];
    for (let y = 0; y < 256; y++) {
      across += Math.abs(a(255, y) - b(0, y)) / 256;
      inside += Math.abs(a(254, y) - a(255, y)) / 256;
    }
    return { across, inside };
  });
  assert.ok(edge.inside > 0 && edge.across < 2 * edge.inside + 4, JSON.stringify(edge));
  const strong = await page.screenshot();
  await page.locator('.overlays input[type="range"]').fill('10');
  await waitForState(page, { shade: '10' });
  assert.ok(!strong.equals(await page.screenshot()));
});

test('seeds that were shown are gone back to and on to', async (t) => {
  const page = await open(t, '#world=demo&layer=biome&x=0&z=0&zoom=18');
  for (const seed of ['11', '22']) {
    await page.fill('#seed', seed);
    await page.press('#seed', 'Enter');
    await waitForState(page, { seed });
  }
  await page.click('[data-do="seed-back"]');
  await waitForState(page, { seed: '11' });
  await page.click('[data-do="seed-back"]');
  await page.waitForFunction(() => !location.hash.includes('seed='));
  assert.ok(await page.isDisabled('[data-do="seed-back"]'));
  await page.click('[data-do="seed-on"]');
  await waitForState(page, { seed: '11' });
  await page.reload();
  await settled(page);
  assert.ok(await page.isEnabled('[data-do="seed-back"]'));
});

test('the layers of a world say what their colours mean', async (t) => {
  const page = await open(t, '#world=overworld&layer=temperature&x=0&z=0&zoom=16');
  assert.deepEqual(await page.locator('.legend-ramp span').allTextContents(),
    ['-25', '-10', '0', '10', '20', '30', '45']);
  assert.equal(await page.textContent('.legend-ramp .hint'), '°C');
  const point = await fetchJson(`${daemon.url}api/worlds/overworld/point?x=2&z=2`);
  const facts = await page.locator('.readout-more dd').allTextContents();
  assert.equal(Number.parseFloat(facts[0]), Math.round(10 * point.temperature) / 10);
  assert.equal(facts[1], `${Math.round(point.precipitation).toLocaleString('en')} mm/year`);
  await page.selectOption('#layer', 'rivers');
  assert.deepEqual(await page.locator('.legend-labels li').allTextContents(), ['river', 'valley', 'land', 'sea']);
  await settled(page);
});

test('trees lie over any layer, where the relief with trees has them', async (t) => {
  const page = await open(t, '#world=overworld&layer=trees&x=0&z=0&zoom=18', {
    viewport: { width: 900, height: 500 },
  });
  const wooded = await page.screenshot();
  await page.selectOption('#layer', 'relief');
  await settled(page);
  assert.ok(!wooded.equals(await page.screenshot()));
  await page.check('#overlays [value="trees"]');
  await page.waitForFunction(() => {
    const canvases = [...document.querySelectorAll('.leaflet-multiply-pane canvas')];
    return canvases.length > 0 && canvases.every((each) => each.matches('.leaflet-tile-loaded'));
  });
  const clip = { x: 380, y: 0, width: 200, height: 500 };
  const pixels = async () => PNG.sync.read(await page.screenshot({ clip })).data;
  const laid = await pixels();
  await page.uncheck('#overlays [value="trees"]');
  const bare = await pixels();
  await page.selectOption('#layer', 'trees');
  await settled(page);
  const right = await pixels();
  const off = laid.reduce((most, value, at) => Math.max(most, Math.abs(value - right[at])), 0);
  assert.ok(off <= 1, `${off}`);
  assert.ok(!laid.equals(bare));
});

test('woods far away tint what they lie over, and hide nothing of it', async (t) => {
  const page = await open(t, '#world=overworld&layer=temperature&x=0&z=0&zoom=14', { viewport: { width: 820, height: 300 } });
  const clip = { x: 340, y: 0, width: 180, height: 290 };
  const pixels = async () => PNG.sync.read(await page.screenshot({ clip })).data;
  const before = await pixels();
  await page.check('#overlays [value="trees"]');
  await page.waitForFunction(() => {
    const canvases = [...document.querySelectorAll('.leaflet-multiply-pane canvas')];
    return canvases.length > 0 && canvases.every((each) => each.matches('.leaflet-tile-loaded'));
  });
  const after = await pixels();
  assert.ok(!before.equals(after));
  const wrong = after.findIndex((value, at) => value > before[at] + 1 || value < 0.4 * before[at]);
  assert.equal(wrong, -1, `${before[wrong]} became ${after[wrong]}`);
});

test('the border of the world is drawn where the server says that it is', async (t) => {
  const page = await open(t, '#world=demo&layer=biome&x=29999999&z=0&zoom=18');
  await page.check('#overlays [value="border"]');
  await page.waitForSelector('.leaflet-overlay-pane path', { state: 'attached' });
  const border = await fetchJson(`${daemon.url}api/worlds/demo/border`);
  const half = border.properties.diameter / 2;
  // The middle of the map is the corner of block 29,999,999; the line is around the edge of the next.
  const at = await shot(page);
  assert.notDeepEqual(at(500 + half - 29999999, 500), at(500 + half - 29999999 - 12, 500));
  await page.uncheck('#overlays [value="border"]');
  await page.waitForFunction(() => !document.querySelector('.leaflet-overlay-pane path'));
});
