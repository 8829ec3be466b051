// World, layer, overlays, seed, place and the view; and the panel that folds away.

import { check, element as make, option } from './dom.js';
import { MAX_ZOOM, NATIVE_ZOOM, parsePlace } from './geometry.js';
import { layerTitle, t, titleOf } from './i18n.js';
import { createSeedHistory } from './seeds.js';
import { changed, cleanSeed, formatOverlays, hasOverlay, overlaysOf, SEED_BYTES_MAX, SHADE_DEFAULT }
  from './state.js';

function createChoices(form, store) {
  const { world, layer } = form.elements;
  const { worlds } = store;

  world.replaceChildren(...worlds.map((each) => option(each.name, titleOf(each))));
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
    if (state.world !== before?.world) {
      const { layers } = store.world();
      // Layers of data are no maps; a link may still show one.
      layer.replaceChildren(...layers.map((each) =>
        make('option', { value: each.name, hidden: each.data === true }, layerTitle(each))));
      document.title = `${titleOf(store.world())} · Ecotone`;
    }
    world.value = state.world;
    layer.value = state.layer;
  });
}

function createOverlayChoice(fieldset, store) {
  const strength = make('input', {
    type: 'range', min: 5, max: 100, step: 5, 'aria-label': t('over.strength'),
  });
  const row = make('div', { class: 'overlays-row' });
  fieldset.append(row, strength);

  row.addEventListener('change', () => {
    const names = [...row.querySelectorAll(':checked')].map(({ value }) => value);
    store.set({ over: formatOverlays(names, store.world()) });
  });
  strength.addEventListener('input', () => {
    const shade = Number(strength.value);
    store.set({ shade: shade === SHADE_DEFAULT ? null : shade }, { record: 'replaceState' });
  });
  store.subscribe((state, before) => {
    if (state.world !== before?.world) {
      const names = overlaysOf(store.world());
      row.replaceChildren(...names.map((name) => check(t(`over.${name}`), { value: name })));
    }
    row.querySelectorAll('input').forEach((box) => {
      box.checked = hasOverlay(state, box.value);
    });
    strength.hidden = !hasOverlay(state, 'shade');
    strength.value = state.shade ?? SHADE_DEFAULT;
  });
}

function randomSeed() {
  return crypto.getRandomValues(new BigInt64Array(1))[0].toString();
}

/** True where the server read the seed as the number that is written. */
function isNumber(text, number) {
  return /^[+-]?[0-9]+$/.test(text) && BigInt(text.replace('+', '')).toString() === number;
}

/** What kind of seed it is, in words; `number` is what the server made of it, if that is known. */
export function seedHint(world, seed, number) {
  const written = seed ?? world.seed_text ?? world.seed;
  const whose = seed === null ? 'own' : 'yours';
  if (number === null) {
    return t(`seed.${whose}`);
  }
  return isNumber(written, number) ? t(`seed.${whose}.number`) : t(`seed.${whose}.text`, { number });
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
      complain(t('seed.long', { bytes: SEED_BYTES_MAX }));
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
  createSeedHistory(
    { back: form.querySelector('[data-do="seed-back"]'), on: form.querySelector('[data-do="seed-on"]') },
    store,
  );
  store.subscribe((state, before) => {
    if (changed(['world', 'seed'], state, before)) {
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
    hint.textContent = found ? '' : t('place.wrong');
    if (found) {
      const zoom = Math.max(store.get().zoom, NATIVE_ZOOM - 2);
      store.set({ ...found, zoom });
      place.value = '';
    }
  });
}

function createFullScreen(button) {
  button.hidden = !document.fullscreenEnabled;
  button.addEventListener('click', () => {
    if (document.fullscreenElement) {
      document.exitFullscreen();
    } else {
      document.documentElement.requestFullscreen().catch(() => {});
    }
  });
  document.addEventListener('fullscreenchange', () => {
    button.setAttribute('aria-pressed', String(Boolean(document.fullscreenElement)));
  });
}

function createViewButtons(element, map, store) {
  const button = (name) => element.querySelector(`[data-do="${name}"]`);
  button('zoom-in').addEventListener('click', () => map.zoomIn());
  button('zoom-out').addEventListener('click', () => map.zoomOut());
  button('home').addEventListener('click', () => store.set(store.world().home));
  createFullScreen(button('full'));
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
  return () => fold(false);
}

export function createControls({ dock, buttons }, map, store) {
  createChoices(dock.querySelector('#what'), store);
  createOverlayChoice(dock.querySelector('#overlays'), store);
  const seed = createSeed(dock.querySelector('#what'), store);
  createPlace(dock.querySelector('#where'), store);
  createViewButtons(buttons, map, store);
  return { seedUsed: seed.used, unfold: createFold(dock) };
}
