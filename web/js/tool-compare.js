// Chooses how to compare, and with what.

import { choice } from './choice.js';
import { element as make, field, option } from './dom.js';
import { DIFFERENCE_COLOURS } from './difference.js';
import { t, titleOf } from './i18n.js';
import { fillBlends, fillLayers } from './picks.js';
import { createSeedBox } from './seed-box.js';
import { COMPARISONS, layerOf, NO_COMPARISON } from './state.js';
import { swatch } from './swatch.js';

/** Something else to look at than what is there already. */
function otherLayer(store) {
  const { layer } = store.get();
  return layerOf(store.world(), layer === 'biome' ? 'relief' : 'biome').name;
}

/** The controls of the second map, in a form. */
function createParts(store) {
  const world = make('select', {}, ...store.worlds.map((each) => option(each.name, titleOf(each))));
  const layer = make('select', {});
  const blend = make('select', {});
  const input = make('input', {
    type: 'text', spellcheck: 'false', autocapitalize: 'off', enterkeyhint: 'go',
  });
  const select = make('select', { hidden: true, 'aria-label': t('seed.name') });
  const dice = document.querySelector('[data-do="roll"] svg').cloneNode(true);
  const roll = make('button', { type: 'button', 'aria-label': t('seed.roll'), title: t('seed.roll') }, dice);
  const swap = make('button', { type: 'button', class: 'chip' }, t('compare.swap'));
  const wrong = make('p', { class: 'hint wrong', role: 'alert' });
  const seedField = field(t('seed.name'), input, wrong);
  input.replaceWith(make('div', { class: 'row' }));
  seedField.children[1].append(input, select, roll);
  const key = make('ul', { class: 'legend-labels' },
    ...Object.entries(DIFFERENCE_COLOURS).map(([name, colour]) =>
      make('li', {}, swatch(colour), t(`diff.${name}`))));
  const layerField = field(t('what.layer'), layer);
  const blendField = field(t('compare.blend'), blend);
  const form = make('form', { class: 'form', autocomplete: 'off' },
    make('h3', {}, t('compare.second')), field(t('what.world'), world), layerField, blendField, seedField,
    key, make('div', { class: 'chips' }, swap));
  return { form, world, layer, blend, input, select, roll, swap, wrong, key, layerField, blendField };
}

function start(store, compare) {
  const state = store.get();
  const fresh = state.compare === null && {
    world2: state.world, layer2: otherLayer(store), seed2: state.seed, blend2: state.blend,
  };
  store.set({ compare, split: null, ...fresh });
}

function exchange(store) {
  const { world, layer, seed, blend, world2, layer2, seed2, blend2 } = store.get();
  store.set({
    world: world2, layer: layer2, seed: seed2, blend: blend2,
    world2: world, layer2: layer, seed2: seed, blend2: blend,
  });
}

function listen(store, { form, world, layer, blend, swap }, box) {
  world.addEventListener('change', () => {
    const next = store.worlds.find(({ name }) => name === world.value);
    store.set({ world2: next.name, layer2: layerOf(next, store.get().layer2).name, seed2: null });
  });
  layer.addEventListener('change', () => store.set({ layer2: layer.value }));
  blend.addEventListener('change', () => store.set({ blend2: blend.value }));
  swap.addEventListener('click', () => exchange(store));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    box.read();
  });
}

export function open(body, { store }) {
  const how = choice(t('compare.how'), ['off', ...COMPARISONS].map((name) => [name, t(`compare.${name}`)]));
  const parts = createParts(store);
  const second = () => store.picture2();
  const box = createSeedBox(parts, {
    worldOf: () => second().world,
    seedOf: () => second().seed,
    take: (seed) => store.set({ seed2: seed }),
    complain: (words) => {
      parts.wrong.textContent = words;
    },
  });

  function show({ compare }) {
    how.select(compare ?? 'off');
    parts.form.hidden = compare === null;
    if (compare) {
      const { world, layer, blend } = second();
      parts.world.value = world.name;
      fillLayers(parts.layer, world, layer);
      parts.blendField.hidden = !fillBlends(parts.blend, world, blend);
      parts.key.hidden = compare !== 'diff';
      parts.layerField.hidden = compare === 'diff';
      box.show();
    }
  }

  how.element.addEventListener('change', () => {
    if (how.value() === 'off') {
      store.set(NO_COMPARISON);
    } else {
      start(store, how.value());
    }
  });
  listen(store, parts, box);
  body.append(how.element, parts.form);
  return store.subscribe(show);
}
