// The scale bar: a round number of blocks, at most WIDTH pixels long.

import { blocksPerPixel, roundLength } from './geometry.js';
import { t } from './i18n.js';

const WIDTH = 120;

export function createScale(element, map) {
  const bar = element.querySelector('[data-part="bar"]');
  const text = element.querySelector('[data-part="text"]');

  function update() {
    const span = blocksPerPixel(map.getZoom());
    const blocks = roundLength(WIDTH * span);
    bar.style.width = `${Math.round(blocks / span)}px`;
    text.textContent = t('blocks', { count: blocks });
  }

  map.on('zoomend', update);
  map.whenReady(update);
}
