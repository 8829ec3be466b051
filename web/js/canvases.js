// A grid of canvases that the page paints from the pixels of tiles.

import { L } from './leaflet.js';

import { tilePixels } from './pixels.js';

const FIRST_WAIT = 500; // milliseconds
const LONGEST_WAIT = 30000;

/**
 * Options: `sources(coords)`: URLs of the tiles that one canvas is made from;
 * `paint(pixels, target)`: fills target.words, all 0 at first, from the sources in the same order,
 * `target.coords` being the tile's. A canvas is as large as its first source.
 */
export const PixelLayer = L.GridLayer.extend({
  initialize(options) {
    L.setOptions(this, options);
    this._painted = new Map(); // canvas -> { pixels, coords }
    this.on('tileunload', ({ tile }) => {
      tile.dropped = true;
      this._painted.delete(tile);
    });
  },

  createTile(coords, done) {
    const canvas = document.createElement('canvas');
    this._fill(canvas, coords, done, FIRST_WAIT);
    return canvas;
  },

  /** Paints anew what is there, since what it means has changed. */
  repaint() {
    this._painted.forEach(({ pixels, coords }, canvas) => this._paint(canvas, pixels, coords));
  },

  async _fill(canvas, coords, done, wait) {
    if (canvas.dropped || (wait > FIRST_WAIT && !this._map)) {
      return;
    }
    try {
      const pixels = await Promise.all(this.options.sources(coords).map(tilePixels));
      if (!canvas.dropped) {
        this._painted.set(canvas, { pixels, coords });
        this._paint(canvas, pixels, coords);
        done(null, canvas);
      }
    } catch {
      // The picture beneath says what is wrong; here it is tried again.
      setTimeout(() => this._fill(canvas, coords, done, Math.min(LONGEST_WAIT, 2 * wait)), wait);
    }
  },

  _paint(canvas, pixels, coords) {
    const { width, height } = pixels[0];
    const image = new ImageData(width, height);
    const words = new Uint32Array(image.data.buffer);
    this.options.paint(pixels, { words, width, height, coords });
    canvas.width = width;
    canvas.height = height;
    canvas.getContext('2d').putImageData(image, 0, 0);
  },
});
