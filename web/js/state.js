// What the page shows, as one plain object, and its form in the URL hash:
//   #world=demo&layer=relief&seed=42&x=12&z=-7&zoom=16&over=grid&v=313a4a1aa893c181-1-1
// A seed is a string, or null for the world's own. `v` is the version of the world that is shown:
// its hash, and the revisions of its generator and of the drawing. Whatever is off is null.
// No DOM in here but the hash itself.

import { clampBlock, clampZoom } from './geometry.js';
import { t, titleOf } from './i18n.js';

/** Bytes of UTF-8 that the server takes as a seed. */
export const SEED_BYTES_MAX = 128;

/** What can lie on top of a picture, and the layers of the server that it is made from. */
export const OVERLAYS = {
  grid: [],
  contours: ['terrarium'],
  shade: ['terrarium'],
  rivers: ['rivers'],
  trees: ['relief', 'trees'],
  blending: ['border'],
  border: [],
};
export const COMPARISONS = ['side', 'swipe', 'diff'];
export const NO_COMPARISON = Object.freeze({
  compare: null, world2: null, layer2: null, seed2: null, blend2: null, split: null,
});
export const SHADE_DEFAULT = 50;

const KEYS = [
  'world', 'layer', 'seed', 'blend', 'x', 'z', 'zoom', 'over', 'shade', 'palette',
  'compare', 'world2', 'layer2', 'seed2', 'blend2', 'split', 'v',
];
const DEFAULT_LAYER = 'relief';
const WRITE_AGAIN = 2000; // milliseconds

function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/** Without what no seed may hold: control characters, and lone surrogates, which have no UTF-8. */
function wellFormed(text) {
  return text.replace(/\p{Surrogate}/gu, '\ufffd').replace(/\p{Cc}/gu, '');
}

