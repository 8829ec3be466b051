// Blocks, pixels and zooms: the numbers of the world square. No DOM in here.

/** Half a side of the world square: it covers x and z from -HALF to HALF - 1 blocks. */
export const HALF = 2 ** 25;

/** One block a pixel; deeper zooms magnify its tiles. */
export const NATIVE_ZOOM = 18;
export const MAX_ZOOM = 22;

/** Blocks that one CSS pixel spans. */
export function blocksPerPixel(zoom) {
  return 2 ** (NATIVE_ZOOM - zoom);
}

/** The block that holds a place, kept inside the world. NaN gives `fallback`. Never -0. */
export function clampBlock(value, fallback = 0) {
  if (Number.isNaN(value)) {
    return fallback;
  }
  return Math.floor(Math.min(HALF - 1, Math.max(-HALF, value))) + 0;
}

/** A whole zoom between `min` and MAX_ZOOM. NaN gives `fallback`. */
export function clampZoom(value, min, fallback) {
  const zoom = Number.isNaN(value) ? fallback : value;
  return Math.round(Math.min(MAX_ZOOM, Math.max(min, zoom)));
}

/**
 * The zoom whose pixels are as large as those of the tiles on screen: on a screen of high density
 * a tile has twice the pixels, as its four children would.
 */
export function sampleZoom(zoom, highDensity) {
  return Math.min(NATIVE_ZOOM, Math.round(zoom) + (highDensity ? 1 : 0));
}

/** The block that the tile pixel over this place shows: the one that holds the pixel's centre. */
export function shownBlock(value, zoom) {
  const span = Math.max(1, blocksPerPixel(zoom));
  return clampBlock(Math.floor(value / span) * span + Math.floor(span / 2));
}

/** The longest of 1, 2 or 5 times a power of ten that is at most `limit`, and at least 1. */
export function roundLength(limit) {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, limit)));
  const step = [5, 2, 1].find((factor) => factor * power <= limit) ?? 1;
  return step * power;
}

/**
 * A place as people write it: "12, -7", "x=12 z=-7", or three numbers as games print them, of which
 * the middle one is the height. Null when it is none of these.
 */
export function parsePlace(written) {
  const text = written.replaceAll('\u2212', '-'); // the sign of minus, as typeset texts have it
  const numbers = text.match(/[+-]?\d+(?:\.\d+)?/g) ?? [];
  const rest = text.replace(/[+-]?\d+(?:\.\d+)?/g, '').replace(/[\s,;:=()[\]xyz/]|tp/gi, '');
  if (rest !== '' || numbers.length < 2 || numbers.length > 3) {
    return null;
  }
  return { x: clampBlock(Number(numbers[0])), z: clampBlock(Number(numbers.at(-1))) };
}
