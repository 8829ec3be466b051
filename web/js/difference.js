// Where two pictures differ: a layer over the map, and how much it is in the view.

import { tileTemplate, tileUrl } from './api.js';
import { HALF, NATIVE_ZOOM } from './geometry.js';
import { formatShare, t } from './i18n.js';
import { tileOptions } from './map.js';
import { PixelLayer } from './canvases.js';
import { areaPixels, heightOf, TILE, viewBlocks, wordOf } from './pixels.js';
import { changed } from './state.js';

const REST = 350; // milliseconds without a move before the view is counted
const REST_FAILED = 4000;
const STEP = 0.5; // blocks of height that count as a change

const SAME = 0xa0141414;
/** What the colours of the layer mean. */
export const DIFFERENCE_COLOURS = { biome: '#e02ac0', height: '#ffc840' };
const OTHER_BIOME = wordOf(DIFFERENCE_COLOURS.biome, 0xe0);
const HIGHER = wordOf(DIFFERENCE_COLOURS.height, 0); // the alpha grows with the step
const STEP_FULL = 32;

function names(world) {
  return new Map(world.biomes.map(({ colour, name }) => [wordOf(colour), name]));
}

/** A function that says whether two words of biome tiles stand for biomes of other names. */
function createJudge(a, b) {
  const [first, second] = [names(a), names(b)];
  return (wordA, wordB) => first.get(wordA) !== second.get(wordB);
}

/** Adds to `sum` the pixels, those that changed, those of another biome, and the largest step of height. */
export function countDifference([biomeA, biomeB, heightA, heightB], differs, sum) {
  let { changed: changedCount, biomes, step } = sum;
  for (let at = 0; at < biomeA.length; at++) {
    const other = differs(biomeA[at], biomeB[at]);
    const rise = Math.abs(heightOf(heightA[at]) - heightOf(heightB[at]));
    biomes += other;
    changedCount += other || rise >= STEP;
    step = Math.max(step, rise);
  }
  return { pixels: sum.pixels + biomeA.length, changed: changedCount, biomes, step };
}

function paint(pixels, target, differs) {
  const [biomeA, biomeB, heightA, heightB] = pixels.map(({ words }) => words);
  for (let at = 0; at < biomeA.length; at++) {
    const rise = Math.abs(heightOf(heightA[at]) - heightOf(heightB[at]));
    if (differs(biomeA[at], biomeB[at])) {
      target.words[at] = OTHER_BIOME;
    } else if (rise >= STEP) {
      const alpha = 90 + Math.min(140, Math.round((140 * rise) / STEP_FULL));
      target.words[at] = ((alpha << 24) | HIGHER) >>> 0;
    } else {
      target.words[at] = SAME;
    }
  }
}

/** A rectangle in rows of tiles, so that never all of it is in memory. */
export function stripsOf({ x0, z0, x1, z1 }, zoom) {
  const side = TILE * 2 ** (NATIVE_ZOOM - zoom);
  const strips = [];
  for (let row = Math.floor((z0 + HALF) / side); row * side - HALF < z1; row++) {
    const top = row * side - HALF;
    strips.push({ x0, x1, z0: Math.max(z0, top), z1: Math.min(z1, top + side) });
  }
  return strips;
}

function sidesOf(store) {
  return [store.picture(), store.picture2()];
}

function hasBoth({ layers }) {
  return ['biome', 'terrarium'].every((wanted) => layers.some(({ name }) => name === wanted));
}

/** What both sides are asked for, in the order that `paint` and `countDifference` take it. */
function sourcesOf(sides) {
  return ['biome', 'terrarium'].flatMap((layer) => sides.map((side) => ({ ...side, layer })));
}

function createLayer(sides) {
  const templates = sourcesOf(sides).map(tileTemplate);
  const differs = createJudge(...sides.map(({ world }) => world));
  return new PixelLayer({
    ...tileOptions(sides[0].world),
    pane: 'difference',
    sources: (coords) => templates.map((template) => tileUrl(template, coords)),
    paint: (pixels, target) => paint(pixels, target, differs),
  });
}

/** Sums up a view; null as soon as `current()` is false. */
async function countView(sides, blocks, zoom, current) {
  const differs = createJudge(...sides.map(({ world }) => world));
  let sum = { pixels: 0, changed: 0, biomes: 0, step: 0 };
  for (const strip of stripsOf(blocks, zoom)) {
    const found = await Promise.all(sourcesOf(sides).map((side) => areaPixels(side, strip, zoom)));
    if (!current()) {
      return null;
    }
    sum = countDifference(found.map(({ words }) => words), differs, sum);
  }
  return sum;
}

export function createDifference(map, store, tell) {
  let layer = null;
  let timer = 0;
  let count = 0;

  async function recount() {
    const mine = ++count;
    const sides = sidesOf(store);
    // Farther zooms know nothing of blending: what is counted are the pixels that are shown.
    const zoom = Math.min(NATIVE_ZOOM, map.getZoom());
    try {
      const sum = await countView(sides, viewBlocks(map), zoom, () => mine === count && layer);
      if (sum) {
        tell(t('diff.result', {
          changed: formatShare(sum.changed / sum.pixels),
          biomes: formatShare(sum.biomes / sum.pixels),
          step: Math.round(sum.step),
        }));
      }
    } catch {
      plan(REST_FAILED);
    }
  }

  function plan(wait = REST) {
    count++;
    clearTimeout(timer);
    if (layer) {
      timer = setTimeout(recount, wait);
    }
  }

  function show({ compare }) {
    layer?.remove();
    layer = null;
    count++;
    if (compare === 'diff') {
      const sides = sidesOf(store);
      const possible = sides.every(({ world }) => hasBoth(world));
      tell(t(possible ? 'diff.counting' : 'diff.impossible'));
      if (possible) {
        layer = createLayer(sides).addTo(map);
        plan();
      }
    }
  }

  map.createPane('difference').style.zIndex = 245;
  map.on('moveend resize', () => plan());
  return {
    update(state, before) {
      if (changed(['compare', 'world', 'seed', 'blend', 'world2', 'seed2', 'blend2'], state, before)) {
        show(state);
      }
    },
  };
}
