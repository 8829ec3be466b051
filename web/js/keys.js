// Single keys, for whoever is on the map or nowhere in particular, and the list of them.

import { element as make } from './dom.js';
import { t } from './i18n.js';
import { recall } from './memory.js';
import { formatOverlays, hasOverlay } from './state.js';

const press = (selector) => document.querySelector(selector).click();

function toggleOverlay(store, name) {
  const state = store.get();
  const names = (state.over ?? '').split(',');
  const next = hasOverlay(state, name) ? names.filter((each) => each !== name) : [...names, name];
  store.set({ over: formatOverlays(next, store.world()) });
}

function actionsOf({ store, legend, readout, unfold }, { toggle, close, show }) {
  return {
    '?': show,
    g: () => toggleOverlay(store, 'grid'),
    h: () => press('[data-do="home"]'),
    f: () => press('[data-do="full"]'),
    r: () => press('[data-do="roll"]'),
    y: () => readout.copy(),
    '/': () => {
      unfold();
      document.getElementById('place').focus();
    },
    l: () => {
      unfold();
      legend.search();
    },
    c: () => toggle('compare'),
    m: () => toggle('measure'),
    s: () => toggle('picture'),
    e: () => toggle('share'),
    Escape: close,
  };
}

function createDialog(names) {
  const row = (keys, text) =>
    make('div', {}, make('dt', {}, ...keys.map((key) => make('kbd', {}, key))), make('dd', {}, text));
  const close = make('button', { type: 'submit', class: 'chip' }, t('tools.close'));
  const dialog = make(
    'dialog',
    { class: 'dialog', 'aria-labelledby': 'keys-title' },
    make('h2', { id: 'keys-title' }, t('keys.title')),
    make('dl', { class: 'keys' },
      row(['←', '↑', '→', '↓'], t('keys.move')),
      row(['+', '−'], t('keys.zoom')),
      ...names.map((key) => row([key === 'Escape' ? 'Esc' : key], t(`keys.${key}`)))),
    make('form', { method: 'dialog' }, close),
  );
  // Forms are not sent anywhere from this page; closing needs none to be.
  dialog.querySelector('form').addEventListener('submit', (event) => {
    event.preventDefault();
    dialog.close();
  });
  return dialog;
}

/** Who speaks to the computer, or hits keys by accident, may want no single key to do anything. */
function areOff() {
  return recall('keys') === 'off';
}

function isBusy(target) {
  return target.closest('input, select, textarea, dialog, [role="slider"]') !== null;
}

/** Gives `show`, which opens the list. */
export function createKeys(context, { toggle, close }) {
  let dialog = null;

  function show() {
    if (!dialog) {
      dialog = createDialog(Object.keys(actions));
      document.body.append(dialog);
    }
    dialog.showModal();
  }

  const actions = actionsOf(context, { toggle, close, show });
  document.addEventListener('keydown', (event) => {
    const plain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.defaultPrevented;
    const escape = event.key === 'Escape' && !event.target.closest('dialog');
    if (plain && (escape || !(isBusy(event.target) || areOff())) && Object.hasOwn(actions, event.key)) {
      event.preventDefault();
      actions[event.key]();
    }
  });
  return { show };
}
