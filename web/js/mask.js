// A layer over the picture that dims biomes, hides them, or paints them in other colours. It reads
// the biome of each pixel from the colours of the biome layer.

import { tileTemplate, tileUrl } from './api.js';
import { highDensity, tileOptions } from './map.js';
import { PixelLayer } from './canvases.js';
import { wordOf } from './pixels.js';

const VEIL = 0xc0101010; // nearly black
const GONE = 0xff8a8a8a;

/** A colour under the veil, as an opaque word. */
function veiled(colour) {
  const parts = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  const [red, green, blue] = parts.map((value) => Math.round(0.25 * value + 0.75 * 16));
  return ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;
}

/** What to paint over each colour of the biome layer: word -> word, 0 for nothing. */
export function maskWords(biomes, { lit, hidden }, recolour) {
  const words = new Map();
  biomes.forEach((biome) => {
    const dim = lit.size > 0 && !lit.has(biome.id);
    const painted = recolour ? wordOf(recolour(biome)) : 0;
    const dimmed = recolour ? veiled(recolour(biome)) : VEIL;
    const over = hidden.has(biome.id) ? GONE : dim ? dimmed : painted;
    const word = wordOf(biome.colour);
    // Two biomes of one colour cannot be told apart here: what is lit stays in sight.
    if (!words.has(word) || (dim === false && !hidden.has(biome.id))) {
      words.set(word, over);
    }
  });
  return words;
}

function paintMask([biomes], target, words) {
  let last = -1;
  let over = 0;
  for (let at = 0; at < biomes.words.length; at++) {
    const word = biomes.words[at];
    if (word !== last) {
      last = word;
      over = words.get(word) ?? 0;
    }
    target.words[at] = over;
  }
}

/**
 * `picture()`: { world, layer, seed } of the map, null for none; `chosen`: { lit, hidden }, sets of
 * ids; `recolour(picture)`: a function from biome to colour, or null to leave them as they are.
 */
export function createMask(map, { picture, chosen, recolour }) {
  let layer = null;
  let shown = null;
  map.createPane('mask').style.zIndex = 240;

  function create({ world, seed, blend }) {
    const template = tileTemplate({ world, layer: 'biome', seed, blend });
    return new PixelLayer({
      ...tileOptions(world),
      pane: 'mask',
      sources: (coords) => [tileUrl(template, coords, highDensity ? 2 : 1)],
      paint: (pixels, target) => {
        paintMask(pixels, target, maskWords(world.biomes, chosen, recolour(picture())));
      },
    });
  }

  return {
    update() {
      const now = picture();
      const needed = now && (chosen.lit.size + chosen.hidden.size > 0 || recolour(now));
      if (layer && (!needed || shown.world !== now.world || shown.seed !== now.seed || shown.blend !== now.blend)) {
        layer.remove();
        layer = null;
      }
      if (layer) {
        layer.repaint();
      } else if (needed) {
        shown = now;
        layer = create(now).addTo(map);
      }
    },
    remove: () => layer?.remove(),
  };
}
