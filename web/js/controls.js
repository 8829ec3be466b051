// World, layer, overlays, seed, place and the view; and the panel that folds away.

import { check, element as make, option } from './dom.js';
import { MAX_ZOOM, NATIVE_ZOOM, parsePlace } from './geometry.js';
import { t, titleOf } from './i18n.js';
import { fillBlends, fillLayers } from './picks.js';
import { createSeedBox } from './seed-box.js';
import { createSeedHistory } from './seeds.js';
import {
  changed, formatOverlays, hasOverlay, layerOf, overlaysOf, seedsOf, SHADE_DEFAULT,
} from './state.js';

function createChoices(form, store) {
  const { world, layer, blend } = form.elements;
  const { worlds } = store;

  world.replaceChildren(...worlds.map((each) => option(each.name, titleOf(each))));
  world.addEventListener('change', () => {
    const next = worlds.find(({ name }) => name === world.value);
    store.set({ world: next.name, layer: layerOf(next, store.get().layer).name, ...next.home });
  });
  layer.addEventListener('change', () => store.set({ layer: layer.value }));
  blend.addEventListener('change', () => store.set({ blend: blend.value }));
  store.subscribe((state, before) => {
    if (state.world !== before?.world) {
      document.title = `${titleOf(store.world())} · Ecotone`;
      world.value = state.world;
    }
    if (changed(['world', 'layer', 'blend'], state, before)) {
      fillLayers(layer, store.world(), state.layer);
      blend.parentElement.hidden = !fillBlends(blend, store.world(), state.blend);
    }
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

/** True where the server read the seed as the number that is written. */
function isNumber(text, number) {
  return /^[+-]?[0-9]+$/.test(text) && BigInt(text.replace('+', '')).toString() === number;
}

/** What kind of seed it is, in words; `number` is what the server made of it, if that is known. */
export function seedHint(world, seed, number) {
  const seeds = seedsOf(world);
  if (seeds) {
    return t(seeds.length > 1 ? 'seed.few' : 'seed.one');
  }
  const written = seed ?? world.seed_text ?? world.seed;
  const whose = seed === null ? 'own' : 'yours';
  if (number === null) {
    return t(`seed.${whose}`);
  }
  return isNumber(written, number) ? t(`seed.${whose}.number`) : t(`seed.${whose}.text`, { number });
}

function createSeed(form, store) {
  const { seed: input, 'seed-list': select } = form.elements;
  const part = (name) => form.querySelector(`[data-do="${name}"]`);
  const hint = form.querySelector('[data-part="seed-hint"]');
  const [roll, own] = [part('roll'), part('own-seed')];

  function complain(wrong) {
    const { seed } = store.get();
    hint.classList.toggle('wrong', wrong !== '');
    hint.textContent = wrong || words(seed === null ? store.world().seed : null);
  }

  function words(number) {
    return box.isRolled() ? t('seed.random') : seedHint(store.world(), store.get().seed, number);
  }

  const box = createSeedBox({ input, select, roll }, {
    worldOf: store.world,
    seedOf: () => store.get().seed,
    take: (seed) => store.set({ seed }),
    complain,
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    box.read();
  });
  own.addEventListener('click', () => {
    store.set({ seed: null });
    input.focus();
  });
  createSeedHistory({ back: part('seed-back'), on: part('seed-on') }, store);
  store.subscribe((state, before) => {
    if (changed(['world', 'seed'], state, before)) {
      own.hidden = state.seed === null || seedsOf(store.world()) !== null;
      box.show();
    }
  });
  return {
    /** The number that the server used for the seed of a question. */
    used(question, number) {
      const state = store.get();
      const current = question.world === state.world && question.seed === state.seed;
      if (current && box.isUntouched()) {
        hint.textContent = words(number);
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
    button('zoom-out').disabled = map.getZoom() <= store.minzoom();
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
