// The tools of the page: comparing, measuring, saving, sharing.

import assert from 'node:assert/strict';
import http from 'node:http';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';

import { startDaemon } from '../http/daemon.mjs';
import { fetchJson, launch, openPage, PNG, pixelAt, readOut, settled, stateOf, waitForState } from './browser.mjs';

const VIEW = '#world=demo&layer=biome&x=0&z=0&zoom=18';

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

const open = (t, hash, options) => openPage(t, browser, daemon.url, { hash, ...options });

async function openTool(page, name) {
  await page.click(`[data-tool="${name}"]`);
  await page.waitForSelector('#tool-body > *');
}

async function tileOf(path) {
  const response = await fetch(daemon.url + path);
  assert.equal(response.status, 200, path);
  return PNG.sync.read(Buffer.from(await response.arrayBuffer()));
}

function shotOf(buffer) {
  const { data, width } = PNG.sync.read(buffer);
  return (x, y) => [...data.subarray(4 * (y * width + x), 4 * (y * width + x) + 3)].join();
}

/** The pixels at which two tiles differ, and the largest difference of height, from their bytes. */
async function differenceOf(path, a, b) {
  const read = (layer, seed) => tileOf(`tiles/demo/${layer}/${path}.png?seed=${seed}`);
  const [biomeA, biomeB, heightA, heightB] = await Promise.all(
    [read('biome', a), read('biome', b), read('terrarium', a), read('terrarium', b)]);
  const height = ({ data }, at) => data[at] * 256 + data[at + 1] + data[at + 2] / 256;
  let [changed, step] = [0, 0];
  for (let at = 0; at < biomeA.data.length; at += 4) {
    const rise = Math.abs(height(heightA, at) - height(heightB, at));
    step = Math.max(step, rise);
    changed += [0, 1, 2].some((k) => biomeA.data[at + k] !== biomeB.data[at + k]) || rise >= 0.5;
  }
  return { share: Math.round((100 * changed) / (biomeA.data.length / 4)), step: Math.round(step) };
}

test('under a swipe the second map lies pixel for pixel over the first, wherever it is moved', async (t) => {
  const page = await open(t, '#world=demo&layer=biome&x=0&z=0&zoom=17');
  await openTool(page, 'compare');
  await page.check('.choice [value="swipe"]');
  await waitForState(page, { compare: 'swipe', world2: 'demo', layer2: 'relief' });
  await page.selectOption('#tool-body select >> nth=1', 'biome');
  await waitForState(page, { layer2: 'biome' });
  await page.mouse.move(640, 400);
  await page.mouse.down();
  await page.mouse.move(571, 431, { steps: 5 });
  await page.mouse.up();
  await page.locator('.map-other').hover({ position: { x: 800, y: 300 } });
  await page.mouse.wheel(0, -120);
  await waitForState(page, { zoom: 19 });
  await settled(page);
  const clip = { x: 380, y: 60, width: 560, height: 500 };
  await page.evaluate(() => document.querySelectorAll('.split, .caption').forEach((each) => each.remove()));
  const both = await page.screenshot({ clip });
  await page.evaluate(() => document.querySelector('.map-other').remove());
  assert.ok(both.equals(await page.screenshot({ clip })));
});

test('each side of a comparison has its own seed and layer, and the read-out is about the side', async (t) => {
  const page = await open(t, `${VIEW}&compare=side&world2=demo&layer2=relief&seed2=77`);
  const urls = await page.$$eval('.map-other img.leaflet-tile', (tiles) => tiles.map(({ src }) => src));
  assert.ok(urls.length > 0 && urls.every((url) => /\/tiles\/demo\/relief\/.*seed=77/.test(url)));
  const centre = await page.$eval('.map-other', (map) => {
    const { x, y, width, height } = map.getBoundingClientRect();
    return { x: x + width / 2, y: y + height / 2 };
  });
  await page.mouse.move(Math.round(centre.x) + 40, Math.round(centre.y) - 30);
  const read = await readOut(page);
  assert.match(read.title, /second map/);
  const point = await fetchJson(`${daemon.url}api/worlds/demo/point?x=${read.x}&z=${read.z}&seed=77`);
  assert.equal(read.biome, point.biome.name);
  assert.ok(Math.abs(read.x - 40) <= 2 && Math.abs(read.z + 30) <= 2, `${read.x}, ${read.z}`);
  await page.mouse.down();
  await page.mouse.move(Math.round(centre.x) - 60, Math.round(centre.y) - 30, { steps: 4 });
  await page.mouse.up();
  await page.waitForFunction(() => /&x=(9\d|10\d)&/.test(location.hash));
  await settled(page);
  await openTool(page, 'compare');
  await page.click('#tool-body >> text=Swap');
  await waitForState(page, { seed: '77', layer: 'relief', layer2: 'biome' });
  await page.check('.choice [value="off"]');
  await page.waitForFunction(() => !location.hash.includes('compare'));
  assert.equal(await page.locator('.map-other').count(), 0);
  await settled(page);
});

