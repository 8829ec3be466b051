// World, layer, seed, place, zoom and home; and the panel that folds away.

import { MAX_ZOOM, NATIVE_ZOOM, parsePlace } from './geometry.js';
import { cleanSeed, SEED_BYTES_MAX } from './state.js';

function option(value, text) {
  const element = document.createElement('option');
  element.value = value;
  element.textContent = text;
  return element;
}

function createChoices(form, store, worlds) {
  const { world, layer } = form.elements;

  world.replaceChildren(...worlds.map(({ name, title }) => option(name, title)));
  world.addEventListener('change', () => {
    const next = worlds.find(({ name }) => name === world.value);
    const kept = next.layers.some(({ name }) => name === store.get().layer);
    store.set({
      world: next.name,
      layer: kept ? store.get().layer : next.layers[0].name,
      ...next.home,
    });
  });
  layer.addEventListener('change', () => store.set({ layer: layer.value }));
  store.subscribe((state, before) => {
    const { layers, title } = store.world();
    if (state.world !== before?.world) {
      layer.replaceChildren(...layers.map((each) => option(each.name, each.title)));
      document.title = `${title} · Ecotone`;
    }
    world.value = state.world;
    layer.value = state.layer;
  });
}

function randomSeed() {
  return crypto.getRandomValues(new BigInt64Array(1))[0].toString();
}

/** True where the server read the seed as the number that is written. */
function isNumber(text, number) {
  return /^[+-]?[0-9]+$/.test(text) && BigInt(text.replace('+', '')).toString() === number;
}

function seedHint(world, seed, number) {
  const written = seed ?? world.seed_text ?? world.seed;
  const whose = seed === null ? 'The world’s own seed' : 'Your seed';
  if (number === null) {
    return `${whose}.`;
  }
  return isNumber(written, number)
    ? `${whose}, a number.`
    : `${whose}: the text stands for ${number}.`;
}

function createSeed(form, store) {
  const { seed } = form.elements;
  const hint = form.querySelector('[data-part="seed-hint"]');
  const own = form.querySelector('[data-do="own-seed"]');

  function complain(text) {
    seed.setAttribute('aria-invalid', String(text !== ''));
    hint.classList.toggle('wrong', text !== '');
    if (text) {
      hint.textContent = text;
    }
  }

  function take() {
    const next = cleanSeed(seed.value);
    if (next === undefined) {
      complain(`That is too long: a seed has at most ${SEED_BYTES_MAX} bytes.`);
      return;
    }
    store.set({ seed: next === store.world().seed_text ? null : next });
    show(store.get());
  }

  function written(state) {
    return state.seed ?? store.world().seed_text ?? store.world().seed;
  }

  function show(state) {
    const world = store.world();
    seed.value = written(state);
    own.hidden = state.seed === null;
    complain('');
    hint.textContent = seedHint(world, state.seed, state.seed === null ? world.seed : null);
  }

  seed.addEventListener('change', take);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    take();
  });
  form.querySelector('[data-do="roll"]').addEventListener('click', () => {
    store.set({ seed: randomSeed() });
  });
  own.addEventListener('click', () => {
    store.set({ seed: null });
    seed.focus();
  });
  store.subscribe((state, before) => {
    if (state.world !== before?.world || state.seed !== before?.seed) {
      show(state);
    }
  });
  return {
    /** The number that the server used for the seed of a question. */
    used(question, number) {
      const state = store.get();
      const current = question.world === state.world && question.seed === state.seed;
      if (current && seed.value.trim() === written(state)) {
        hint.textContent = seedHint(store.world(), state.seed, number);
      }
    },
  };
}

function createPlace(form, store) {
  const { place } = form.elements;
  const hint = form.querySelector('[data-part="place-hint"]');

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const found = parsePlace(place.value);
    place.setAttribute('aria-invalid', String(!found));
    hint.textContent = found ? '' : 'Two numbers, such as 120, -340.';
    if (found) {
      const zoom = Math.max(store.get().zoom, NATIVE_ZOOM - 2);
      store.set({ ...found, zoom });
      place.value = '';
    }
  });
}

function createViewButtons(element, map, store) {
  const button = (name) => element.querySelector(`[data-do="${name}"]`);
  button('zoom-in').addEventListener('click', () => map.zoomIn());
  button('zoom-out').addEventListener('click', () => map.zoomOut());
  button('home').addEventListener('click', () => store.set(store.world().home));
  const limits = () => {
    button('zoom-in').disabled = map.getZoom() >= MAX_ZOOM;
    button('zoom-out').disabled = map.getZoom() <= store.world().minzoom;
  };
  map.on('zoomend', limits);
  store.subscribe(limits);
}

function createFold(dock) {
  const button = dock.querySelector('[data-do="fold"]');
  const narrow = matchMedia('(max-width: 719px)');

  function fold(folded) {
    dock.classList.toggle('folded', folded);
    button.setAttribute('aria-expanded', String(!folded));
  }

  button.addEventListener('click', () => fold(!dock.classList.contains('folded')));
  narrow.addEventListener('change', () => fold(narrow.matches));
  fold(narrow.matches);
}

export function createControls({ dock, buttons }, map, store, worlds) {
  createChoices(dock.querySelector('#what'), store, worlds);
  const seed = createSeed(dock.querySelector('#what'), store);
  createPlace(dock.querySelector('#where'), store);
  createViewButtons(buttons, map, store);
  createFold(dock);
  return { seedUsed: seed.used };
}
