// The list of the biomes: which are shown, in which order, and what is marked on them.

import { element as make } from './dom.js';
import { formatShare, nameOf, t } from './i18n.js';
import { swatch } from './swatch.js';

const ALL_SHOWN = 16; // biomes; of more, only those in view are listed without being searched for

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
export function createChosen() {
  const lit = new Set();
  const hidden = new Set();
  const toggle = (set, id) => (set.delete(id) ? false : set.add(id));
  return {
    lit,
    hidden,
    any: () => lit.size + hidden.size > 0,
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

/** `shareOf(id)`: of the view; undefined until it was counted. `act(what, id)`: a row was used. */
export function createList({ chosen, shareOf, act }) {
  const search = make('input', {
    type: 'search', 'aria-label': t('legend.search'), placeholder: t('legend.search'),
  });
  const list = make('ul', { class: 'legend-list', 'aria-label': t('legend.biomes') });
  const none = make('p', { class: 'hint', role: 'status' });
  let biomes = [];
  let rows = new Map();

  function isShown(biome, wanted) {
    if (wanted) {
      const names = [nameOf(biome), biome.name, String(biome.id)];
      return names.some((name) => name.toLocaleLowerCase().includes(wanted));
    }
    const { id } = biome;
    return biomes.length <= ALL_SHOWN || shareOf(id) > 0 || chosen.lit.has(id) || chosen.hidden.has(id);
  }

  function order() {
    const wanted = search.value.trim().toLocaleLowerCase();
    const shown = biomes.filter((biome) => isShown(biome, wanted))
      .sort((a, b) => (shareOf(b.id) ?? 0) - (shareOf(a.id) ?? 0));
    const focused = document.activeElement;
    list.replaceChildren(...shown.map(({ id }) => rows.get(id).row));
    if (list.contains(focused)) {
      focused.focus({ preventScroll: true });
    }
    none.textContent = wanted && shown.length === 0 ? t('legend.unknown') : '';
  }

  function markRow({ row, button, actions, share }, id) {
    const part = shareOf(id);
    const hidden = chosen.hidden.has(id);
    row.classList.toggle('away', part === 0);
    row.classList.toggle('hidden', hidden);
    button.setAttribute('aria-pressed', String(chosen.lit.has(id)));
    actions.hidden = !chosen.lit.has(id);
    share.textContent = hidden ? t('legend.hidden') : part ? formatShare(part) : '';
  }

  search.addEventListener('input', order);
  return {
    elements: [search, list, none],
    search,
    order,
    mark: () => rows.forEach(markRow),
    build(world, colourOf) {
      biomes = [...world.biomes];
      rows = new Map(biomes.map((biome) => [biome.id, createRow(biome, colourOf(biome), act)]));
      order();
    },
    highlight: (here) => rows.forEach(({ row }, id) => row.classList.toggle('here', id === here)),
  };
}
