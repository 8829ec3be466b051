// The nearest block of a biome, looked for on coarse biome tiles: for servers that do not locate.

import { tileTemplate, tileUrl } from './api.js';
import { HALF, NATIVE_ZOOM } from './geometry.js';
import { TILE, tilePixels, wordOf } from './pixels.js';

/** Zooms that are looked at, the finest first, each with all tiles around the one of the place. */
const FINEST = 16;
const COARSER = 2;

/** The place of the pixel of that word which is nearest to (x, z), or null. */
function nearestIn(tile, word, coords, { x, z }) {
  const step = 2 ** (NATIVE_ZOOM - coords.z);
  const [left, top] = [coords.x * TILE * step - HALF, coords.y * TILE * step - HALF];
  let best = null;
  for (let at = tile.words.indexOf(word); at >= 0; at = tile.words.indexOf(word, at + 1)) {
    const place = {
      x: left + (at % TILE) * step + Math.floor(step / 2),
      z: top + Math.floor(at / TILE) * step + Math.floor(step / 2),
    };
    const distance = Math.hypot(place.x - x, place.z - z);
    if (!best || distance < best.distance) {
      best = { ...place, distance };
    }
  }
  return best;
}

export async function nearestOnTiles({ world, seed }, biome, from) {
  const template = tileTemplate({ world, layer: 'biome', seed });
  const word = wordOf(biome.colour);
  for (let zoom = FINEST; zoom >= world.minzoom; zoom -= COARSER) {
    const side = TILE * 2 ** (NATIVE_ZOOM - zoom);
    const middle = { x: Math.floor((from.x + HALF) / side), y: Math.floor((from.z + HALF) / side) };
    const looks = [];
    for (let y = middle.y - 1; y <= middle.y + 1; y++) {
      for (let x = middle.x - 1; x <= middle.x + 1; x++) {
        if (x >= 0 && y >= 0 && x < 2 ** zoom && y < 2 ** zoom) {
          const coords = { x, y, z: zoom };
          looks.push(tilePixels(tileUrl(template, coords)).then((tile) => nearestIn(tile, word, coords, from)));
        }
      }
    }
    const found = (await Promise.all(looks)).filter(Boolean);
    if (found.length > 0) {
      return found.reduce((a, b) => (a.distance <= b.distance ? a : b));
    }
  }
  return null;
}
