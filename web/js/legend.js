// The biomes of the world with their share of the view: to find, to highlight, to hide, to go to.

import { fetchNearest } from './api.js';
import { apartColours, closePairs } from './colours.js';
import { element as make, option, tallField, whenIdle } from './dom.js';
import { nameOf, t } from './i18n.js';
import { keyOf } from './legend-key.js';
import { createChosen, createList } from './legend-list.js';
import { createMask } from './mask.js';
import { areaPixels, countingZoom, countWords, viewBlocks, wordOf } from './pixels.js';
import { changed, layerOf } from './state.js';
import { swatch } from './swatch.js';

const REST = 350; // milliseconds without a move before the view is counted
const REST_FAILED = 4000;
const COUNTED_MOST = 160000; // pixels
const PAIRS_SHOWN = 8;
const WITHIN = 8192; // blocks that the server looks through; beyond, coarse tiles have to do
const NEAR_ZOOM = 16;

/** Shares of the biomes of a view by id, from the pixels of its biome tiles. */
async function shares(map, picture, zoom) {
  const { world } = picture;
  const blocks = viewBlocks(map);
  const at = countingZoom(blocks, zoom, world.minzoom, COUNTED_MOST);
  const { words } = await areaPixels({ ...picture, layer: 'biome' }, blocks, at);
  const counts = countWords(words);
  return new Map(
    world.biomes.map(({ id, colour }) => [id, (counts.get(wordOf(colour)) ?? 0) / words.length]),
  );
}

/** Counts the view once it rests, and tells; gives a function that plans the next count. */
function createCounter(map, store, { busy, tell }) {
  let timer = 0;
  let count = 0;

  async function recount() {
    const mine = ++count;
    if (!store.world().layers.some(({ name }) => name === 'biome')) {
      return;
    }
    try {
      const found = await shares(map, store.picture(), store.get().zoom);
      if (mine === count) {
        busy(false);
        tell(found);
      }
    } catch {
      plan(REST_FAILED);
    }
  }

  function plan(wait = REST) {
    count++;
    busy(true);
    clearTimeout(timer);
    timer = setTimeout(recount, wait);
  }

  map.on('moveend resize', () => plan());
  return plan;
}

async function goToNearest(store, say, id) {
  const state = store.get();
  const world = store.world();
  const biome = world.biomes.find((each) => each.id === id);
  const name = nameOf(biome);
  say(t('nearest.looking', { name }));
  try {
    const question = { biome: id, x: state.x, z: state.z, within: WITHIN, seed: state.seed };
    const { nearest } = await fetchNearest(world, question);
    const { nearestOnTiles } = await import('./nearest.js');
    const place = nearest ?? await nearestOnTiles({ world, seed: state.seed }, biome, state);
    const moved = store.get() !== state;
    say(moved || place ? '' : t('nearest.none', { name }));
    if (!moved && place) {
      store.set({ x: place.x, z: place.z, zoom: Math.max(state.zoom, NEAR_ZOOM) });
    }
  } catch (error) {
    say(error.message);
  }
}

function closeColours(world, colourOf) {
  const pairs = closePairs(world.biomes.map((biome) => ({ biome, colour: colourOf(biome) })));
  const rows = pairs.slice(0, PAIRS_SHOWN).map(({ a, b, eyes }) =>
    make('li', {}, swatch(colourOf(a)), swatch(colourOf(b)),
      t('legend.close.pair', { a: nameOf(a), b: nameOf(b), eyes: t(`eyes.${eyes}`) })));
  const rest = pairs.length - rows.length;
  if (rest > 0) {
    rows.push(make('li', {}, t('more', { count: rest })));
  }
  return pairs.length === 0
    ? make('p', { class: 'hint', 'data-part': 'close' }, t('legend.close.none'))
    : make('details', { class: 'close', 'data-part': 'close' },
        make('summary', {}, t('legend.close', { count: pairs.length })), make('ul', {}, ...rows));
}

/** The choice between the colours of the world and those for all eyes, and what is close in them. */
function createPalette(store) {
  const select = make('select', {}, option('', t('palette.world')), option('apart', t('palette.apart')));
  const close = make('div', {});
  const isApart = () => store.get().palette === 'apart';
  const colourOf = (biome, world = store.world()) =>
    (isApart() && apartColours(world).get(biome.id)) || biome.colour;

  select.addEventListener('change', () => {
    store.set(select.value ? { palette: 'apart', layer: 'biome' } : { palette: null });
  });
  return {
    elements: [tallField(t('palette.name'), select), close],
    isApart,
    colourOf,
    show() {
      const { world, palette } = store.get();
      select.value = palette ?? '';
      whenIdle(() => {
        if (world === store.get().world && palette === store.get().palette) {
          close.replaceChildren(closeColours(store.world(), (biome) => colourOf(biome)));
        }
      });
    },
  };
}

/** Masks over maps: what is lit, hidden or painted in other colours. */
function createMasks(chosen, palette) {
  const masks = new Set();
  const recolour = ({ world, layer }) =>
    palette.isApart() && layer === 'biome' ? (biome) => palette.colourOf(biome, world) : null;
  return {
    update: () => masks.forEach((mask) => mask.update()),
    /** Gives { update, end }. */
    attach(map, picture) {
      const mask = createMask(map, { picture, chosen, recolour });
      masks.add(mask);
      mask.update();
      return { update: mask.update, end: () => masks.delete(mask) && mask.remove() };
    },
  };
}

function keepInStep(store, { key, list, palette, plan, mark, reset }) {
  store.subscribe((state, before) => {
    const fresh = (...keys) => changed(keys, state, before);
    if (fresh('world')) {
      reset();
      list.search.value = '';
    }
    if (fresh('world', 'layer')) {
      key.replaceChildren(...keyOf(store.world(), layerOf(store.world(), state.layer)));
    }
    if (fresh('world', 'palette')) {
      palette.show();
      list.build(store.world(), palette.colourOf);
    }
    if (fresh('world', 'seed', 'blend')) {
      plan();
    }
    if (fresh('world', 'seed', 'blend', 'layer', 'palette')) {
      mark();
    }
  });
}

/** Gives { colourOf, attach, search, highlight }: `attach` masks another map, too. */
export function createLegend(element, map, store, say) {
  const chosen = createChosen();
  const palette = createPalette(store);
  const masks = createMasks(chosen, palette);
  const key = make('div', {});
  const clear = make('button', { type: 'button', class: 'chip', hidden: true }, t('legend.clear'));
  let found = new Map(); // shares by biome id

  const list = createList({
    chosen,
    shareOf: (id) => found.get(id),
    act(what, id) {
      if (what === 'nearest') {
        goToNearest(store, say, id);
      } else {
        chosen[what](id);
        mark();
      }
    },
  });
  const plan = createCounter(map, store, {
    busy: (busy) => element.setAttribute('aria-busy', String(busy)),
    tell(counted) {
      found = counted;
      list.order();
      mark();
    },
  });

  function mark() {
    list.mark();
    clear.hidden = !chosen.any();
    masks.update();
  }

  element.append(key, ...list.elements, clear, ...palette.elements);
  clear.addEventListener('click', () => {
    chosen.clear();
    mark();
  });
  masks.attach(map, store.picture);
  keepInStep(store, {
    key, list, palette, plan, mark,
    reset() {
      chosen.clear();
      found = new Map();
    },
  });
  return {
    colourOf: palette.colourOf,
    attach: masks.attach,
    search: () => list.search.focus(),
    highlight: list.highlight,
  };
}