const tilesOn = (page, map) =>
  page.$$eval(`${map} img.leaflet-tile`, (tiles) => tiles.map(({ src }) => src));

test('a way of blending is compared with another, and read out with its own weights', async (t) => {
  const page = await open(t, '#world=demo&layer=blend&x=0&z=0&zoom=18&compare=swipe&split=30&world2=demo&layer2=blend');
  await openTool(page, 'compare');
  await page.selectOption('#tool-body select >> nth=2', 'none');
  await waitForState(page, { blend2: 'none' });
  await settled(page);
  await page.mouse.move(600, 300);
  const read = await readOut(page);
  assert.deepEqual([read.weights.length, read.weights[0].share], [1, '100%']);
  assert.equal(await pixelAt(page, 600, 300), read.swatch);
  await page.selectOption('#blend', 'grid_lerp');
  await waitForState(page, { blend: 'grid_lerp', blend2: 'none' });
  await settled(page);
  assert.ok((await tilesOn(page, '#map')).every((url) => new URL(url).searchParams.get('blend') === 'grid_lerp'));
  assert.ok((await tilesOn(page, '.map-other')).every((url) => new URL(url).searchParams.get('blend') === 'none'));
  await page.click('#tool-body >> text=Swap');
  await waitForState(page, { blend: 'none', blend2: 'grid_lerp' });
  await page.click('#tool-body >> text=Swap');
  await page.check('.choice [value="diff"]');
  await page.waitForFunction(() => /differ/.test(document.querySelector('.note')?.textContent));
  const [, all, biomes] = /^([\d.]+)% .*\(([\d.]+)% in their biome\)/.exec(await page.textContent('.note'));
  assert.ok(Number(all) > Number(biomes), `${all} ${biomes}`);
  // The share is one of what is shown, not of a farther zoom that is not blended.
  await page.evaluate(() => { location.hash = location.hash.replace('zoom=18', 'zoom=15'); });
  await page.waitForFunction((before) => {
    const { textContent } = document.querySelector('.note');
    return textContent !== before && /differ/.test(textContent);
  }, await page.textContent('.note'));
  assert.ok(Number.parseFloat(await page.textContent('.note')) > 1, await page.textContent('.note'));
});

test('two worlds of which one has fewer zooms are compared at those that both have', async (t) => {
  const page = await open(t, '#world=overworld&layer=biome&x=0&z=0&zoom=8');
  const { worlds } = await fetchJson(`${daemon.url}api/worlds`);
  const [far, near] = ['overworld', 'demo'].map((wanted) => worlds.find(({ name }) => name === wanted).minzoom);
  assert.ok(far < near, `${far} ${near}`);
  await openTool(page, 'compare');
  await page.check('.choice [value="side"]');
  await settled(page);
  await page.selectOption('#tool-body select >> nth=0', 'demo');
  await waitForState(page, { world2: 'demo', zoom: near });
  await settled(page);
  assert.ok(await page.isDisabled('[data-do="zoom-out"]'));
  await page.mouse.move(700, 300);
  await page.mouse.wheel(0, 480);
  await page.click('#tool-body >> text=Swap');
  await waitForState(page, { world: 'demo', world2: 'overworld', zoom: near });
  await settled(page);
  await page.click('#tool-body >> text=Swap');
  await page.check('.choice [value="off"]');
  await page.waitForFunction(() => !document.querySelector('[data-do="zoom-out"]').disabled);
  await page.click('[data-do="zoom-out"]');
  await waitForState(page, { world: 'overworld', zoom: near - 1 });
  await settled(page);
});

