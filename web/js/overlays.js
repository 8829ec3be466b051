// What lies on top of a picture: the grid of chunks and regions, hill shade, contours, and layers
// that the server draws to be laid over others.

import { L } from './leaflet.js';

import { fetchBorder, tileTemplate, tileUrl } from './api.js';
import { HALF, NATIVE_ZOOM } from './geometry.js';
import { highDensity, tileOptions } from './map.js';
import { PixelLayer } from './canvases.js';
import { heightOf, TILE } from './pixels.js';
import { changed, hasOverlay, overlaysOf, SHADE_DEFAULT } from './state.js';
import { SteadyTileLayer } from './tiles.js';

const CHUNK = 16; // blocks
const REGION = 512;
const LABEL_ROOM = 72; // pixels of a cell that is large enough for its name

const SCALE = highDensity ? 2 : 1;

/** Heights of contours apart, in blocks. */
function contourStep(zoom) {
  return [8, 8, 16, 16, 32][Math.max(0, NATIVE_ZOOM - zoom)] ?? 64;
}

/** Grids that are drawn at a zoom: { size, strength, name(x, z) }, the coarse one last. */
export function gridsAt(zoom) {
  const pixels = (blocks) => blocks * 2 ** (zoom - NATIVE_ZOOM);
  const grids = [];
  if (pixels(CHUNK) >= 16) {
    grids.push({ size: CHUNK, strength: 0.4, name: (x, z) => `${x}, ${z}` });
  }
  const named = pixels(REGION) >= LABEL_ROOM;
  if (pixels(REGION) >= 16) {
    grids.push({ size: REGION, strength: named ? 0.85 : 0.3, name: (x, z) => `r.${x}.${z}` });
  }
  if (!named) {
    let size = REGION;
    while (pixels(size) < 128) {
      size *= 2;
    }
    grids.push({ size, strength: 0.85, name: (x, z) => `x ${x * size}\nz ${z * size}` });
  }
  return grids;
}

function line(context, x, y, length, down, strength) {
  const rect = (width, colour) => {
    context.fillStyle = colour;
    context.fillRect(x, y, down ? width : length, down ? length : width);
  };
  rect(2, `rgb(0 0 0 / ${0.5 * strength})`);
  rect(1, `rgb(255 255 255 / ${strength})`);
}

function label(context, text, x, y) {
  context.font = '600 11px system-ui, sans-serif';
  context.lineWidth = 3;
  context.lineJoin = 'round';
  context.strokeStyle = 'rgb(0 0 0 / 75%)';
  context.fillStyle = '#fff';
  text.split('\n').forEach((part, at) => {
    context.strokeText(part, x + 5, y + 14 + 14 * at);
    context.fillText(part, x + 5, y + 14 + 14 * at);
  });
}

const GridOverlay = L.GridLayer.extend({
  createTile(coords) {
    const canvas = document.createElement('canvas');
    const context = canvas.getContext('2d');
    const density = window.devicePixelRatio || 1;
    const blocks = TILE * 2 ** (NATIVE_ZOOM - coords.z);
    canvas.width = canvas.height = Math.round(TILE * density);
    context.scale(density, density);
    const [x0, z0] = [coords.x * blocks - HALF, coords.y * blocks - HALF];
    gridsAt(coords.z).forEach((grid) => this._drawGrid(context, grid, x0, z0, blocks));
    return canvas;
  },

  _drawGrid(context, { size, strength, name }, x0, z0, blocks) {
    const pixel = TILE / blocks;
    const lines = (from) => {
      const places = [];
      for (let at = Math.ceil(from / size); at * size < from + blocks; at++) {
        places.push(at + 0);
      }
      return places;
    };
    lines(x0).forEach((x) => line(context, (x * size - x0) * pixel, 0, TILE, true, strength));
    lines(z0).forEach((z) => line(context, 0, (z * size - z0) * pixel, TILE, false, strength));
    if (size * pixel >= LABEL_ROOM) {
      lines(x0).forEach((x) => lines(z0).forEach((z) => {
        label(context, name(x, z), (x * size - x0) * pixel, (z * size - z0) * pixel);
      }));
    }
  },
});

/** URLs of a height tile and of its neighbours in the east and south, where there are any. */
function heightSources(picture) {
  const template = tileTemplate({ ...picture, layer: 'terrarium' });
  return ({ x, y, z }) => {
    const last = 2 ** z - 1;
    // Where a block is a pixel, more pixels would only repeat it.
    const scale = z < NATIVE_ZOOM ? SCALE : 1;
    const at = (dx, dy) =>
      tileUrl(template, { x: Math.min(last, x + dx), y: Math.min(last, y + dy), z }, scale);
    return [at(0, 0), at(1, 0), at(0, 1)];
  };
}

/** Calls see(at, height, toEast, toSouth) for each pixel. */
function overHeights([own, east, south], { width, height }, see) {
  const rows = new Float32Array((width + 1) * (height + 1));
  const wide = width + 1;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      rows[y * wide + x] = heightOf(own.words[y * width + x]);
    }
    rows[y * wide + width] = heightOf(east.words[y * width]);
  }
  for (let x = 0; x < width; x++) {
    rows[height * wide + x] = heightOf(south.words[x]);
  }
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at++) {
      const here = y * wide + x;
      see(at, rows[here], rows[here + 1], rows[here + wide]);
    }
  }
}

