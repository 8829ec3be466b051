// Lines to paste elsewhere: the link to this view, and the ways into other pages and programs.

import { legendPath, staticPath, tileJsonPath, tileTemplate, WMTS_PATH } from './api.js';
import { copyText, element as make, icon } from './dom.js';
import { NATIVE_ZOOM } from './geometry.js';
import { t } from './i18n.js';
import { viewBlocks } from './pixels.js';

const COPY = 'M7.5 7.5h8v8h-8zM12.5 7.5v-3h-8v8h3';
const DONE = 'm4.5 10.5 4 4 7-9';
const CROSS = 'm5 5 10 10M15 5 5 15';

/** The page's own address without query and hash. */
function base() {
  return new URL('.', location.href).href;
}

function absolute(path) {
  return new URL(path, base()).href.replaceAll('%7B', '{').replaceAll('%7D', '}');
}

/** The line that QGIS keeps of an XYZ layer; of heights as data it makes a terrain. */
function qgis(tiles, { minzoom }, more = '') {
  const url = tiles.replaceAll('%', '%25').replaceAll('&', '%26').replaceAll('=', '%3D');
  return `type=xyz&url=${url}&zmin=${minzoom}&zmax=${NATIVE_ZOOM}${more}`;
}

/** The lines for a view, as [name, text] pairs. */
export function linesOf(picture, { blocks, zoom, size }) {
  const hash = location.hash;
  const tilesOf = (layer) => absolute(tileTemplate({ ...picture, layer }).replace('{r}', ''));
  const tiles = tilesOf(picture.layer);
  const frame = `${base()}?embed=1&show=scale,buttons${hash}`.replaceAll('&', '&amp;');
  const [width, height] = [Math.min(960, size.x), Math.min(640, size.y)];
  const hasHeights = picture.world.layers.some(({ name }) => name === 'terrarium');
  return [
    ['link', `${base()}${hash}`],
    ['iframe', `<iframe src="${frame}" width="${width}" height="${height}" ` +
      'style="border:0" loading="lazy" title="Ecotone"></iframe>'],
    ['static', absolute(staticPath(picture, blocks, zoom, size))],
    ['legend', absolute(legendPath(picture))],
    ['tiles', tiles],
    ['tilejson', absolute(tileJsonPath(picture))],
    ['qgis', qgis(tiles, picture.world)],
    ...(hasHeights ? [['terrain', qgis(tilesOf('terrarium'), picture.world, '&interpretation=terrariumterrain')]] : []),
    ['wmts', absolute(WMTS_PATH)],
  ];
}

function line(name) {
  const box = make('input', { type: 'text', readonly: true, id: `share-${name}`, 'data-line': name });
  const what = t(`share.${name}`);
  const copy = t('share.copy', { what });
  const button = make('button', { type: 'button', 'aria-label': copy, title: copy }, icon(COPY));
  const said = make('span', { class: 'unseen', role: 'status' });
  box.addEventListener('focus', () => box.select());
  button.addEventListener('click', async () => {
    const done = await copyText(box.value);
    said.textContent = t(done ? 'copied' : 'copied.not');
    button.classList.toggle('done', done);
    button.replaceChildren(icon(done ? DONE : CROSS));
    setTimeout(() => {
      said.textContent = '';
      button.classList.remove('done');
      button.replaceChildren(icon(COPY));
    }, 1500);
  });
  return make('div', { class: 'field tall' },
    make('label', { for: box.id }, what), make('div', { class: 'row' }, box, button, said));
}

export function open(body, { map, store }) {
  const list = make('div', { class: 'form' });

  function show() {
    const { x, y } = map.getSize();
    const size = { x: Math.round(x), y: Math.round(y) };
    const lines = linesOf(store.picture(), { blocks: viewBlocks(map), zoom: store.get().zoom, size });
    const names = lines.map(([name]) => name).join();
    if (list.dataset.names !== names) {
      list.dataset.names = names;
      list.replaceChildren(...lines.map(([name]) => line(name)));
    }
    lines.forEach(([name, text]) => {
      list.querySelector(`[data-line="${name}"]`).value = text;
    });
  }

  map.on('resize', show);
  body.append(list, make('p', { class: 'hint' }, t('share.hint')));
  const unsubscribe = store.subscribe(show);
  return () => {
    unsubscribe();
    map.off('resize', show);
  };
}