test('a comparison is measured and saved on both of its maps', async (t) => {
  const page = await open(t, `${VIEW}&over=grid&compare=swipe&world2=demo&layer2=relief&seed2=7`);
  const clip = { x: 360, y: 300, width: 370, height: 220 };
  await page.evaluate(() => document.querySelectorAll('.split, .caption').forEach(({ style }) => {
    style.visibility = 'hidden';
  }));
  const shot = shotOf(await page.screenshot());
  await openTool(page, 'picture');
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('[data-do="save-picture"]')]);
  assert.equal(download.suggestedFilename(), 'demo_biome_swipe_x0_z0_zoom18.png');
  const saved = shotOf(await readFile(await download.path()));
  for (let x = clip.x; x < clip.x + clip.width; x += 7) {
    for (let y = clip.y; y < clip.y + clip.height; y += 5) {
      const off = saved(x, y).split(',').map((value, k) => Math.abs(value - shot(x, y).split(',')[k]));
      assert.ok(Math.max(...off) <= 2, `${x}, ${y}: ${saved(x, y)} ${shot(x, y)}`);
    }
  }
  await openTool(page, 'measure');
  await page.mouse.click(470, 350);
  await page.mouse.click(530, 430);
  await page.waitForSelector('.result >> text=100 blocks');
  const lines = () => page.$$eval('.map', (maps) => maps.map((map) => map.querySelectorAll('.leaflet-overlay-pane path').length));
  const [first, second] = await lines();
  assert.ok(first > 2 && first === second, `${first} ${second}`);
  await page.evaluate(() => { location.hash = location.hash.replace(/&compare=.*/, ''); });
  await page.waitForFunction(() => !document.querySelector('.map-other'));
  assert.deepEqual(await lines(), [first]);
  await page.mouse.click(530, 400);
  await page.waitForSelector('.result >> text=130 blocks');
});

test('the border of a swipe moves by pointer and by keyboard', async (t) => {
  const page = await open(t, `${VIEW}&compare=swipe&world2=demo&layer2=relief`);
  await page.mouse.move(500, 350);
  await page.mouse.down();
  await page.mouse.move(700, 350, { steps: 3 });
  await page.mouse.up();
  await waitForState(page, { split: '70' });
  await page.keyboard.press('ArrowLeft');
  await waitForState(page, { split: '68' });
  assert.equal(await page.getAttribute('.split', 'aria-valuenow'), '68');
  await page.keyboard.press('Home');
  await waitForState(page, { split: '0' });
});

test('the difference says the share of changed blocks and the largest step, as the tiles have them', async (t) => {
  // One tile exactly fills the map: 256 pixels a side, its corner in block 0, 0.
  const page = await open(t, '#world=demo&layer=biome&seed=1&x=128&z=128&zoom=18&compare=diff&world2=demo&layer2=biome&seed2=2', {
    viewport: { width: 256, height: 256 },
  });
  await page.waitForFunction(() => /differ/.test(document.querySelector('.note')?.textContent));
  const [, share, step] = /(\d+)% of the blocks.* step is (\d+)\./.exec(await page.textContent('.note'));
  const expected = await differenceOf('18/131072/131072', 1, 2);
  assert.deepEqual({ share: Number(share), step: Number(step) }, expected);
  await page.evaluate(() => { location.hash = location.hash.replace('seed2=2', 'seed2=1'); });
  await page.waitForFunction(() => document.querySelector('.note')?.textContent.startsWith('0%'));
  assert.match(await page.textContent('.note'), /largest height step is 0\./);
});

test('distance, area and a rectangle are measured by clicks and by keyboard', async (t) => {
  const page = await open(t, VIEW);
  await openTool(page, 'measure');
  for (const [x, y] of [[500, 350], [530, 310]]) {
    await page.mouse.click(x, y);
  }
  await page.waitForSelector('.result >> text=50 blocks');
  await page.check('.choice [value="area"]');
  await page.mouse.click(500, 310);
  await page.waitForSelector('.result >> text=600 square blocks');
  await page.locator('#map').focus();
  await page.keyboard.press('Backspace');
  await page.waitForSelector('.result >> text=50 blocks');
  await page.click('#tool-body >> text=Start again');
  await page.check('.choice [value="rectangle"]');
  await page.locator('#map').focus();
  await page.keyboard.press('Enter');
  await page.mouse.click(531, 365);
  await page.waitForSelector('.shares li');
  assert.equal(await page.textContent('.result .big'), '32 × 16 blocks');
  const shares = await page.$$eval('.shares li', (rows) =>
    rows.map((row) => [row.children[1].textContent, Number.parseFloat(row.children[2].textContent)]));
  const counts = new Map();
  const heights = [];
  const tile = await tileOf('tiles/demo/terrarium/18/131072/131072.png');
  const biomes = await tileOf('tiles/demo/biome/18/131072/131072.png');
  for (let z = 0; z < 16; z++) {
    for (let x = 0; x < 32; x++) {
      const at = 4 * (256 * z + x);
      const colour = [...biomes.data.subarray(at, at + 3)].join();
      counts.set(colour, (counts.get(colour) ?? 0) + 1);
      heights.push(tile.data[at] * 256 + tile.data[at + 1] + tile.data[at + 2] / 256 - 32768);
    }
  }
  assert.equal(shares.length, counts.size);
  assert.ok(Math.abs(shares[0][1] - (100 * Math.max(...counts.values())) / 512) < 0.6);
  const [picture, heights16] = await Promise.all(['Picture', 'Heights, 16-bit'].map(async (name) => {
    const link = page.getByRole('link', { name });
    const bytes = Buffer.from(await (await fetch(new URL(await link.getAttribute('href'), daemon.url))).arrayBuffer());
    return PNG.sync.read(bytes, { skipRescale: true });
  }));
  assert.deepEqual([picture.width, picture.height], [32, 16]);
  assert.deepEqual([...picture.data.subarray(0, 3)], [...biomes.data.subarray(0, 3)]);
  assert.deepEqual([heights16.width, heights16.height, heights16.depth], [32, 16, 16]);
  const highest = await page.textContent('.facts div:nth-child(3) dd');
  assert.ok(Math.abs(Number(highest) - Math.max(...heights)) < 0.06, highest);
  await page.keyboard.press('Escape');
  assert.ok(!(await page.isVisible('#tool')));
  assert.equal(await page.locator('.leaflet-overlay-pane path').count(), 0);
});

