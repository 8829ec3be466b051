// What the colours of the layer mean: the biomes of the world, or a range of heights.

import { swatch } from './swatch.js';

function biomeList(world) {
  const list = document.createElement('ul');
  list.className = 'legend-list';
  world.biomes.forEach((biome) => {
    const item = document.createElement('li');
    item.dataset.biome = biome.id;
    item.append(swatch(biome.colour), biome.name);
    list.append(item);
  });
  return list;
}

function heightRamp(world) {
  const ramp = document.createElement('div');
  const bar = document.createElement('div');
  const low = document.createElement('span');
  const high = document.createElement('span');
  ramp.className = 'legend-ramp';
  bar.className = 'legend-ramp-bar';
  low.textContent = `${world.height_low} blocks`;
  high.textContent = `${world.height_high} blocks`;
  ramp.append(bar, low, high);
  return ramp;
}

function sentence(text) {
  const element = document.createElement('p');
  element.textContent = text;
  return element;
}

const BY_LAYER = {
  height: heightRamp,
  terrarium: () => sentence('Height in blocks = red × 256 + green + blue ÷ 256 − 32768.'),
};

export function createLegend(element, store) {
  let biome = null;

  function highlight() {
    element.querySelectorAll('[data-biome]').forEach((item) => {
      item.classList.toggle('here', item.dataset.biome === String(biome));
    });
  }

  store.subscribe((state, before) => {
    if (!before || state.world !== before.world || state.layer !== before.layer) {
      element.replaceChildren((BY_LAYER[state.layer] ?? biomeList)(store.world()));
      highlight();
    }
  });
  return {
    highlight(id) {
      biome = id;
      highlight();
    },
  };
}
