// A tile layer that keeps what it has until something better has arrived.
//
// Leaflet forgets all tiles where it does not animate a zoom; here they stay until new ones cover
// them, as they do in an animated one.
//
// A tile that fails stays "loading" for Leaflet, so that the picture of another zoom remains under
// it. One failed tile is then asked for again, slower each time; once it comes, so do the others.

import { L } from './leaflet.js';

import { probeTile } from './api.js';

const FIRST_WAIT = 400; // milliseconds
const LONGEST_WAIT = 30000;

export const SteadyTileLayer = L.TileLayer.extend({
  initialize(url, options) {
    L.TileLayer.prototype.initialize.call(this, url, options);
    this._failed = new Map(); // image -> URL
    this._wait = FIRST_WAIT;
    this._timer = 0;
    this.on('tileunload tileabort', (event) => this._failed.delete(event.tile));
  },

  getEvents() {
    const events = L.TileLayer.prototype.getEvents.call(this);
    delete events.viewprereset;
    return events;
  },

  onRemove(map) {
    clearTimeout(this._timer);
    this._failed.clear();
    L.TileLayer.prototype.onRemove.call(this, map);
  },

  createTile(coords, done) {
    const tile = document.createElement('img');
    const url = this.getTileUrl(coords);
    tile.alt = '';
    tile.draggable = false;
    tile.addEventListener('load', () => {
      this._failed.delete(tile);
      done(null, tile);
    });
    tile.addEventListener('error', () => {
      if (tile.getAttribute('src') === url) {
        this._failed.set(tile, url);
        this._schedule(this._wait);
      }
    });
    tile.src = url;
    return tile;
  },

  _schedule(wait) {
    if (!this._timer && this._map) {
      this._timer = setTimeout(() => this._recover(), wait);
    }
  },

  async _recover() {
    const [url] = this._failed.values();
    if (url !== undefined) {
      try {
        await probeTile(url);
        this._wait = FIRST_WAIT;
        this.fire('recover');
        this._failed.forEach((source, tile) => {
          tile.src = source;
        });
        this._failed.clear();
      } catch (error) {
        this._wait = Math.min(LONGEST_WAIT, 2 * this._wait);
        this.fire('trouble', { error });
        this._timer = 0;
        this._schedule(Math.max(this._wait, 1000 * error.retryAfter || 0));
        return;
      }
    } else {
      this.fire('recover');
    }
    this._timer = 0;
  },
});
