// Pictures of the page, for looking at and for the README: four widths, light and dark, in three
// languages into build/screenshots, and a few of them, small, into web/pictures.
//
//   node tests/browser/screens.mjs          (after make; ECOTONE names another binary)

import { mkdir, readFile, writeFile } from 'node:fs/promises';

import { root, startDaemon } from '../http/daemon.mjs';
import { launch, settled } from './browser.mjs';

const OUT = `${root}build/screenshots`;
const KEPT = `${root}web/pictures`;
const SIZES = [
  { width: 360, height: 740, scale: 2 },
  { width: 768, height: 1024, scale: 1 },
  { width: 1440, height: 900, scale: 1 },
  { width: 2560, height: 1440, scale: 1 },
];
const MODES = ['light', 'dark'];
const LANGUAGES = ['en', 'de', 'ru'];

/** What is seen beside the plain map: a comparison, a measured rectangle, and a sheet pulled up. */
const SCENES = {
  page: {
    size: SIZES[2], mode: 'light', language: 'en',
    hash: '#world=overworld&layer=relief&zoom=14&x=1500&z=-300&over=grid,rivers&compare=swipe' +
      '&world2=overworld&layer2=temperature&split=62',
    act: () => {},
  },
  compare: {
    size: SIZES[2], mode: 'light', language: 'en',
    hash: '#world=demo&layer=blend&zoom=18&compare=swipe&world2=demo&layer2=blend&blend2=none',
    act: (page) => page.click('[data-tool="compare"]'),
  },
  measure: {
    size: SIZES[2], mode: 'dark', language: 'de', hash: '',
    async act(page) {
      await page.click('[data-tool="measure"]');
      await page.check('.choice [value="rectangle"]');
      await page.mouse.click(620, 300);
      await page.mouse.click(860, 540);
      await page.waitForSelector('.result h3');
    },
  },
  sheet: {
    size: SIZES[0], mode: 'dark', language: 'ru', hash: '',
    act: (page) => page.tap('[data-do="fold"]'),
  },
};

async function open(browser, url, { size, mode, language, hash = '' }) {
  const touch = size.width < 720;
  const context = await browser.newContext({
    viewport: { width: size.width, height: size.height }, deviceScaleFactor: size.scale,
    colorScheme: mode, locale: language, hasTouch: touch, isMobile: touch, reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  await page.goto(url + hash);
  await settled(page);
  await page.waitForSelector('#legend[aria-busy="false"]', { state: 'attached' });
  return page;
}

/** All pictures of one mode and the languages in turn on one sheet, as JPEG. */
async function sheet(browser, names) {
  const page = await browser.newPage({ viewport: { width: 1508, height: 100 } });
  const pictures = await Promise.all(names.map((name) => readFile(`${OUT}/${name}.png`, 'base64')));
  await page.setContent(`<body style="margin:20px;background:#8a938f"><div id="all" style="display:grid;gap:20px;
    grid-template-columns:150px 226px 480px 532px;align-items:start">
    ${pictures.map((data) => `<img style="width:100%" src="data:image/png;base64,${data}">`).join('')}</div>`);
  await page.screenshot({ path: `${OUT}/page-sizes.png`, fullPage: true });
  const bytes = await page.screenshot({ type: 'jpeg', quality: 78, fullPage: true });
  await page.close();
  return bytes;
}

async function main() {
  await mkdir(OUT, { recursive: true });
  const daemon = await startDaemon();
  const browser = await launch();
  for (const size of SIZES) {
    for (const mode of MODES) {
      for (const language of LANGUAGES) {
        const page = await open(browser, daemon.url, { size, mode, language });
        await page.screenshot({ path: `${OUT}/page-${size.width}-${mode}-${language}.png` });
        await page.context().close();
      }
    }
  }
  for (const [name, scene] of Object.entries(SCENES)) {
    const page = await open(browser, daemon.url, scene);
    await scene.act(page);
    await page.waitForTimeout(500);
    await page.screenshot({ path: `${OUT}/${name}.png` });
    if (name === 'page') {
      await page.screenshot({ path: `${KEPT}/page.jpg`, type: 'jpeg', quality: 80 });
    }
    await page.context().close();
  }
  const names = MODES.flatMap((mode, row) => SIZES.map(({ width }, at) =>
    `page-${width}-${mode}-${LANGUAGES[(row + at) % LANGUAGES.length]}`));
  await writeFile(`${KEPT}/page-sizes.jpg`, await sheet(browser, names));
  await browser.close();
  await daemon.stop();
}

await main();
