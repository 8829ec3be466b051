// Distance along a line, the area inside one, and what is in a rectangle.

import { L } from './leaflet.js';

import { fetchArea, fetchScore, rectanglePath } from './api.js';
import { choice } from './choice.js';
import { blockLatLng } from './crs.js';
import { element as make } from './dom.js';
import { clampBlock } from './geometry.js';
import { formatNumber, formatShare, nameOf, t } from './i18n.js';
import { onEachMap } from './map.js';
import { changed } from './state.js';
import { swatch } from './swatch.js';

const SCORED_MOST = 1000000; // cells
const SCORED_STEP = 4; // blocks; of cells farther apart slopes are no longer those that are walked on
const BIOMES_SHOWN = 12;
const STYLE = { color: '#fff', weight: 2.5, fillColor: '#fff', fillOpacity: 0.18, interactive: false };
const UNDER = { color: '#10201c', weight: 5, opacity: 0.75, fill: false, interactive: false };

/** Length of a line through the middles of blocks. */
export function lengthOf(points) {
  return points.slice(1).reduce(
    (sum, { x, z }, at) => sum + Math.hypot(x - points[at].x, z - points[at].z), 0);
}

/** Area inside a closed line that does not cross itself. */
export function areaOf(points) {
  const twice = points.reduce((sum, { x, z }, at) => {
    const next = points[(at + 1) % points.length];
    return sum + x * next.z - next.x * z;
  }, 0);
  return Math.abs(twice) / 2;
}

/** The blocks of which two are opposite corners; x1 and z1 exclusive. */
export function rectangleOf([a, b]) {
  return {
    x0: Math.min(a.x, b.x), z0: Math.min(a.z, b.z),
    x1: Math.max(a.x, b.x) + 1, z1: Math.max(a.z, b.z) + 1,
  };
}

/** What is in a rectangle, as the server counted it. */
function resultOf(world, answer) {
  const shares = new Map(answer.biomes.map((each) => [each.id, each.share]));
  const { least: low, median, greatest: high } = answer.height;
  return {
    biomes: world.biomes.map((biome) => ({ biome, share: shares.get(biome.id) ?? 0 })),
    low, median, high, land: answer.land, step: answer.grid.step,
  };
}

/** Scores of the rectangle, from so few cells that the server takes them; null where it is too large. */
async function askScore(world, seed, blocks) {
  const cells = (blocks.x1 - blocks.x0) * (blocks.z1 - blocks.z0);
  const step = Math.ceil(Math.sqrt(cells / SCORED_MOST));
  try {
    return step > SCORED_STEP ? null : await fetchScore(world, { ...blocks, step, seed });
  } catch (error) {
    return { error };
  }
}

function fact(name, value) {
  return make('div', {}, make('dt', {}, t(name)), make('dd', {}, value));
}

function statistics(found, colourOf) {
  const facts = [
    ['measure.low', found.low], ['measure.median', found.median], ['measure.high', found.high],
  ].map(([name, value]) => fact(name, formatNumber(value, 1)));
  facts.push(fact('measure.land', formatShare(found.land)));
  const biomes = found.biomes.filter(({ share }) => share > 0).sort((a, b) => b.share - a.share);
  const rows = biomes.slice(0, BIOMES_SHOWN).map(({ biome, share }) =>
    make('li', {}, swatch(colourOf(biome)), make('span', {}, nameOf(biome)),
      make('span', {}, formatShare(share))));
  const rest = biomes.length - rows.length;
  if (rest > 0) {
    rows.push(make('li', {}, t('more', { count: rest })));
  }
  return [
    make('dl', { class: 'facts' }, ...facts),
    make('ul', { class: 'shares', 'aria-label': t('legend.biomes') }, ...rows),
    ...(found.step > 1 ? [make('p', { class: 'hint' }, t('measure.sampled', { count: found.step }))] : []),
  ];
}

function scores(found) {
  if (!found) {
    const count = SCORED_STEP ** 2 * SCORED_MOST;
    return [make('p', { class: 'hint' }, t('measure.unscored', { count }))];
  }
  if (found.error) {
    return [make('p', { class: 'hint' }, found.error.message)];
  }
  return [
    make('h3', {}, t('measure.score')),
    make('dl', { class: 'facts' },
      fact('score.access', formatShare(found.access)),
      fact('score.build', formatShare(found.build)),
      fact('score.slope', formatNumber(found.slope.mean, 2)),
      fact('score.parts', formatNumber(found.parts))),
  ];
}

const HINTS = { distance: 'measure.hint.line', area: 'measure.hint.line', rectangle: 'measure.hint.corners' };

function draw(group, kind, points) {
  const places = points.map(({ x, z }) => blockLatLng(x, z));
  group.clearLayers();
  const shape = (style) => {
    if (kind === 'rectangle' && points.length === 2) {
      const { x0, z0, x1, z1 } = rectangleOf(points);
      return L.rectangle([[z0, x0], [z1, x1]], style);
    }
    return kind === 'area' && points.length > 2
      ? L.polygon(places, style)
      : L.polyline(places, { ...style, fill: false });
  };
  if (places.length > 1) {
    group.addLayer(shape(UNDER)).addLayer(shape(STYLE));
  }
  places.forEach((place) => {
    group.addLayer(L.circleMarker(place, { ...STYLE, color: '#10201c', radius: 5, fillOpacity: 1 }));
  });
}