test('a rectangle is scored as far as its slopes can be seen, and of a larger one it is said', async (t) => {
  const page = await open(t, '#world=demo&layer=biome&x=0&z=0&zoom=15');
  await openTool(page, 'measure');
  await page.check('.choice [value="rectangle"]');
  await page.mouse.click(400, 300);
  await page.mouse.click(500, 400);
  await page.waitForSelector('.result >> text=Scores of the rectangle');
  const score = await fetchJson(`${daemon.url}api/worlds/demo/score?x0=-800&z0=-400&x1=1&z1=401`);
  const said = await page.locator('.result h3 + .facts dd').allTextContents();
  assert.deepEqual(said.slice(0, 2).map(Number.parseFloat), [score.access, score.build].map((share) => Math.round(100 * share)));
  await page.mouse.click(340, 10);
  await page.mouse.click(930, 690);
  await page.waitForSelector('.result >> text=Scores are for rectangles of at most 16,000,000 blocks.');
});

test('the saved picture is the view, pixel for pixel, with what lies on top', async (t) => {
  const page = await open(t, '#world=demo&layer=relief&x=29999940&z=-70&zoom=17&over=grid,contours,blending,border');
  await page.waitForSelector('.leaflet-overlay-pane path', { state: 'attached' });
  await openTool(page, 'picture');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.click('[data-do="save-picture"]'),
  ]);
  assert.equal(download.suggestedFilename(), 'demo_relief_x29999940_z-70_zoom17.png');
  const saved = PNG.sync.read(await readFile(await download.path()));
  assert.deepEqual([saved.width, saved.height], [1000, 700]);
  const shot = shotOf(await page.screenshot());
  const unlike = [];
  for (let y = 260; y < 610; y += 7) {
    for (let x = 380; x < 890; x += 5) {
      const at = 4 * (1000 * y + x);
      const [a, b] = [[...saved.data.subarray(at, at + 3)], shot(x, y).split(',').map(Number)];
      if (a.some((value, k) => Math.abs(value - b[k]) > 2)) {
        unlike.push({ x, y, a, b });
      }
    }
  }
  assert.deepEqual(unlike.slice(0, 5), []);
});

test('saved heights have 16 bits and say what they mean', async (t) => {
  const page = await open(t, VIEW);
  await openTool(page, 'picture');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.click('[data-do="save-heights"]'),
  ]);
  const bytes = await readFile(await download.path());
  const saved = PNG.sync.read(bytes, { skipRescale: true });
  assert.deepEqual([saved.width, saved.height, saved.depth], [1000, 700, 16]);
  const [, low, span] = /height = (-?\d+) \+ value \* (\d+) \/ 65535/.exec(bytes.toString('latin1'));
  const heightAt = (x, y) => Number(low) + (saved.data[4 * (1000 * y + x)] * Number(span)) / 65535;
  for (const [x, z] of [[-500, -350], [0, 0], [-1, 200], [499, 349]]) {
    const point = await fetchJson(`${daemon.url}api/worlds/demo/point?x=${x}&z=${z}`);
    assert.ok(Math.abs(heightAt(x + 500, z + 350) - point.height) < 0.01, `${x}, ${z}`);
  }
});

