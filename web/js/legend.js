// The biomes of the world with their share of the view: to find, to highlight, to hide, to go to.

import { fetchNearest } from './api.js';
import { apartColours, closePairs } from './colours.js';
import { element as make, field, option } from './dom.js';
import { formatNumber, formatShare, has, nameOf, t } from './i18n.js';
import { createMask } from './mask.js';
import { areaPixels, countingZoom, countWords, viewBlocks, wordOf } from './pixels.js';
import { changed, layerOf } from './state.js';
import { swatch } from './swatch.js';

const REST = 350; // milliseconds without a move before the view is counted
const COUNTED_MOST = 160000; // pixels
const ALL_SHOWN = 16; // biomes; of more, only those in view are listed without being searched for
const PAIRS_SHOWN = 8;
const RAMP_ROOM = 12; // percent of a ramp between two marks
const WITHIN = 8192; // blocks that the server looks through; beyond, coarse tiles have to do

function heightRamp(world) {
  return make(
    'div',
    { class: 'legend-ramp' },
    make('div', { class: 'legend-ramp-bar' }),
    make('span', {}, t('blocks', { count: world.height_low })),
    make('span', {}, t('blocks', { count: world.height_high })),
  );
}

function unitOf(text) {
  return has(`unit ${text}`) ? t(`unit ${text}`) : text;
}

function labelOf(text) {
  return has(`label ${text}`) ? t(`label ${text}`) : text;
}

/** A bar of colours by value, with the values under it; marks that are too close have none. */
function valueRamp({ unit, stops }) {
  const values = stops.map(({ value }) => value);
  const [low, high] = [values[0], values.at(-1)];
  const place = (value) => (100 * (value - low)) / (high - low);
  const bar = make('div', { class: 'legend-ramp-bar' });
  bar.style.backgroundImage =
    `linear-gradient(90deg, ${stops.map(({ value, colour }) => `${colour} ${place(value)}%`).join(', ')})`;
  let last = -Infinity;
  const marks = stops.filter(({ value }) => {
    const room = place(value) - last >= RAMP_ROOM || value === high;
    last = room ? place(value) : last;
    return room;
  }).map(({ value }) => formatNumber(value, 3));
  return make('div', { class: 'legend-ramp' }, bar, ...marks.map((mark) => make('span', {}, mark)),
    make('p', { class: 'hint' }, unitOf(unit)));
}

function labelList({ stops }) {
  const rows = stops.map(({ label, colour }) => make('li', {}, swatch(colour), labelOf(label)));
  return make('ul', { class: 'legend-labels' }, ...rows);
}

/** What the server says of the colours of a layer. */
function keyOf({ legend }) {
  const isRamp = legend.stops.every(({ value }) => Number.isFinite(value)) && legend.stops.length > 1;
  return isRamp ? valueRamp(legend) : labelList(legend);
}

const KEY_OF_LAYER = {
  height: heightRamp,
  terrarium: () => make('p', { class: 'hint' }, t('legend.terrarium')),
  mapbox: () => make('p', { class: 'hint' }, t('legend.mapbox')),
};

/** Shares of the biomes of a view by id, from the pixels of its biome tiles. */
async function shares(map, { world, seed, zoom }) {
  const blocks = viewBlocks(map);
  const at = countingZoom(blocks, zoom, world.minzoom, COUNTED_MOST);
  const { words } = await areaPixels({ world, layer: 'biome', seed }, blocks, at);
  const counts = countWords(words);
  return new Map(
    world.biomes.map(({ id, colour }) => [id, (counts.get(wordOf(colour)) ?? 0) / words.length]),
  );
}

function createRow(biome, colour, act) {
  const share = make('span', { class: 'legend-share' });
  const button = make(
    'button',
    { type: 'button', class: 'legend-biome', 'aria-pressed': 'false', title: t('legend.hint') },
    swatch(colour),
    make('span', { class: 'legend-word' }, nameOf(biome)),
    share,
  );
  const small = (what) => {
    const made = make('button', { type: 'button', class: 'chip' }, t(`legend.${what}`));
    made.addEventListener('click', () => act(what, biome.id));
    return made;
  };
  const actions = make('div', { class: 'legend-actions', hidden: true }, small('nearest'), small('hide'));
  button.addEventListener('click', (event) => act(event.shiftKey ? 'hide' : 'press', biome.id));
  const row = make('li', { 'data-biome': biome.id }, button, actions);
  return { row, button, actions, share };
}

/** Which biomes are lit and which are hidden. */
function createChosen() {
  const lit = new Set();
  const hidden = new Set();
  const toggle = (set, id) => (set.delete(id) ? false : set.add(id));
  return {
    lit,
    hidden,
    press: (id) => (hidden.has(id) ? hidden.delete(id) : toggle(lit, id)),
    hide(id) {
      lit.delete(id);
      toggle(hidden, id);
    },
    clear() {
      lit.clear();
      hidden.clear();
    },
  };
}

function closeColours(world, colours) {
  const pairs = closePairs(world.biomes.map((biome) => ({ biome, colour: colours(biome) })));
  const rows = pairs.slice(0, PAIRS_SHOWN).map(({ a, b, eyes }) =>
    make('li', {}, swatch(colours(a)), swatch(colours(b)),
      t('legend.close.pair', { a: nameOf(a), b: nameOf(b), eyes: t(`eyes.${eyes}`) })));
  const rest = pairs.length - rows.length;
  if (rest > 0) {
    rows.push(make('li', {}, t('legend.close.more', { count: rest })));
  }
  return pairs.length === 0
    ? make('p', { class: 'hint', 'data-part': 'close' }, t('legend.close.none'))
    : make('details', { class: 'close', 'data-part': 'close' },
        make('summary', {}, t('legend.close', { count: pairs.length })), make('ul', {}, ...rows));
}