/** The known keys of a hash, as strings; the first of several equal keys counts. */
export function parseHash(hash) {
  const found = new Map();
  for (const part of hash.replace(/^#/, '').split('&')) {
    const [key, ...value] = part.split('=');
    const text = decode(value.join('='));
    if (KEYS.includes(key) && text !== null && !found.has(key)) {
      found.set(key, text);
    }
  }
  return Object.fromEntries(found);
}

export function formatHash(state) {
  const parts = KEYS.filter((key) => state[key] !== null && state[key] !== undefined).map(
    (key) => `${key}=${encodeURIComponent(state[key]).replaceAll('%2C', ',')}`,
  );
  return `#${parts.join('&')}`;
}

/** The seeds that a world may be asked for, its own first; null where any may be. */
export function seedsOf({ seeds = 'any', seed_text: own }) {
  return seeds === 'any' ? null : seeds === 'fixed' ? [own] : seeds;
}

function isWhole(text) {
  return /^[+-]?[0-9]+$/.test(text);
}

function sameSeed(a, b) {
  return a === b || (isWhole(a) && isWhole(b) && BigInt(a.replace('+', '')) === BigInt(b.replace('+', '')));
}

/**
 * A seed as the server takes it for the world, null for its own; or, where it takes none like it,
 * { wrong }: why, in words.
 */
export function cleanSeed(text, world) {
  const seed = wellFormed(text ?? '').trim();
  if (seed === '' || seed === world.seed_text) {
    return null;
  }
  if (new TextEncoder().encode(seed).length > SEED_BYTES_MAX) {
    return { wrong: t('seed.long', { bytes: SEED_BYTES_MAX }) };
  }
  const allowed = seedsOf(world);
  if (allowed && !allowed.some((each) => sameSeed(each, seed))) {
    return { wrong: t('seed.refused', { title: titleOf(world) }) };
  }
  return seed;
}

export function versionOf(world) {
  return [world.hash, world.versions?.generator ?? 0, world.versions?.render ?? 0].join('-');
}

/** Which overlays there are for a world. */
export function overlaysOf(world) {
  const layers = world.layers.map(({ name }) => name);
  const names = Object.keys(OVERLAYS);
  return names.filter((name) => OVERLAYS[name].every((layer) => layers.includes(layer)));
}

export function formatOverlays(names, world) {
  const kept = overlaysOf(world).filter((name) => names.includes(name));
  return kept.length > 0 ? kept.join(',') : null;
}

export function hasOverlay(state, name) {
  return state.over !== null && state.over.split(',').includes(name);
}

/** The layer of that name in the world, or the one that is shown first. */
export function layerOf(world, name) {
  const find = (wanted) => world.layers.find((layer) => layer.name === wanted);
  return find(name) ?? find(DEFAULT_LAYER) ?? world.layers[0];
}

/** A way of blending that the world allows and that is not its own; null for its own. */
export function methodOf(world, name) {
  return world.blend?.methods?.slice(1).includes(name) ? name : null;
}

function number(text) {
  return text === undefined || text.trim() === '' ? NaN : Number(text);
}

function percent(text) {
  const value = number(text);
  return Number.isNaN(value) ? null : Math.round(Math.min(100, Math.max(0, value)));
}

function resolveSeed(text, world, said) {
  const seed = cleanSeed(text, world);
  if (seed?.wrong) {
    said.push(`${seed.wrong} ${t('link.seed')}`);
    return null;
  }
  return seed;
}

/** World, layer and seed of one side. */
function resolvePicture({ world: name, layer: layerName, seed }, worlds, said) {
  let world = worlds.find((each) => each.name === name);
  if (!world) {
    world = worlds[0];
    if (name !== undefined) {
      said.push(t('link.world', { name: name.slice(0, 64), title: titleOf(world) }));
    }
  }
  const layer = layerOf(world, layerName);
  if (layerName !== undefined && layer.name !== layerName) {
    said.push(t('link.layer', { name: layerName.slice(0, 64), title: layer.name }));
  }
  return { world, layer: layer.name, seed: resolveSeed(seed, world, said) };
}

function resolveComparison(wanted, worlds, said) {
  if (!COMPARISONS.includes(wanted.compare)) {
    return { ...NO_COMPARISON };
  }
  const side = { world: wanted.world2, layer: wanted.layer2, seed: wanted.seed2 };
  const { world, layer, seed } = resolvePicture(side, worlds, said);
  const split = wanted.compare === 'swipe' ? percent(wanted.split) : null;
  const blend2 = methodOf(world, wanted.blend2);
  return { compare: wanted.compare, world2: world.name, layer2: layer, seed2: seed, blend2, split };
}

/** The farthest zoom that whatever is shown has. */
function leastZoom(...worlds) {
  return Math.max(...worlds.map(({ minzoom }) => minzoom));
}

/** What became of the world since the link was made, in words; '' when nothing did. */
function changeSince(version, world) {
  if (version === undefined || version === versionOf(world)) {
    return '';
  }
  const [hash, generator, render] = version.split('-');
  if (!/^[0-9a-f]{16}$/.test(hash)) {
    return '';
  }
  const same = generator === String(world.versions?.generator) &&
    render === String(world.versions?.render);
  return t(same ? 'link.changed' : 'link.newer', { title: titleOf(world) });
}

/**
 * A whole state from the strings of a hash. Whatever is missing, unknown or out of range is
 * replaced, and `said` has a sentence for each thing that a person would wonder about.
 */
export function resolve(wanted, worlds) {
  const said = [];
  const { world, layer, seed } = resolvePicture(wanted, worlds, said);
  const { home } = world;
  const comparison = resolveComparison(wanted, worlds, said);
  const other = worlds.find(({ name }) => name === comparison.world2) ?? world;
  const over = formatOverlays((wanted.over ?? '').split(','), world);
  const shade = percent(wanted.shade);
  const state = {
    world: world.name,
    layer,
    seed,
    blend: methodOf(world, wanted.blend),
    x: clampBlock(number(wanted.x), home.x),
    z: clampBlock(number(wanted.z), home.z),
    zoom: clampZoom(number(wanted.zoom), leastZoom(world, other), home.zoom),
    over,
    shade: hasOverlay({ over }, 'shade') && shade !== SHADE_DEFAULT ? shade : null,
    palette: wanted.palette === 'apart' ? 'apart' : null,
    ...comparison,
    v: versionOf(world),
  };
  if (wanted.world === world.name) {
    const changed = changeSince(wanted.v, world);
    if (changed) {
      said.push(changed);
    }
  }
  return { state, said };
}

/** Seed and blending, as the world allows them: its own where it does not. */
function fitted(world, seed, blend, side) {
  const clean = cleanSeed(seed, world);
  return { [`seed${side}`]: clean?.wrong ? null : clean, [`blend${side}`]: methodOf(world, blend) };
}

/**
 * Holds the state, tells whoever listens, and keeps the URL hash and the history in step.
 * `set` takes the keys that change; the view alone replaces the history entry, all else adds one.
 */
export function createStore(worlds, say) {
  const listeners = [];
  let state = null;
  let later = 0;

  function writeHash(record) {
    const hash = formatHash(state);
    clearTimeout(later);
    if (hash !== location.hash) {
      try {
        history[record](null, '', hash);
      } catch {
        // Some browsers take only so many changes in so many seconds.
        later = setTimeout(() => writeHash('replaceState'), WRITE_AGAIN);
      }
    }
  }

  function change(next, record) {
    const before = state;
    state = Object.freeze(next);
    writeHash(record);
    [...listeners].forEach((listener) => listener(state, before));
  }

  function fromHash() {
    const { state: next, said } = resolve(parseHash(location.hash), worlds);
    say(said.join(' '));
    change(next, 'replaceState');
  }

  const named = (name) => worlds.find((world) => world.name === name);
  /** The farthest zoom that the map may have: that of both sides of a comparison. */
  const minzoom = ({ world, compare, world2 } = state) =>
    leastZoom(named(world), named(compare ? world2 : world));
  window.addEventListener('hashchange', fromHash);
  return {
    worlds,
    get: () => state,
    world: () => named(state.world),
    /** What the map shows: { world, layer, seed, blend }. */
    picture: () => ({ world: named(state.world), layer: state.layer, seed: state.seed, blend: state.blend }),
    /** What the other side of a comparison shows; null without one. */
    picture2: () => state.compare &&
      { world: named(state.world2), layer: state.layer2, seed: state.seed2, blend: state.blend2, other: true },
    /** Tells the listener what there is, if there is anything yet, and then of each change. Gives a
     * function that ends it. */
    subscribe(listener) {
      listeners.push(listener);
      if (state) {
        listener(state, undefined);
      }
      return () => listeners.splice(listeners.indexOf(listener), 1);
    },
    minzoom,
    start: fromHash,
    set(patch, { record = 'pushState' } = {}) {
      const next = { ...state, ...patch };
      const world = named(next.world);
      next.v = versionOf(world);
      next.over = formatOverlays((next.over ?? '').split(','), world);
      Object.assign(next, fitted(world, next.seed, next.blend, ''));
      if (next.compare) {
        Object.assign(next, fitted(named(next.world2), next.seed2, next.blend2, '2'));
      }
      next.zoom = clampZoom(next.zoom, minzoom(next), next.zoom);
      if (KEYS.some((key) => next[key] !== state[key])) {
        say('');
        change(next, record);
      }
    },
  };
}

/** True when one of the keys has another value than before, or there is no before. */
export function changed(keys, state, before) {
  return !before || keys.some((key) => state[key] !== before[key]);
}
