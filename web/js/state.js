// What the page shows, as one plain object, and its form in the URL hash:
//   #world=demo&layer=relief&seed=42&x=12&z=-7&zoom=16
// A seed is a string, or null for the world's own. No DOM in here but the hash itself.

import { clampBlock, clampZoom } from './geometry.js';

/** Bytes of UTF-8 that the server takes as a seed. */
export const SEED_BYTES_MAX = 128;

const KEYS = ['world', 'layer', 'seed', 'x', 'z', 'zoom'];
const DEFAULT_LAYER = 'relief';

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
  const parts = KEYS.filter((key) => state[key] !== null).map(
    (key) => `${key}=${encodeURIComponent(state[key])}`,
  );
  return `#${parts.join('&')}`;
}

/** A seed as the server takes it: null for none, undefined for one that is too long. */
export function cleanSeed(text) {
  const seed = wellFormed(text ?? '').trim();
  if (seed === '') {
    return null;
  }
  return new TextEncoder().encode(seed).length <= SEED_BYTES_MAX ? seed : undefined;
}

function number(text) {
  return text === undefined || text.trim() === '' ? NaN : Number(text);
}

/**
 * A whole state from the strings of a hash. Whatever is missing, unknown or out of range is
 * replaced, and `said` has a sentence for each thing that a person would wonder about.
 */
export function resolve(wanted, worlds) {
  const said = [];
  let world = worlds.find((each) => each.name === wanted.world);
  if (!world) {
    world = worlds[0];
    if (wanted.world !== undefined) {
      said.push(`There is no world “${wanted.world.slice(0, 64)}” here; this is ${world.title}.`);
    }
  }
  let layer = world.layers.find((each) => each.name === wanted.layer);
  if (!layer) {
    layer = world.layers.find((each) => each.name === DEFAULT_LAYER) ?? world.layers[0];
    if (wanted.layer !== undefined) {
      said.push(`There is no layer “${wanted.layer.slice(0, 64)}” here; this is ${layer.name}.`);
    }
  }
  let seed = cleanSeed(wanted.seed);
  if (seed === undefined) {
    seed = null;
    said.push(`A seed has at most ${SEED_BYTES_MAX} bytes; this is the world’s own.`);
  }
  const { home } = world;
  const state = {
    world: world.name,
    layer: layer.name,
    seed,
    x: clampBlock(number(wanted.x), home.x),
    z: clampBlock(number(wanted.z), home.z),
    zoom: clampZoom(number(wanted.zoom), world.minzoom, home.zoom),
  };
  return { state, said };
}

/**
 * Holds the state, tells whoever listens, and keeps the URL hash and the history in step.
 * `set` takes the keys that change; the view alone replaces the history entry, all else adds one.
 */
export function createStore(worlds, say) {
  const listeners = [];
  let state = null;

  function change(next, record) {
    const before = state;
    state = Object.freeze(next);
    const hash = formatHash(state);
    if (record && hash !== location.hash) {
      history[record](null, '', hash);
    }
    listeners.forEach((listener) => listener(state, before));
  }

  function fromHash() {
    const { state: next, said } = resolve(parseHash(location.hash), worlds);
    say(said.join(' '));
    change(next, 'replaceState');
  }

  window.addEventListener('hashchange', fromHash);
  return {
    get: () => state,
    world: () => worlds.find((world) => world.name === state.world),
    subscribe: (listener) => listeners.push(listener),
    start: fromHash,
    set(patch, { record = 'pushState' } = {}) {
      const next = { ...state, ...patch };
      if (KEYS.some((key) => next[key] !== state[key])) {
        say('');
        change(next, record);
      }
    },
  };
}
