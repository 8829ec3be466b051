// Chooses how to compare, and with what.

import { choice } from './choice.js';
import { element as make, field, option } from './dom.js';
import { DIFFERENCE_COLOURS } from './difference.js';
import { layerTitle, t, titleOf } from './i18n.js';
import { cleanSeed, COMPARISONS, layerOf, methodOf, NO_COMPARISON } from './state.js';
import { swatch } from './swatch.js';

/** Something else to look at than what is there already. */
function otherLayer(store) {
  const { layer } = store.get();
  return layerOf(store.world(), layer === 'biome' ? 'relief' : 'biome').name;
}

/** Only worlds whose biomes run into each other have a layer of their borders. */
function blends({ layers }) {
  return layers.some(({ name }) => name === 'border');
}

export function open(body, { store }) {
  const world = make('select', {}, ...store.worlds.map((each) => option(each.name, titleOf(each))));
  const layer = make('select', {});
  const seed = make('input', { type: 'text', spellcheck: 'false', autocapitalize: 'off', enterkeyhint: 'go' });
  const roll = make('button', { type: 'button', class: 'chip' }, t('compare.roll'));
  const swap = make('button', { type: 'button', class: 'chip' }, t('compare.swap'));
  const blend = make('select', {});
  const blendField = field(t('compare.blend'), blend);
  const layerField = field(t('what.layer'), layer);
  const key = make('ul', { class: 'legend-labels' },
    ...Object.entries(DIFFERENCE_COLOURS).map(([name, colour]) =>
      make('li', {}, swatch(colour), t(`diff.${name}`))));
  const details = make(
    'div',
    { class: 'form' },
    make('p', { class: 'hint' }, t('compare.second')),
    field(t('what.world'), world),
    layerField,
    blendField,
    field(t('seed.name'), seed),
    key,
    make('div', { class: 'chips' }, roll, swap),
  );
  const how = choice(t('compare.how'), ['off', ...COMPARISONS].map((name) => [name, t(`compare.${name}`)]));

  function start(compare) {
    const state = store.get();
    const fresh = state.compare === null;
    store.set({
      compare,
      split: null,
      ...(fresh && { world2: state.world, layer2: otherLayer(store), seed2: state.seed }),
    });
  }

  how.element.addEventListener('change', () => {
    if (how.value() === 'off') {
      store.set(NO_COMPARISON);
    } else {
      start(how.value());
    }
  });
  world.addEventListener('change', () => {
    const next = store.worlds.find(({ name }) => name === world.value);
    store.set({ world2: next.name, layer2: layerOf(next, store.get().layer2).name, seed2: null, blend2: methodOf(next, store.get().blend2) });
  });
  layer.addEventListener('change', () => store.set({ layer2: layer.value }));
  blend.addEventListener('change', () => {
    store.set({ blend2: methodOf(store.world2(), blend.value) });
  });
  seed.addEventListener('change', () => {
    const next = cleanSeed(seed.value);
    seed.setAttribute('aria-invalid', String(next === undefined));
    if (next !== undefined) {
      store.set({ seed2: next === store.world2().seed_text ? null : next });
    }
  });
  roll.addEventListener('click', () => {
    store.set({ seed2: crypto.getRandomValues(new BigInt64Array(1))[0].toString() });
  });
  swap.addEventListener('click', () => {
    const state = store.get();
    store.set({
      world: state.world2, layer: state.layer2, seed: state.seed2,
      world2: state.world, layer2: state.layer, seed2: state.seed, blend2: null,
    });
  });

  function show(state) {
    how.select(state.compare ?? 'off');
    details.hidden = state.compare === null;
    if (state.compare) {
      const second = store.world2();
      world.value = state.world2;
      layer.replaceChildren(...second.layers.map((each) =>
        make('option', { value: each.name, hidden: each.data === true }, layerTitle(each))));
      layer.value = state.layer2;
      const methods = second.blend?.methods ?? [];
      blend.replaceChildren(...methods.map((name) => option(name, t(`blend.${name}`))));
      blend.value = state.blend2 ?? methods[0] ?? '';
      blendField.hidden = methods.length < 2 || !blends(second);
      key.hidden = state.compare !== 'diff';
      layerField.hidden = state.compare === 'diff';
      seed.value = state.seed2 ?? second.seed_text ?? second.seed;
      seed.setAttribute('aria-invalid', 'false');
    }
  }

  body.append(how.element, details);
  return store.subscribe(show);
}