/** Light from the north-west: white on slopes that face it, black on those behind. */
export function paintShade(pixels, target, strength) {
  const step = (2 ** (NATIVE_ZOOM - target.coords.z) * TILE) / target.width;
  const most = 2.2 * strength * 255;
  overHeights(pixels, target, (at, here, east, south) => {
    const rise = (east - here + south - here) / Math.max(1, step);
    const light = rise / Math.sqrt(8 + rise * rise);
    const alpha = Math.min(200, Math.round(most * Math.abs(light)));
    target.words[at] = light > 0 ? ((alpha << 24) | 0xffffff) >>> 0 : (alpha << 24) >>> 0;
  });
}

export function paintContours(pixels, target) {
  const step = contourStep(target.coords.z);
  const thin = 0x8c101010;
  const thick = 0xe0101010;
  overHeights(pixels, target, (at, here, east, south) => {
    const level = Math.floor(here / step);
    const other = [Math.floor(east / step), Math.floor(south / step)].find((each) => each !== level);
    if (other !== undefined) {
      target.words[at] = Math.max(level, other) % 5 === 0 ? thick : thin;
    }
  });
}

/** How much of the light of `bare` is left in `wooded`, channel by channel, as a colour to multiply with. */
function shareOfLight(bare, wooded) {
  const share = (shift) => {
    const [before, after] = [(bare >> shift) & 255, (wooded >> shift) & 255];
    return before === 0 ? 255 : Math.min(255, Math.round((255 * after) / before));
  };
  return ((255 << 24) | (share(16) << 16) | (share(8) << 8) | share(0)) >>> 0;
}

/** What trees do to a relief, from afar no more than a tint, is done to whatever they lie over. */
export function paintTrees([bare, wooded], target) {
  for (let at = 0; at < target.words.length; at++) {
    const [before, after] = [bare.words[at], wooded.words[at]];
    target.words[at] = before === after ? 0 : shareOfLight(before, after);
  }
}

/** A layer of the server that is light or dark where it has nothing to say. */
function laidOver(picture, layer, pane) {
  return new SteadyTileLayer(tileTemplate({ ...picture, layer }), { ...tileOptions(picture.world), pane });
}

/** The line of the world's border; it may move, and is asked for anew each time it is shown. */
function createBorder({ world }) {
  const group = L.layerGroup();
  const style = ({ properties: { role, colour } }) =>
    role === 'border' ? { color: colour, weight: 4 } : { stroke: false, fillColor: colour, fillOpacity: 0.3 };
  const wanted = new AbortController();
  fetchBorder(world, wanted.signal).then(
    (json) => group.addLayer(L.geoJSON(json, {
      interactive: false,
      style,
      coordsToLatLng: ([x, z]) => L.latLng(z, x),
    })),
    () => {}, // without an answer there is no line; the picture says when the server is away
  );
  group.on('remove', () => wanted.abort());
  return group;
}

function canvases(picture, sources, paint, pane = 'overlays') {
  return new PixelLayer({ ...tileOptions(picture.world), pane, sources, paint });
}

const MAKERS = {
  grid: ({ world }) =>
    new GridOverlay({ ...tileOptions(world), maxNativeZoom: undefined, pane: 'grid' }),
  shade: (picture, state) =>
    canvases(picture, heightSources(picture), (pixels, target) =>
      paintShade(pixels, target, (state().shade ?? SHADE_DEFAULT) / 100)),
  contours: (picture) => canvases(picture, heightSources(picture), paintContours),
  trees(picture) {
    const templates = ['relief', 'trees'].map((layer) => tileTemplate({ ...picture, layer }));
    const sources = (coords) => templates.map((template) => tileUrl(template, coords, SCALE));
    return canvases(picture, sources, paintTrees, 'multiply');
  },
  rivers: (picture) => laidOver(picture, 'rivers', 'multiply'),
  blending: (picture) => laidOver(picture, 'border', 'screen'),
  border: createBorder,
};

/** The overlays of one map that has a view; `pictureOf()` says what it shows now. Gives a function that ends it. */
export function createOverlays(map, store, pictureOf) {
  const shown = new Map(); // name -> layer
  map.createPane('overlays').style.zIndex = 250;
  map.createPane('grid').style.zIndex = 260;
  for (const mode of ['multiply', 'screen']) {
    const { style } = map.createPane(mode);
    style.zIndex = 252;
    style.mixBlendMode = mode;
  }

  function update(state, before) {
    const fresh = changed(
      ['world', 'seed', 'blend', 'compare', 'world2', 'seed2', 'blend2'],
      state,
      before,
    );
    for (const [name, layer] of shown) {
      if (fresh || !hasOverlay(state, name)) {
        layer.remove();
        shown.delete(name);
      }
    }
    const picture = pictureOf();
    const names = picture ? overlaysOf(picture.world) : [];
    for (const name of names.filter((each) => hasOverlay(state, each))) {
      if (!shown.has(name)) {
        shown.set(name, MAKERS[name](picture, store.get).addTo(map));
      }
    }
    if (before && state.shade !== before.shade) {
      shown.get('shade')?.repaint();
    }
  }

  return store.subscribe(update);
}
