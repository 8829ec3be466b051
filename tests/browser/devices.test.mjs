// The page on phones, on screens of high density, by day and night, behind a proxy.

import assert from 'node:assert/strict';
import http from 'node:http';
import { after, before, test } from 'node:test';

import { startDaemon } from '../http/daemon.mjs';
import { fetchJson, launch, openPage, pixelAt, readOut, settled, stateOf, tileUrls, waitForState }
  from './browser.mjs';

const AA = 4.5;

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

const phone = {
  viewport: { width: 360, height: 740 },
  deviceScaleFactor: 2,
  hasTouch: true,
  isMobile: true,
};
const open = (t, hash, options) => openPage(t, browser, daemon.url, { hash, ...options });

/** Contrast of every piece of text with the nearest background behind it, by WCAG's formula. */
function contrasts(page) {
  return page.evaluate(() => {
    const channels = (colour) => colour.match(/[\d.]+/g).map(Number);
    const luminance = (colour) => {
      const [red, green, blue] = channels(colour)
        .slice(0, 3)
        .map((value) => value / 255)
        .map((value) => (value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    const solid = (colour) => (channels(colour)[3] ?? 1) === 1;
    const ground = (element) => {
      for (let at = element; at; at = at.parentElement) {
        const colour = getComputedStyle(at).backgroundColor;
        if (solid(colour)) {
          return colour;
        }
      }
      return 'rgb(255, 255, 255)';
    };
    const texts = [...document.querySelectorAll('body *')].filter(
      (element) =>
        element.checkVisibility() &&
        !element.closest('.unseen, option') &&
        [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== ''),
    );
    return [...texts, ...document.querySelectorAll('input, select')].map((element) => {
      const [a, b] = [getComputedStyle(element).color, ground(element)].map(luminance);
      const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
      return { text: element.textContent.trim().slice(0, 40), ratio };
    });
  });
}

for (const scheme of ['light', 'dark']) {
  for (const [width, height] of [[360, 740], [768, 1024], [1440, 900], [2560, 1440]]) {
    test(`at ${width} pixels, ${scheme}: nothing sticks out, every text is readable`, async (t) => {
      const device = width === 360 ? phone : { viewport: { width, height } };
      // What is over the map, not the map: nobody waits for its tiles, of which the widest has a hundred.
      const page = await open(t, '', { ...device, colorScheme: scheme, wait: false });
      await page.waitForSelector('#readout[aria-busy="false"]');
      if (width === 360) {
        await page.click('[data-do="fold"]');
      }
      await page.waitForSelector('#legend[aria-busy="false"]');
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.equal(overflow, width);
      const outside = await page.evaluate(() =>
        [...document.querySelectorAll('#dock, #readout, #buttons, #scale, button, select, input')]
          .filter((element) => element.checkVisibility())
          .map((element) => ({ id: element.id, box: element.getBoundingClientRect() }))
          .filter(({ box }) => box.left < 0 || box.right > innerWidth || box.top < 0)
          .map(({ id }) => id),
      );
      assert.deepEqual(outside, []);
      const texts = await contrasts(page);
      assert.ok(texts.length > 15, `${texts.length} texts`);
      assert.deepEqual(texts.filter(({ ratio }) => ratio < AA), []);
    });
  }
}

test('on a phone the sheet is folded and its controls are as large as fingers', async (t) => {
  const page = await open(t, '#world=demo&layer=biome&x=0&z=0&zoom=18', phone);
  assert.ok(!(await page.isVisible('#seed')));
  const map = await page.evaluate(() => document.querySelector('#dock').offsetHeight / innerHeight);
  assert.ok(map < 0.15, `the folded sheet covers ${map} of the screen`);
  await page.tap('[data-do="fold"]');
  assert.ok(await page.isVisible('#seed'));
  const small = await page.evaluate(() =>
    [...document.querySelectorAll('button, select, input')]
      .filter((element) => element.checkVisibility())
      .map((element) => element.closest('label') ?? element)
      .map((element) => [element.getAttribute('aria-label') ?? element.id, element.offsetHeight])
      .filter(([, height]) => height < 44),
  );
  assert.deepEqual(small, []);
  await page.selectOption('#layer', 'relief');
  await waitForState(page, { layer: 'relief' });
  await page.tap('[data-do="fold"]');
  assert.ok(!(await page.isVisible('#seed')));
  await settled(page);
});

test('on a phone on its side nothing that can be pressed is covered', async (t) => {
  const page = await open(t, '#world=overworld&layer=biome&x=0&z=0&zoom=16', { ...phone, viewport: { width: 740, height: 360 } });
  const covered = await page.evaluate(() => [...document.querySelectorAll('#buttons button')].filter((button) => {
    const { x, y, width, height } = button.getBoundingClientRect();
    return !button.contains(document.elementFromPoint(x + width / 2, y + height / 2));
  }).map((button) => button.dataset.do));
  assert.deepEqual(covered, []);
});

test('a tap reads out the block under the finger, with its colour', async (t) => {
  const page = await open(t, '#world=demo&layer=biome&x=0&z=0&zoom=18', phone);
  await page.touchscreen.tap(100, 200);
  await page.waitForSelector('.mark');
  const read = await readOut(page);
  assert.deepEqual([read.title, read.x, read.z], ['At the mark', -80, -170]);
  const point = await fetchJson(`${daemon.url}api/worlds/demo/point?x=-80&z=-170`);
  assert.equal(read.biome, point.biome.name);
  assert.equal(await pixelAt(page, 100, 200), read.swatch);
});

test('a long press reads out too', async (t) => {
  const page = await open(t, '#world=demo&layer=biome&x=0&z=0&zoom=18', phone);
  const client = await page.context().newCDPSession(page);
  const touch = (type, touchPoints) => client.send('Input.dispatchTouchEvent', { type, touchPoints });
  await touch('touchStart', [{ x: 250, y: 150 }]);
  await page.waitForSelector('.mark', { timeout: 5000 });
  await touch('touchEnd', []);
  const read = await readOut(page);
  assert.deepEqual([read.title, read.x, read.z], ['At the mark', 70, -220]);
});

test('a finger drags the map', async (t) => {
  const page = await open(t, '#world=demo&layer=biome&x=0&z=0&zoom=18', phone);
  const client = await page.context().newCDPSession(page);
  const touch = (type, touchPoints) => client.send('Input.dispatchTouchEvent', { type, touchPoints });
  await touch('touchStart', [{ x: 250, y: 300 }]);
  for (let step = 1; step <= 10; step++) {
    await touch('touchMove', [{ x: 250 - 5 * step, y: 300 + 4 * step }]);
  }
  await touch('touchEnd', []);
  await page.waitForFunction(() => !location.hash.includes('&x=0&'));
  const state = await stateOf(page);
  assert.ok(Math.abs(state.x - 50) <= 6 && Math.abs(state.z + 40) <= 6, `${state.x} ${state.z}`);
  await settled(page);
});

const fingers = async (page) => {
  const client = await page.context().newCDPSession(page);
  return (type, touchPoints) => client.send('Input.dispatchTouchEvent', { type, touchPoints });
};

/** How each map scales and places what it shows now. */
const looks = (page) => page.$$eval('.map', (maps) => maps.map((map) => {
  const tile = map.querySelector('.leaflet-tile-loaded').getBoundingClientRect();
  const { x, y, width, height } = map.getBoundingClientRect();
  const src = map.querySelector('.leaflet-tile-loaded').getAttribute('src');
  return { width: tile.width, src, x: tile.x - x - width / 2, y: tile.y - y - height / 2 };
}));

test('in a comparison on a phone the other map follows a pinch while it lasts, and stays with the first', async (t) => {
  const page = await open(t, '#world=demo&layer=biome&x=0&z=0&zoom=16&compare=side&world2=demo&layer2=biome', {
    ...phone, reducedMotion: 'no-preference',
  });
  const touch = await fingers(page);
  const apart = (gap) => [{ x: 180 - gap, y: 160, id: 1 }, { x: 180 + gap, y: 160, id: 2 }];
  await touch('touchStart', apart(40));
  for (let gap = 44; gap <= 72; gap += 4) {
    await touch('touchMove', apart(gap));
    await page.waitForTimeout(20);
  }
  const [first, second] = await looks(page);
  assert.ok(first.width > 1.4 * 256, `${first.width}`);
  assert.ok(Math.abs(first.width - second.width) < 1, `${first.width} ${second.width}`);
  await touch('touchMove', apart(90));
  await touch('touchEnd', []);
  await page.waitForFunction(() => /&zoom=17&/.test(location.hash));
  await settled(page);
  // Once the tiles of the zoom before have gone, which a slow machine takes its time for.
  await page.waitForFunction(() => {
    const [first, second] = ['#map', '.map-other'].map((map) =>
      [...document.querySelectorAll(`${map} .leaflet-tile`)].map((tile) => new URL(tile.src).pathname).sort()[0]);
    return first === second && first.includes('/17/');
  });
});

test('on a phone a rectangle is measured by two taps, with the map in sight and the result to read', async (t) => {
  const page = await open(t, '#world=demo&layer=biome&x=0&z=0&zoom=18', phone);
  await page.tap('[data-do="fold"]');
  await page.tap('[data-tool="measure"]');
  await page.tap('.choice label:has([value="rectangle"])');
  const dock = await page.locator('#dock').boundingBox();
  assert.ok(dock.y > 0.4 * phone.viewport.height, `${dock.y} pixels of the map are left`);
  await page.touchscreen.tap(100, 100);
  await page.touchscreen.tap(159, 179);
  await page.waitForSelector('.result .facts');
  assert.equal(await page.textContent('.result .big'), '60 × 80 blocks');
  await page.locator('.result .big').scrollIntoViewIfNeeded();
  const result = await page.locator('.result .big').boundingBox();
  assert.ok(result.y > dock.y && result.y + result.height <= phone.viewport.height, JSON.stringify(result));
  await page.tap('[data-do="fold"]');
  assert.equal(await page.locator('.leaflet-overlay-pane path').count() > 0, true);
});

test('the border of a swipe moves by finger and by keyboard, and both sides are in reach on a phone', async (t) => {
  const page = await open(t, '#world=demo&layer=biome&x=0&z=0&zoom=16&compare=swipe&world2=demo&layer2=relief', phone);
  const touch = await fingers(page);
  await touch('touchStart', [{ x: 180, y: 370 }]);
  await touch('touchMove', [{ x: 150, y: 372 }]);
  await touch('touchMove', [{ x: 90, y: 380 }]);
  await touch('touchEnd', []);
  await page.waitForFunction(() => /&split=25(&|$)/.test(location.hash));
  await page.keyboard.press('End');
  await page.waitForFunction(() => /&split=100(&|$)/.test(location.hash));
  const knob = await page.locator('.split-knob').boundingBox();
  assert.ok(knob.x < 360, 'the knob stays in reach');
  await page.touchscreen.tap(100, 200);
  await page.waitForSelector('#map .mark');
  assert.deepEqual(await page.evaluate(() => [scrollX, scrollY, document.documentElement.scrollWidth]), [0, 0, 360]);
});

test('side by side on a phone both maps are whole above the sheet', async (t) => {
  const page = await open(t, '#world=demo&layer=biome&x=0&z=0&zoom=16&compare=side&world2=demo&layer2=relief', phone);
  const [a, b, dock] = await Promise.all(['#map', '.map-other', '#dock'].map((part) => page.locator(part).boundingBox()));
  assert.ok(Math.abs(a.height - b.height) <= 2 && a.y + a.height <= b.y, JSON.stringify([a, b]));
  assert.ok(b.y + b.height <= dock.y + 20, JSON.stringify([b, dock]));
  await page.touchscreen.tap(200, Math.round(b.y + b.height / 2));
  await page.waitForSelector('.map-other .mark');
  assert.match(await page.textContent('#readout-title'), /second map/);
});

test('a screen of high density gets tiles of twice the pixels at the same zoom', async (t) => {
  const page = await open(t, '#world=demo&layer=biome&x=300&z=-200&zoom=16', {
    viewport: { width: 800, height: 600 },
    deviceScaleFactor: 2,
  });
  const urls = await tileUrls(page);
  assert.ok(urls.every((url) => /\/16\/\d+\/\d+@2x\.png/.test(url)), urls[0]);
  const size = await page.$eval('.leaflet-tile', (tile) => [tile.naturalWidth, tile.offsetWidth]);
  assert.deepEqual(size, [512, 256]);
  for (const [x, y] of [[390, 150], [401, 299], [620, 460]]) {
    await page.mouse.move(x, y);
    const read = await readOut(page);
    const shot = await pixelAt(page, x, y);
    assert.equal(shot, read.swatch, `${x}, ${y}`);
    const point = await fetchJson(
      `${daemon.url}api/worlds/demo/point?x=${read.x}&z=${read.z}&zoom=16&scale=2`,
    );
    assert.deepEqual([read.x, read.z], [point.sampled.x, point.sampled.z]);
    assert.equal(read.biome, point.biome.name);
  }
});

/** Passes on what lies under `prefix`, without it; everything else is 404. */
async function startProxy(t, prefix, target) {
  const proxy = http.createServer((request, response) => {
    if (!request.url.startsWith(prefix)) {
      response.writeHead(404).end();
      return;
    }
    const onward = new URL(request.url.slice(prefix.length), target);
    const passed = http.request(onward, { method: request.method, headers: request.headers }, (answer) => {
      response.writeHead(answer.statusCode, answer.headers);
      answer.pipe(response);
    });
    passed.on('error', () => response.destroy());
    request.pipe(passed);
  });
  await new Promise((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  return `http://127.0.0.1:${proxy.address().port}${prefix}`;
}

test('behind a proxy that strips a prefix everything stays under the prefix', async (t) => {
  const url = await startProxy(t, '/maps/ecotone/', daemon.url);
  const page = await openPage(t, browser, url, { hash: '#world=demo&layer=relief&x=0&z=0&zoom=17' });
  assert.ok((await tileUrls(page)).every((tile) => tile.startsWith(`${url}tiles/demo/relief/`)));
  await page.mouse.move(600, 300);
  assert.notEqual((await readOut(page)).biome, '');
  await page.selectOption('#layer', 'biome');
  await settled(page);
});
