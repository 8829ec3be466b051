// Pixels of tiles, as numbers: for layers that the page draws itself, and for counting.

import { fetchTile, tileTemplate, tileUrl } from './api.js';
import { HALF, NATIVE_ZOOM } from './geometry.js';

const CACHE_BYTES = 48 * 2 ** 20;
export const TILE = 256;

const cache = new Map(); // URL -> { promise, bytes }, the one used last at the end
let cached = 0;

function trim() {
  for (const [url, entry] of cache) {
    if (cached <= CACHE_BYTES) {
      break;
    }
    if (entry.bytes > 0) {
      cached -= entry.bytes;
      cache.delete(url);
    }
  }
}

async function decode(blob) {
  const image = await createImageBitmap(blob, {
    colorSpaceConversion: 'none',
    premultiplyAlpha: 'none',
  });
  const { width, height } = image;
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d', { willReadFrequently: true });
  context.drawImage(image, 0, 0);
  image.close();
  const { data } = context.getImageData(0, 0, width, height);
  return { width, height, words: new Uint32Array(data.buffer) };
}

/** The pixels of the tile at a URL: { width, height, words }, a word a pixel, red in the low byte. */
export function tilePixels(url) {
  let entry = cache.get(url);
  cache.delete(url);
  if (!entry) {
    entry = { bytes: 0 };
    const made = entry;
    made.promise = fetchTile(url).then(decode).then(
      (pixels) => {
        made.bytes = pixels.words.byteLength;
        cached += made.bytes;
        trim();
        return pixels;
      },
      (error) => {
        if (cache.get(url) === made) {
          cache.delete(url);
        }
        throw error;
      },
    );
  }
  cache.set(url, entry);
  return entry.promise;
}

/** A colour "#rrggbb" as the word of an opaque pixel. */
export function wordOf(colour, alpha = 255) {
  const rgb = Number.parseInt(colour.slice(1), 16);
  const [red, green, blue] = [rgb >> 16, (rgb >> 8) & 255, rgb & 255];
  return ((alpha << 24) | (blue << 16) | (green << 8) | red) >>> 0;
}

/** The height in blocks that a pixel of the terrarium layer stands for. */
export function heightOf(word) {
  return (word & 255) * 256 + ((word >> 8) & 255) + ((word >> 16) & 255) / 256 - 32768;
}

/** The deepest zoom, at most `zoom`, at which the rectangle has at most `most` pixels. */
export function countingZoom({ x0, z0, x1, z1 }, zoom, minzoom, most) {
  let at = Math.min(zoom, NATIVE_ZOOM);
  while (at > minzoom && ((x1 - x0) * (z1 - z0)) / 4 ** (NATIVE_ZOOM - at) > most) {
    at--;
  }
  return at;
}

/**
 * The pixels of a rectangle of blocks, x1 and z1 exclusive, at one of the zooms that tiles have;
 * a pixel counts when its centre is inside. All tiles are awaited; one that fails fails them all.
 */
export async function areaPixels(picture, { x0, z0, x1, z1 }, zoom) {
  const template = tileTemplate(picture);
  const step = 2 ** (NATIVE_ZOOM - zoom);
  const first = (block) => Math.max(0, Math.round((block + HALF) / step));
  const last = (block) => Math.min(TILE * 2 ** zoom, Math.round((block + HALF) / step));
  const [left, top] = [first(x0), first(z0)];
  const right = Math.max(left + 1, last(x1));
  const bottom = Math.max(top + 1, last(z1));
  const width = right - left;
  const height = bottom - top;
  const words = new Uint32Array(width * height);
  const jobs = [];
  for (let y = Math.floor(top / TILE); y * TILE < bottom; y++) {
    for (let x = Math.floor(left / TILE); x * TILE < right; x++) {
      jobs.push(
        tilePixels(tileUrl(template, { x, y, z: zoom })).then((tile) => {
          const from = Math.max(left, x * TILE);
          const to = Math.min(right, (x + 1) * TILE);
          for (let row = Math.max(top, y * TILE); row < Math.min(bottom, (y + 1) * TILE); row++) {
            const at = (row - y * TILE) * TILE - x * TILE;
            words.set(tile.words.subarray(at + from, at + to), (row - top) * width + from - left);
          }
        }),
      );
    }
  }
  await Promise.all(jobs);
  return { width, height, words, step };
}

/** How many pixels of each word there are. */
export function countWords(words) {
  const counts = new Map();
  let run = 0;
  for (let at = 0; at < words.length; at++) {
    run++;
    if (words[at] !== words[at + 1]) {
      counts.set(words[at], (counts.get(words[at]) ?? 0) + run);
      run = 0;
    }
  }
  return counts;
}

/** The blocks that a map shows, from the north-west corner on, x1 and z1 exclusive. */
export function viewBlocks(map) {
  const bounds = map.getBounds();
  const inside = (value) => Math.min(HALF, Math.max(-HALF, value));
  return {
    x0: inside(Math.floor(bounds.getWest())),
    z0: inside(Math.floor(bounds.getSouth())),
    x1: inside(Math.ceil(bounds.getEast())),
    z1: inside(Math.ceil(bounds.getNorth())),
  };
}
