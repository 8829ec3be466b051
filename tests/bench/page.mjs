// How fast the page is: the first view of the first world at 1440x900, cold and warm, and its tasks.
//
//   node tests/bench/page.mjs [TIMES]      (after make; ECOTONE names another binary)
//
// Milliseconds from the start of the navigation until every tile of the view is there. Cold: nothing
// was rendered yet. Warm: the server has the tiles, the browser has nothing. Again: the browser has
// been here before. Medians of TIMES, 7 without a number.

import { startDaemon } from '../http/daemon.mjs';
import { launch, longestTask, settled } from '../browser/browser.mjs';

const VIEWPORT = { width: 1440, height: 900 };
const times = Number(process.argv[2] ?? 7);

/** Runs in the page from its beginning: when all tiles of a first view were there. */
function watch() {
  const look = () => {
    const tiles = [...document.querySelectorAll('img.leaflet-tile')];
    if (tiles.length > 0 && tiles.every(({ complete, naturalWidth }) => complete && naturalWidth > 0)) {
      window.tilesThere = performance.now();
    } else {
      requestAnimationFrame(look);
    }
  };
  requestAnimationFrame(look);
}

async function visit(context, url) {
  const page = await context.newPage();
  await page.addInitScript(watch);
  await page.goto(url);
  const time = await (await page.waitForFunction(() => window.tilesThere)).jsonValue();
  await settled(page);
  await page.close();
  return time;
}

function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  return Math.round(sorted[Math.floor(sorted.length / 2)]);
}

/** `run` as often as asked, each with a browser context of its own. */
async function repeat(browser, run) {
  const found = [];
  for (let time = 0; time < times; time++) {
    const context = await browser.newContext({ viewport: VIEWPORT });
    found.push(await run(context));
    await context.close();
  }
  return median(found);
}

const browser = await launch();
const cold = await repeat(browser, async (context) => {
  const daemon = await startDaemon();
  const time = await visit(context, daemon.url);
  await daemon.stop();
  return time;
});
const daemon = await startDaemon();
await repeat(browser, (context) => visit(context, daemon.url));
const warm = await repeat(browser, (context) => visit(context, daemon.url));
const context = await browser.newContext({ viewport: VIEWPORT });
const again = [];
for (let time = 0; time < times; time++) {
  again.push(await visit(context, daemon.url));
}
const page = await context.newPage();
const task = await longestTask(page, async () => {
  await page.goto(daemon.url);
  await settled(page);
});
console.log(JSON.stringify({ cold, warm, again: median(again), longest_task_cpu: Math.round(task) }));
await browser.close();
await daemon.stop();
