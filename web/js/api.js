// The server's routes, all relative to the page, so that any prefix before them works.

import { NATIVE_ZOOM } from './geometry.js';
import { t } from './i18n.js';

/** An answer that is no success, in words for people. */
export class ServerError extends Error {
  constructor(message, status = 0, retryAfter = 0) {
    super(message);
    this.status = status;
    this.retryAfter = retryAfter; // seconds; 0: not said
  }
}

async function toError(response) {
  const retryAfter = Number(response.headers.get('Retry-After')) || 0;
  let message = t('error.status', { status: String(response.status) });
  try {
    message = (await response.json()).error.message || message;
  } catch {
    // Something between here and the server answered in its own way; the status has to do.
  }
  return new ServerError(message, response.status, retryAfter);
}

async function request(path, options) {
  let response;
  try {
    response = await fetch(path, options);
  } catch (error) {
    if (options?.signal?.aborted) {
      throw error;
    }
    throw new ServerError(t('error.away'));
  }
  if (!response.ok) {
    throw await toError(response);
  }
  return response;
}

function query(parameters) {
  const parts = Object.entries(parameters)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([key, value]) => `${key}=${encodeURIComponent(value)}`);
  return parts.length > 0 ? `?${parts.join('&')}` : '';
}

/** { worlds, configuration }: all there are, and whether a newer configuration of them is broken. */
export async function fetchWorlds() {
  return (await request('api/worlds')).json();
}

export async function fetchPoint(world, { x, z, seed, blend, zoom }, signal) {
  const path = worldPath(world, 'point') + query({ x, z, seed, blend, zoom });
  return (await request(path, { signal })).json();
}

function worldPath(world, what) {
  return `api/worlds/${encodeURIComponent(world)}/${what}`;
}

async function requestOf(world, what, parameters, signal) {
  const path = worldPath(world.name, what) + query(parameters);
  return (await request(path, { signal })).json();
}

/** Statistics of a rectangle, x1 and z1 exclusive. */
export function fetchArea(world, { x0, z0, x1, z1, seed }, signal) {
  return requestOf(world, 'area', { x0, z0, x1, z1, seed }, signal);
}

/** The block of a biome that is nearest to a place, at most `within` blocks away. */
export function fetchNearest(world, { biome, x, z, within, seed }, signal) {
  return requestOf(world, 'locate', { biome, x, z, within, seed }, signal);
}

/** The border of a world, as GeoJSON in blocks. */
export function fetchBorder(world, signal) {
  return requestOf(world, 'border', {}, signal);
}

/** Scores of a rectangle, from one of `step` blocks a side each. */
export function fetchScore(world, { x0, z0, x1, z1, step, seed }, signal) {
  return requestOf(world, 'score', { x0, z0, x1, z1, step, seed }, signal);
}

/** Asks for a tile once more, only to learn what the server says of it. */
export async function probeTile(url) {
  await (await request(url, { cache: 'no-cache' })).arrayBuffer();
}

export async function fetchTile(url, signal) {
  return (await request(url, { signal })).blob();
}

/**
 * A Leaflet template; every value that is not in braces is safe in a URL and in a template. The hash
 * of the world lets the browser keep a tile for good; that of another seed or way of blending is not
 * known here. `blend`: null for the world's own.
 */
export function tileTemplate({ world, layer, seed, blend = null }) {
  const path = layerPath({ world, layer });
  const v = seed === null && blend === null ? world.hash : null;
  return `tiles/${path}/{z}/{x}/{y}{r}.png${query({ seed, blend, v })}`;
}

/** The address of one tile of a template. */
export function tileUrl(template, { x, y, z }, scale = 1) {
  const values = { x, y, z, r: scale === 2 ? '@2x' : '' };
  return template.replace(/\{([xyzr])\}/g, (whole, key) => values[key]);
}

function layerPath({ world, layer }) {
  return [world.name, layer].map(encodeURIComponent).join('/');
}

export function tileJsonPath({ seed, blend, ...picture }) {
  return `tiles/${layerPath(picture)}.json${query({ seed, blend })}`;
}

export function legendPath(picture) {
  return `legend/${layerPath(picture)}.png`;
}

export const WMTS_PATH = 'wmts/1.0.0/WMTSCapabilities.xml';

const SIDE_MOST = 1024; // of a picture, before @2x
const PIXELS_MOST = 2097152;

/** A picture of a rectangle in whole pixels, as large as the server makes it; of heights their 16 bits. */
export function rectanglePath({ seed, blend, ...picture }, { x0, z0, x1, z1 }) {
  let step = 1;
  while (Math.max(x1 - x0, z1 - z0) / step > SIDE_MOST) {
    step *= 2;
  }
  const [width, height] = [x1 - x0, z1 - z0].map((side) => Math.ceil(side / step));
  return `static/${layerPath(picture)}/${x0},${z0},${x1},${z1}/${width}x${height}.png${query({ seed, blend })}`;
}

/**
 * A picture of a view, pixel for pixel where the server makes one that large, else from farther away.
 * `blocks`: those that are seen; `size`: pixels.
 */
export function staticPath({ seed, blend, ...picture }, { x0, z0, x1, z1 }, zoom, size) {
  const fits = ({ width, height, scale, at }) => at >= picture.world.minzoom && at <= NATIVE_ZOOM &&
    Math.max(width, height) <= SIDE_MOST && width * height * scale ** 2 <= PIXELS_MOST;
  const form = (at, scale) => {
    const side = (value) => Math.max(1, Math.round(value / 2 ** (zoom - at)));
    return { at, scale, width: side(size.x), height: side(size.y) };
  };
  const forms = [];
  for (let at = zoom; at >= picture.world.minzoom; at--) {
    forms.push(form(at, 1), form(at - 1, 2));
  }
  const { at, scale, width, height } = forms.find(fits) ?? forms.at(-2);
  const name = `${Math.min(SIDE_MOST, width)}x${Math.min(SIDE_MOST, height)}${scale === 2 ? '@2x' : ''}`;
  const [x, z] = [x0 + Math.floor((x1 - x0) / 2), z0 + Math.floor((z1 - z0) / 2)];
  return `static/${layerPath(picture)}/${x},${z},${at}/${name}.png${query({ seed, blend })}`;
}
