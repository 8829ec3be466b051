// Lines to paste elsewhere: the link to this view, and the ways into other pages and programs.

import { tileJsonPath, tileTemplate } from './api.js';
import { copyText, element as make } from './dom.js';
import { NATIVE_ZOOM } from './geometry.js';
import { t } from './i18n.js';

/** The page's own address without query and hash. */
function base() {
  return new URL('.', location.href).href;
}

function absolute(path) {
  return new URL(path, base()).href.replaceAll('%7B', '{').replaceAll('%7D', '}');
}

/** The lines for a state, as [name, text] pairs. */
export function linesOf(picture, state, size) {
  const hash = location.hash;
  const tiles = absolute(tileTemplate(picture).replace('{r}', ''));
  const frame = `${base()}?embed=1&show=scale,buttons${hash}`;
  const qgis = tiles.replaceAll('%', '%25').replaceAll('&', '%26').replaceAll('=', '%3D');
  return [
    ['link', `${base()}${hash}`],
    ['iframe', `<iframe src="${frame.replaceAll('&', '&amp;')}" width="${size.x}" height="${size.y}" ` +
      'style="border:0" loading="lazy" title="Ecotone"></iframe>'],
    ['tiles', tiles],
    ['tilejson', absolute(tileJsonPath(picture))],
    ['qgis', `type=xyz&url=${qgis}&zmin=${picture.world.minzoom}&zmax=${NATIVE_ZOOM}`],
  ];
}

function line(name, text) {
  const box = make('input', { type: 'text', readonly: true, value: text, id: `share-${name}`, 'data-line': name });
  const button = make('button', { type: 'button', class: 'chip', 'aria-label': t('share.copy', { what: t(`share.${name}`) }) },
    t('share.copy.short'));
  box.addEventListener('focus', () => box.select());
  button.addEventListener('click', async () => {
    button.textContent = t((await copyText(box.value)) ? 'copied' : 'copied.not');
    setTimeout(() => {
      button.textContent = t('share.copy.short');
    }, 1500);
  });
  return make('div', { class: 'field' },
    make('label', { for: box.id }, t(`share.${name}`)), make('div', { class: 'row' }, box, button));
}

export function open(body, { map, store }) {
  const list = make('div', { class: 'form' });

  function show() {
    const state = store.get();
    const picture = { world: store.world(), layer: state.layer, seed: state.seed };
    const { x, y } = map.getSize();
    const size = { x: Math.min(960, Math.round(x)), y: Math.min(640, Math.round(y)) };
    const lines = linesOf(picture, state, size);
    if (list.childElementCount === 0) {
      list.append(...lines.map(([name, text]) => line(name, text)));
    }
    lines.forEach(([name, text]) => {
      list.querySelector(`[data-line="${name}"]`).value = text;
    });
  }

  body.append(list, make('p', { class: 'hint' }, t('share.hint')));
  return store.subscribe(show);
}
