// Chromium, a page that keeps account of everything that went wrong in it, and questions to it.

import assert from 'node:assert/strict';
import { createRequire } from 'node:module';

import { root } from '../http/daemon.mjs';

const require = createRequire(`${root}web/package.json`);
const { chromium } = require('playwright-core');
export const { PNG } = require('pngjs');

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export function launch() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: FLAGS,
  });
}

/**
 * Opens `url` + `hash` and waits for the whole picture. At the end of the test the page must have
 * logged no error and asked no other host; `expected` is a pattern of errors that a test provokes.
 */
export async function openPage(t, browser, url, { hash = '', expected, wait = true, ...context } = {}) {
  const tab = await browser.newContext({
    viewport: { width: 1000, height: 700 },
    reducedMotion: 'reduce',
    ...context,
  });
  const page = await tab.newPage();
  const wrong = [];
  const note = (text) => expected?.test(text) || wrong.push(text);
  page.on('pageerror', (error) => note(`error: ${error.stack}`));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) {
      note(`console: ${message.text()} ${message.location().url}`);
    }
  });
  page.on('request', (request) => {
    const { protocol, host } = new URL(request.url());
    if (protocol !== 'data:' && host !== new URL(url).host) {
      note(`request to another host: ${request.url()}`);
    }
  });
  t.after(async () => {
    await tab.close();
    assert.deepEqual(wrong, []);
  });
  await page.goto(url + hash);
  if (wait) {
    await settled(page);
  }
  return page;
}

/** Waits until one layer is left, all of its tiles are there, and the read-out has its answer. */
export async function settled(page) {
  await page.waitForFunction(() => {
    const tiles = [...document.querySelectorAll('.leaflet-tile')];
    const busy = document.querySelector('#progress.busy, #readout[aria-busy="true"]');
    const maps = /[#&]compare=(side|swipe)(&|$)/.test(location.hash) ? 2 : 1;
    return (
      document.querySelectorAll('.leaflet-tile-pane').length === maps &&
      [...document.querySelectorAll('.leaflet-tile-pane')].every(
        (pane) => pane.querySelectorAll('.leaflet-layer').length === 1,
      ) &&
      tiles.length > 0 &&
      tiles.every((tile) => tile.complete !== false && tile.matches('.leaflet-tile-loaded')) &&
      !busy &&
      document.querySelector('#readout').hasAttribute('aria-busy')
    );
  });
}

/**
 * Milliseconds of the longest task on the main thread of a page while `act` runs, in time of the
 * processor: on a busy machine a task that only waits is no long one.
 */
export async function longestTask(page, act) {
  const browser = page.context().browser();
  await browser.startTracing(page, { categories: ['toplevel', 'devtools.timeline'] });
  await act();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString());
  const mains = traceEvents.filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain');
  const onMain = ({ pid, tid }) => mains.some((main) => main.pid === pid && main.tid === tid);
  const tasks = traceEvents.filter((event) => event.name === 'ThreadControllerImpl::RunTask' && onMain(event));
  assert.ok(tasks.length > 100, `${tasks.length} tasks were seen`);
  return Math.max(...tasks.map(({ tdur = 0 }) => tdur)) / 1000;
}

/** The state in the URL hash, numbers as numbers. */
export async function stateOf(page) {
  const hash = new URL(page.url()).hash.slice(1);
  const state = Object.fromEntries(new URLSearchParams(hash.replaceAll('+', '%2B')));
  for (const key of ['x', 'z', 'zoom']) {
    state[key] = Number(state[key]);
  }
  return state;
}

export async function waitForState(page, wanted) {
  await page.waitForFunction((pairs) => {
    const parts = location.hash.slice(1).split('&');
    return pairs.every((pair) => parts.includes(pair));
  }, Object.entries(wanted).map(([key, value]) => `${key}=${encodeURIComponent(value)}`));
}

/** The hash without the version of the world. */
export function hashOf(page) {
  return new URL(page.url()).hash.replace(/&v=[^&]*/, '');
}

/** What the read-out says, once it has an answer. */
export async function readOut(page) {
  await page.waitForSelector('#readout[aria-busy="false"]');
  return page.evaluate(() => {
    const readout = document.querySelector('#readout');
    const text = (part) => readout.querySelector(`[data-part="${part}"]`).textContent;
    return {
      title: text('title'),
      x: Number(text('x')),
      z: Number(text('z')),
      xText: text('x'),
      zText: text('z'),
      biome: text('biome'),
      height: Number(text('height')),
      above: text('above'),
      swatch: getComputedStyle(readout.querySelector('.swatch')).backgroundColor,
      weights: [...readout.querySelectorAll('.weights li')].map((row) => ({
        name: row.querySelector('.weight-name').textContent,
        share: row.querySelector('.weight-share').textContent,
      })),
    };
  });
}

/** The colours that the window has now, on a screen of a pixel a CSS pixel: (x, y) gives "rgb(r, g, b)". */
export async function pixelsOf(page) {
  const { data, width } = PNG.sync.read(await page.screenshot());
  return (x, y) => `rgb(${[...data.subarray(4 * (y * width + x), 4 * (y * width + x) + 3)].join(', ')})`;
}

/** The colour of one CSS pixel of the window, "rgb(r, g, b)". */
export async function pixelAt(page, x, y) {
  const shot = await page.screenshot({ clip: { x, y, width: 1, height: 1 } });
  const [red, green, blue] = PNG.sync.read(shot).data;
  return `rgb(${red}, ${green}, ${blue})`;
}

export function tileUrls(page) {
  return page.evaluate(() => [...document.querySelectorAll('img.leaflet-tile')].map((tile) => tile.src));
}

export async function fetchJson(url) {
  const response = await fetch(url);
  assert.equal(response.status, 200, url);
  return response.json();
}
