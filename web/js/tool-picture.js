// Takes away exactly the view: as a picture, or as heights in 16 bits.

import { element as make, saveFile } from './dom.js';
import { NATIVE_ZOOM } from './geometry.js';
import { t } from './i18n.js';
import { areaPixels, heightOf, viewBlocks } from './pixels.js';
import { encodeGrey16 } from './png.js';

const LEVELS = 65535;

/** The panes of a map, the lowest first, and how each is laid over those below. */
function panesOf(map) {
  const style = (pane) => getComputedStyle(pane);
  return Object.values(map.getPanes())
    .filter((pane) => pane !== map.getPanes().mapPane)
    .sort((a, b) => style(a).zIndex - style(b).zIndex)
    .map((pane) => ({ pane, mode: style(pane).mixBlendMode }));
}

/** A line or an area that lies on the map, as the browser draws it. */
function drawShape(context, shape, frame, density) {
  const { a, d, e, f } = shape.getScreenCTM();
  const { fill, fillOpacity, stroke, strokeOpacity, strokeWidth } = getComputedStyle(shape);
  const path = new Path2D(shape.getAttribute('d'));
  context.save();
  context.setTransform(density * a, 0, 0, density * d, density * (e - frame.x), density * (f - frame.y));
  context.lineJoin = context.lineCap = 'round';
  if (fill !== 'none') {
    Object.assign(context, { fillStyle: fill, globalAlpha: Number(fillOpacity) });
    context.fill(path, 'evenodd');
  }
  if (stroke !== 'none') {
    Object.assign(context, { strokeStyle: stroke, globalAlpha: Number(strokeOpacity), lineWidth: Number.parseFloat(strokeWidth) });
    context.stroke(path);
  }
  context.restore();
}

/** Draws what a map shows; false while a tile is missing. */
function drawMap(context, map, frame, density) {
  context.imageSmoothingEnabled = map.getZoom() < NATIVE_ZOOM;
  return panesOf(map).every(({ pane, mode }) => {
    context.globalCompositeOperation = mode === 'normal' ? 'source-over' : mode;
    const tiles = [...pane.querySelectorAll('.leaflet-tile')];
    if (!tiles.every((tile) => tile.matches('.leaflet-tile-loaded'))) {
      return false;
    }
    tiles.forEach((tile) => {
      const { x, y, width } = tile.getBoundingClientRect();
      const place = [x - frame.x, y - frame.y, width].map((value) => Math.round(value * density));
      context.drawImage(tile, ...place, place[2]);
    });
    pane.querySelectorAll('path').forEach((shape) => drawShape(context, shape, frame, density));
    return true;
  });
}

/** The part of the stage in which a map is seen. */
function seenPart(map, stage) {
  const { left, top, right, bottom } = map.getContainer().getBoundingClientRect();
  const under = stage.dataset.compare === 'swipe' && map.getContainer().matches('.map-other');
  const split = under ? Number.parseFloat(stage.style.getPropertyValue('--split')) / 100 : 0;
  return { left: left + split * (right - left), top, right, bottom };
}

function sizeOf(stage, density) {
  const { width, height } = stage.getBoundingClientRect();
  return { width: Math.round(width * density), height: Math.round(height * density) };
}

/** A canvas with what is seen of the map, or of both maps, pixel for pixel; null while it is drawn. */
export function drawView(map, stage, density) {
  const frame = stage.getBoundingClientRect();
  const canvas = make('canvas', sizeOf(stage, density));
  const context = canvas.getContext('2d');
  const whole = [map, map.other].filter(Boolean).every((each) => {
    const { left, top, right, bottom } = seenPart(each, stage);
    context.save();
    context.beginPath();
    context.rect(...[left - frame.x, top - frame.y, right - left, bottom - top]
      .map((value) => Math.round(value * density)));
    context.clip();
    context.clearRect(0, 0, canvas.width, canvas.height);
    const done = drawMap(context, each, frame, density);
    context.restore();
    return done;
  });
  return whole ? canvas : null;
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
  const stage = map.getContainer().parentElement;
  const density = () => window.devicePixelRatio || 1;

  function size() {
    const { width, height } = sizeOf(stage, density());
    note.textContent = t('picture.size', { width: String(width), height: String(height) });
  }

  picture.addEventListener('click', () => {
    const canvas = drawView(map, stage, density());
    if (!canvas) {
      note.textContent = t('picture.wait');
      return;
    }
    const state = store.get();
    const what = [state.layer, state.compare].filter(Boolean).join('_');
    canvas.toBlob((blob) => saveFile(blob, fileName(state, what)), 'image/png');
  });

  function allow() {
    heights.disabled = !store.world().layers.some(({ name }) => name === 'terrarium');
  }

  async function saveHeights() {
    const state = store.get();
    const world = store.world();
    heights.disabled = true;
    say('tool', '');
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
    allow();
  }

  heights.addEventListener('click', saveHeights);
  size();
  map.on('resize', size);
  body.append(make('div', { class: 'form' }, picture, heights, note));
  const unsubscribe = store.subscribe(allow);
  return () => {
    unsubscribe();
    map.off('resize', size);
  };
}
