// Selectors of what a map shows: the layers of a world, and its ways of blending.

import { element as make, option } from './dom.js';
import { layerTitle, t } from './i18n.js';

/** Layers of data are no maps and not offered; a link may still show one. */
export function fillLayers(select, { layers }, layer) {
  select.replaceChildren(...layers.map((each) =>
    make('option', { value: each.name, hidden: each.data === true }, layerTitle(each))));
  select.value = layer;
}

/** `blend`: null for the world's own way. False where there is nothing to choose. */
export function fillBlends(select, { blend: { methods = [] } = {}, layers }, blend) {
  select.replaceChildren(...methods.map((name) => option(name, t(`blend.${name}`))));
  select.value = blend ?? methods[0] ?? '';
  // Only worlds whose biomes run into each other have a layer of their borders.
  return methods.length > 1 && layers.some(({ name }) => name === 'border');
}
