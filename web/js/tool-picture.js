// Takes away exactly the view: as a picture, or as heights in 16 bits.

import { element as make, saveFile } from './dom.js';
import { NATIVE_ZOOM } from './geometry.js';
import { t } from './i18n.js';
import { areaPixels, heightOf, viewBlocks } from './pixels.js';
import { encodeGrey16 } from './png.js';

const LEVELS = 65535;

/** All tiles on the map, the lowest first: where they are in its frame and how they are laid over. */
function tilesOf(map) {
  const frame = map.getContainer().getBoundingClientRect();
  const panes = Object.values(map.getPanes())
    .filter((pane) => pane !== map.getPanes().mapPane)
    .sort((a, b) => getComputedStyle(a).zIndex - getComputedStyle(b).zIndex);
  const place = (tile, mode) => {
    const box = tile.getBoundingClientRect();
    return { tile, mode, x: box.x - frame.x, y: box.y - frame.y, size: box.width };
  };
  return panes.flatMap((pane) => {
    const mode = getComputedStyle(pane).mixBlendMode;
    return [...pane.querySelectorAll('.leaflet-tile')].map((tile) => place(tile, mode));
  });
}

/** A canvas with what the map shows, pixel for pixel. */
export function drawView(map, density) {
  const { x: width, y: height } = map.getSize();
  const canvas = make('canvas', { width: Math.round(width * density), height: Math.round(height * density) });
  const context = canvas.getContext('2d');
  context.imageSmoothingEnabled = map.getZoom() < NATIVE_ZOOM;
  for (const { tile, mode, x, y, size } of tilesOf(map)) {
    if (!tile.matches('.leaflet-tile-loaded')) {
      return null;
    }
    const [left, top, side] = [x, y, size].map((value) => Math.round(value * density));
    context.globalCompositeOperation = mode === 'normal' ? 'source-over' : mode;
    context.drawImage(tile, left, top, side, side);
  }
  return canvas;
}

/** Heights as levels: 0 is the low end, 65535 the high one; both hold the world's range and the view's. */
export function toLevels(words, { height_low: low, height_high: high }) {
  let [least, most] = [low, high];
  for (const word of words) {
    const height = heightOf(word);
    least = Math.min(least, height);
    most = Math.max(most, height);
  }
  [least, most] = [Math.floor(least), Math.max(Math.floor(least) + 1, Math.ceil(most))];
  const scale = LEVELS / (most - least);
  const values = Uint16Array.from(words, (word) => Math.round((heightOf(word) - least) * scale));
  return { values, low: least, high: most };
}

function fileName(state, what) {
  const seed = (state.seed ?? '').replace(/[^\w-]/g, '_').slice(0, 40);
  return [state.world, what, seed, `x${state.x}`, `z${state.z}`, `zoom${state.zoom}`]
    .filter(Boolean).join('_') + '.png';
}

export function open(body, { map, store, say }) {
  const picture = make('button', { type: 'button', class: 'wide-button', 'data-do': 'save-picture' },
    t('picture.picture'));
  const heights = make('button', { type: 'button', class: 'wide-button', 'data-do': 'save-heights' },
    t('picture.heights'));
  const note = make('p', { class: 'hint', role: 'status' });

  function size() {
    const { x, y } = map.getSize();
    const density = window.devicePixelRatio || 1;
    note.textContent = t('picture.size', {
      width: String(Math.round(x * density)), height: String(Math.round(y * density)),
    });
  }

  picture.addEventListener('click', () => {
    const canvas = drawView(map, window.devicePixelRatio || 1);
    if (!canvas) {
      note.textContent = t('picture.wait');
      return;
    }
    canvas.toBlob((blob) => saveFile(blob, fileName(store.get(), store.get().layer)), 'image/png');
  });

  async function saveHeights() {
    const state = store.get();
    const world = store.world();
    heights.disabled = true;
    try {
      const zoom = Math.min(NATIVE_ZOOM, state.zoom);
      const area = { ...store.picture(), layer: 'terrarium' };
      const { width, height, words } = await areaPixels(area, viewBlocks(map), zoom);
      const { values, low, high } = toLevels(words, world);
      const comment = `height = ${low} + value * ${high - low} / ${LEVELS}`;
      saveFile(await encodeGrey16(width, height, values, comment), fileName(state, `height_${low}_to_${high}`));
      note.textContent = t('picture.saved', { low: String(low), high: String(high) });
    } catch (error) {
      say('tool', error.message, 'error');
    }
    heights.disabled = !store.world().layers.some(({ name }) => name === 'terrarium');
  }

  heights.addEventListener('click', saveHeights);
  heights.disabled = !store.world().layers.some(({ name }) => name === 'terrarium');
  size();
  map.on('resize', size);
  body.append(make('div', { class: 'form' }, picture, heights, note));
  return () => map.off('resize', size);
}