export function createLegend(element, map, store, say) {
  const chosen = createChosen();
  let rows = new Map();
  let found = new Map(); // shares by biome id
  let here = null;
  let timer = 0;
  let count = 0;

  const key = make('div', {});
  const search = make('input', { type: 'search', 'aria-label': t('legend.search'), placeholder: t('legend.search') });
  const list = make('ul', { class: 'legend-list', 'aria-label': t('legend.biomes') });
  const none = make('p', { class: 'hint', role: 'status' });
  const clear = make('button', { type: 'button', class: 'chip', hidden: true }, t('legend.clear'));
  const palette = make('select', {}, option('', t('palette.world')), option('apart', t('palette.apart')));
  const close = make('div', {});
  element.append(key, search, list, none, clear, field(t('palette.name'), palette), close);

  const isApart = () => store.get().palette === 'apart';
  const colourOf = (biome, world = store.world()) =>
    (isApart() && apartColours(world).get(biome.id)) || biome.colour;
  const masks = new Set();

  function attach(to, picture) {
    const recolour = ({ world, layer }) =>
      isApart() && layer === 'biome' ? (biome) => colourOf(biome, world) : null;
    const mask = createMask(to, { picture, chosen, recolour });
    masks.add(mask);
    return mask;
  }

  attach(map, () => ({ world: store.world(), layer: store.get().layer, seed: store.get().seed }));

  function order() {
    const wanted = search.value.trim().toLocaleLowerCase();
    const { biomes } = store.world();
    const share = (biome) => found.get(biome.id) ?? 0;
    const shown = biomes.filter((biome) =>
      wanted
        ? [nameOf(biome), biome.name, String(biome.id)].some((name) => name.toLocaleLowerCase().includes(wanted))
        : biomes.length <= ALL_SHOWN || share(biome) > 0 || chosen.lit.has(biome.id) || chosen.hidden.has(biome.id));
    const sorted = shown.sort((a, b) => share(b) - share(a));
    const focused = document.activeElement;
    list.replaceChildren(...sorted.map(({ id }) => rows.get(id).row));
    if (list.contains(focused)) {
      focused.focus({ preventScroll: true });
    }
    none.textContent = wanted && shown.length === 0 ? t('legend.unknown') : '';
  }

  function mark() {
    rows.forEach(({ row, button, actions, share }, id) => {
      const part = found.get(id);
      row.classList.toggle('here', id === here);
      row.classList.toggle('away', part === 0);
      row.classList.toggle('hidden', chosen.hidden.has(id));
      button.setAttribute('aria-pressed', String(chosen.lit.has(id)));
      actions.hidden = !chosen.lit.has(id);
      share.textContent = chosen.hidden.has(id) ? t('legend.hidden') : part ? formatShare(part) : '';
    });
    clear.hidden = chosen.lit.size + chosen.hidden.size === 0;
    masks.forEach((mask) => mask.update());
  }

  async function recount() {
    const state = store.get();
    if (!store.world().layers.some(({ name }) => name === 'biome')) {
      return;
    }
    const mine = ++count;
    try {
      const counted = await shares(map, { world: store.world(), seed: state.seed, zoom: state.zoom });
      if (mine === count) {
        found = counted;
        element.setAttribute('aria-busy', 'false');
        order();
        mark();
      }
    } catch {
      plan(4000);
    }
  }

  function plan(wait = REST) {
    count++;
    element.setAttribute('aria-busy', 'true');
    clearTimeout(timer);
    timer = setTimeout(recount, wait);
  }

  async function goToNearest(id) {
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
      if (store.get() !== state) {
        say('');
      } else if (place) {
        say('');
        store.set({ x: place.x, z: place.z, zoom: Math.max(state.zoom, 16) });
      } else {
        say(t('nearest.none', { name }));
      }
    } catch (error) {
      say(error.message);
    }
  }

  function act(what, id) {
    if (what === 'nearest') {
      goToNearest(id);
      return;
    }
    chosen[what](id);
    mark();
  }

  function build() {
    const world = store.world();
    rows = new Map(world.biomes.map((biome) => [biome.id, createRow(biome, colourOf(biome), act)]));
    close.replaceChildren(closeColours(world, (biome) => colourOf(biome)));
    order();
  }

  search.addEventListener('input', order);
  clear.addEventListener('click', () => {
    chosen.clear();
    mark();
  });
  palette.addEventListener('change', () => {
    const patch = palette.value ? { palette: 'apart', layer: 'biome' } : { palette: null };
    store.set(patch);
  });
  map.on('moveend resize', () => plan());
  store.subscribe((state, before) => {
    if (changed(['world'], state, before)) {
      chosen.clear();
      found = new Map();
      search.value = '';
    }
    if (changed(['world', 'layer'], state, before)) {
      const layer = layerOf(store.world(), state.layer);
      const made = layer.legend ? keyOf(layer) : KEY_OF_LAYER[layer.name]?.(store.world());
      key.replaceChildren(...(made ? [made] : []));
    }
    if (changed(['world', 'palette'], state, before)) {
      palette.value = state.palette ?? '';
      build();
    }
    if (changed(['world', 'seed'], state, before)) {
      plan();
    }
    if (changed(['world', 'seed', 'layer', 'palette'], state, before)) {
      mark();
    }
  });
  return {
    colourOf,
    /** Masks another map, too; gives a function that ends it. */
    attach(to, picture) {
      const mask = attach(to, picture);
      mask.update();
      return { update: mask.update, end: () => masks.delete(mask) && mask.remove() };
    },
    search: () => search.focus(),
    highlight(id) {
      here = id;
      rows.forEach(({ row }, each) => row.classList.toggle('here', each === id));
    },
  };
}
