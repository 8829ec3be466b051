// What the colours of a layer mean, as the server says it.

import { element as make } from './dom.js';
import { formatNumber, has, t } from './i18n.js';
import { swatch } from './swatch.js';

const RAMP_ROOM = 12; // percent of a ramp between two marks

function heightRamp(world) {
  return make(
    'div',
    { class: 'legend-ramp' },
    make('div', { class: 'legend-ramp-bar' }),
    make('span', {}, t('blocks', { count: world.height_low })),
    make('span', {}, t('blocks', { count: world.height_high })),
  );
}

function unitOf(text) {
  return has(`unit ${text}`) ? t(`unit ${text}`) : text;
}

function labelOf(text) {
  return has(`label ${text}`) ? t(`label ${text}`) : text;
}

/** A bar of colours by value, with the values under it; marks that are too close have none. */
function valueRamp({ unit, stops }) {
  const values = stops.map(({ value }) => value);
  const [low, high] = [values[0], values.at(-1)];
  const place = (value) => (100 * (value - low)) / (high - low);
  const bar = make('div', { class: 'legend-ramp-bar' });
  const colours = stops.map(({ value, colour }) => `${colour} ${place(value)}%`);
  bar.style.backgroundImage = `linear-gradient(90deg, ${colours.join(', ')})`;
  let last = -Infinity;
  const marks = stops.filter(({ value }) => {
    const room = place(value) - last >= RAMP_ROOM || value === high;
    last = room ? place(value) : last;
    return room;
  }).map(({ value }) => make('span', {}, formatNumber(value, 3)));
  return make('div', { class: 'legend-ramp' }, bar, ...marks,
    make('p', { class: 'hint' }, unitOf(unit)));
}

function labelList({ stops }) {
  const rows = stops.map(({ label, colour }) => make('li', {}, swatch(colour), labelOf(label)));
  return make('ul', { class: 'legend-labels' }, ...rows);
}

function fromServer({ stops, ...legend }) {
  const isRamp = stops.every(({ value }) => Number.isFinite(value)) && stops.length > 1;
  return isRamp ? valueRamp({ stops, ...legend }) : labelList({ stops });
}

const OURS = {
  height: heightRamp,
  terrarium: () => make('p', { class: 'hint' }, t('legend.terrarium')),
  mapbox: () => make('p', { class: 'hint' }, t('legend.mapbox')),
  height16: ({ height_low: low, height_high: high }) =>
    make('p', { class: 'hint' }, t('legend.height16', { low: String(2 * low - high), range: String(3 * (high - low)) })),
};

/** Elements, none where the colours are those of the biomes alone. */
export function keyOf(world, layer) {
  const made = layer.legend ? fromServer(layer.legend) : OURS[layer.name]?.(world);
  return made ? [made] : [];
}