/** Links to the rectangle as a picture, and to its heights where the world has them as one. */
function takeAway(picture, blocks) {
  const link = (layer, words) => make('a', {
    class: 'chip', href: rectanglePath({ ...picture, layer }, blocks), download: `${picture.world.name}_${layer}.png`,
  }, words);
  const hasHeights = picture.world.layers.some(({ name }) => name === 'height16');
  return make('div', { class: 'chips' }, link(picture.layer, t('measure.picture')),
    ...(hasHeights ? [link('height16', t('measure.heights'))] : []));
}

/** The part of the tool that says what was measured; `show(kind, points)`. */
function createResult(element, { store, legend }) {
  let asked = 0;

  async function showRectangle(points) {
    const mine = ++asked;
    const put = (...parts) => mine === asked && element.replaceChildren(...parts);
    const picture = store.picture();
    const { world, seed } = picture;
    const blocks = rectangleOf(points);
    const [width, depth] = [blocks.x1 - blocks.x0, blocks.z1 - blocks.z0];
    const size = make('p', { class: 'big' },
      t('measure.size', { width: formatNumber(width), depth: formatNumber(depth) }));
    put(size, make('p', { class: 'hint' }, t('measure.counting')));
    try {
      const found = resultOf(world, await fetchArea(world, { ...blocks, seed }));
      const parts = [size, ...statistics(found, legend.colourOf), takeAway(picture, blocks)];
      put(...parts);
      const score = await askScore(world, seed, blocks);
      put(...parts.slice(0, -1), ...scores(score), parts.at(-1));
    } catch (error) {
      put(size, make('p', { class: 'hint wrong' }, error.message));
    }
  }

  function wordsOf(kind, points) {
    return kind === 'area' && points.length > 2
      ? t('measure.blocks2', { area: formatNumber(areaOf(points), 1) })
      : t('blocks', { count: Math.round(10 * lengthOf(points)) / 10 });
  }

  return {
    show(kind, points) {
      asked++;
      element.replaceChildren();
      if (points.length > 1 && kind === 'rectangle') {
        showRectangle(points);
      } else if (points.length > 1) {
        element.append(make('p', { class: 'big' }, wordsOf(kind, points)));
      }
    },
    end: () => asked++,
  };
}

/** Points by clicks and keys on the map, until the function that this gives is called. */
function watchPoints(map, { add, back }) {
  const click = ({ latlng }) => add(latlng);
  const key = (event) => {
    if (event.key === 'Enter' && event.target === map.getContainer()) {
      add(map.getCenter());
    } else if (event.key === 'Backspace') {
      back();
    }
  };

  map.on('click', click);
  map.doubleClickZoom.disable();
  map.getContainer().addEventListener('keydown', key);
  return () => {
    map.off('click', click);
    map.doubleClickZoom.enable();
    map.getContainer().removeEventListener('keydown', key);
  };
}

export function open(body, { map, store, legend }) {
  const kinds = choice(t('measure.what'), Object.keys(HINTS).map((kind) => [kind, t(`measure.${kind}`)]));
  const hint = make('p', { class: 'hint' });
  const element = make('div', { class: 'result', role: 'status' });
  const again = make('button', { type: 'button', class: 'chip' }, t('measure.again'));
  const groups = new Set();
  const result = createResult(element, { store, legend });
  let points = [];

  function show(next = points) {
    points = next;
    groups.forEach((group) => draw(group, kinds.value(), points));
    hint.textContent = t(HINTS[kinds.value()]);
    again.hidden = points.length === 0;
    result.show(kinds.value(), points);
  }

  /** Takes points on a map, and draws on it what they make. */
  function begin(each) {
    const group = L.layerGroup().addTo(each);
    groups.add(group);
    draw(group, kinds.value(), points);
    const stop = watchPoints(each, {
      add({ lng, lat }) {
        const full = kinds.value() === 'rectangle' && points.length === 2;
        show([...(full ? [] : points), { x: clampBlock(lng), z: clampBlock(lat) }]);
      },
      back: () => show(points.slice(0, -1)),
    });
    return () => {
      stop();
      groups.delete(group);
      group.remove();
    };
  }

  kinds.select('distance');
  kinds.element.addEventListener('change', () => {
    show(kinds.value() === 'rectangle' ? points.slice(0, 2) : points);
  });
  again.addEventListener('click', () => show([]));
  body.append(kinds.element, hint, element, again);
  const ends = [
    onEachMap(map, begin),
    store.subscribe((state, before) => changed(['world', 'layer', 'seed', 'blend'], state, before) && show()),
    result.end,
  ];
  return () => ends.forEach((end) => end());
}