test('the lines to share lead where they say', async (t) => {
  const page = await open(t, '#world=demo&layer=relief&seed=a%20%26b&x=1&z=2&zoom=16');
  await openTool(page, 'share');
  const lines = await page.$$eval('[data-line]', (boxes) =>
    Object.fromEntries(boxes.map((box) => [box.dataset.line, box.value])));
  assert.equal(lines.link, page.url());
  const json = await fetchJson(lines.tilejson);
  const point = await fetchJson(`${daemon.url}api/worlds/demo/point?x=0&z=0&seed=a%20%26b`);
  assert.equal(json.seed, point.seed);
  const own = lines.tiles.replace('{z}', '16').replace('{x}', '32768').replace('{y}', '32768');
  const theirs = json.tiles[0].replace('{z}', '16').replace('{x}', '32768').replace('{y}', '32768');
  const [a, b] = await Promise.all([own, theirs].map(async (url) =>
    Buffer.from(await (await fetch(url)).arrayBuffer())));
  assert.ok(a.equals(b));
  const qgis = new URLSearchParams(lines.qgis);
  assert.equal(qgis.get('url'), lines.tiles);
  assert.match(new URLSearchParams(lines.terrain).get('url'), /\/terrarium\/\{z\}\/\{x\}\/\{y\}\.png\?seed=a%20%26b$/);
  assert.match(await (await fetch(lines.wmts)).text(), /<Capabilities/);
  const picture = PNG.sync.read(Buffer.from(await (await fetch(lines.static)).arrayBuffer()));
  assert.match(lines.legend, /\/legend\/demo\/relief\.png$/);
  assert.ok(PNG.sync.read(Buffer.from(await (await fetch(lines.legend)).arrayBuffer())).height > 100);
  const shot = shotOf(await page.screenshot());
  assert.deepEqual([picture.width, picture.height], [1000, 700]);
  for (let at = 0; at < 400; at++) {
    const [x, y] = [360 + ((at * 37) % 370), 20 + ((at * 53) % 660)];
    const pixel = [...picture.data.subarray(4 * (1000 * y + x), 4 * (1000 * y + x) + 3)];
    assert.equal(shot(x, y), pixel.join(), `${x}, ${y}`);
  }
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.click('[data-line="iframe"] + button');
  await page.waitForSelector('[data-line="iframe"] ~ [role="status"]:text("Copied")', { state: 'attached' });
  const frame = await page.evaluate(() => navigator.clipboard.readText());
  assert.equal(frame, lines.iframe);
  const [, source] = /src="([^"]+)"/.exec(frame);
  await page.goto(source.replaceAll('&amp;', '&'));
  await settled(page);
  assert.equal((await stateOf(page)).seed, 'a &b');
  assert.ok(await page.isVisible('#scale'));
  assert.ok(!(await page.isVisible('#panel')));
  assert.ok(!(await page.isVisible('#readout')));
  assert.match(await page.getAttribute('#opener', 'href'), /^\.\/#world=demo/);
});

test('the line for web pages works in a page of another origin', async (t) => {
  const page = await open(t, VIEW);
  await openTool(page, 'share');
  const frame = await page.inputValue('[data-line="iframe"]');
  const host = http.createServer((request, response) => {
    response.setHeader('Content-Type', 'text/html');
    response.end(request.url === '/' ? `<!doctype html><title>Host</title><link rel="icon" href="data:,">${frame}` : '');
  });
  await new Promise((resolve) => host.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    host.closeAllConnections();
    host.close();
  });
  const other = await (await browser.newContext()).newPage();
  t.after(() => other.context().close());
  await other.goto(`http://127.0.0.1:${host.address().port}/`);
  const inside = other.frameLocator('iframe');
  await inside.locator('html.ready').waitFor({ state: 'attached' });
  await inside.locator('.leaflet-tile-loaded').first().waitFor({ state: 'attached' });
  assert.ok(await inside.locator('#scale').isVisible());
  assert.ok(!(await inside.locator('#panel').isVisible()));
  const link = inside.locator('#opener');
  assert.equal(await link.getAttribute('target'), '_blank');
});

test('an embedded map shows what it is told to, also on a small screen', async (t) => {
  const page = await openPage(t, browser, `${daemon.url}?embed=1&show=readout,legend,nothing`, {
    hash: VIEW, viewport: { width: 420, height: 320 },
  });
  assert.ok(await page.isVisible('#readout'));
  assert.ok(await page.isVisible('#legend'));
  assert.ok(!(await page.isVisible('#what')));
  assert.ok(!(await page.isVisible('#buttons')));
});
