// The map itself: view, tiles, and the change from one picture to the next.

import { L } from './leaflet.js';

import { tileTemplate } from './api.js';
import { viewLatLng, worldBounds, worldCrs } from './crs.js';
import { blocksPerPixel, clampBlock, MAX_ZOOM, NATIVE_ZOOM } from './geometry.js';
import { t } from './i18n.js';
import { changed } from './state.js';
import { SteadyTileLayer } from './tiles.js';

/** Pixels; beyond it tiles of before and after do not fit in one frame of whole pixels. */
const FAR = 2 ** 15;

const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;

/** True where tiles of twice the pixels are asked for. */
export const highDensity = L.Browser.retina;

// Tiles between two whole pixels show hairlines; in a glide, too, every frame is on whole ones.
const runFrame = L.PosAnimation.prototype._runFrame;
L.PosAnimation.include({
  _runFrame(progress) {
    runFrame.call(this, progress, true);
  },
});

const CalmMap = L.Map.extend({
  panBy(offset, options) {
    return L.Map.prototype.panBy.call(this, offset, { ...options, animate: false });
  },
});

/**
 * A map without a view yet, pixelated when magnified. When its element gets another size `recentre`
 * is called, since the old centre is no longer in the middle.
 */
export function createLeaflet(element, recentre) {
  const map = new (calm ? CalmMap : L.Map)(element, {
    crs: worldCrs,
    maxZoom: MAX_ZOOM,
    maxBounds: worldBounds,
    maxBoundsViscosity: 1,
    zoomControl: false,
    attributionControl: false,
    bounceAtZoomLimits: false,
    worldCopyJump: false,
    trackResize: false,
    inertia: !calm,
    zoomAnimation: !calm,
    fadeAnimation: !calm,
    markerZoomAnimation: !calm,
  });
  map.on('moveend', () => {
    element.classList.toggle('magnified', map.getZoom() >= NATIVE_ZOOM);
  });
  const observer = new ResizeObserver(() => {
    map.resizing = true;
    map.invalidateSize({ pan: false });
    recentre();
    map.resizing = false;
  });
  observer.observe(element);
  map.on('unload', () => observer.disconnect());
  return map;
}

/**
 * Calls `begin(each)` for the main map and for the second one, whenever there is one; what it gives
 * ends it again. Gives a function that ends all of it.
 */
export function onEachMap(map, begin) {
  const endFirst = begin(map);
  let endOther = null;
  const change = () => {
    endOther?.();
    endOther = map.other && begin(map.other);
  };

  map.on('other', change);
  change();
  return () => {
    map.off('other', change);
    endOther?.();
    endFirst();
  };
}

/** What every grid of tiles over this world has in common. */
export function tileOptions(world) {
  return {
    minZoom: world.minzoom,
    maxZoom: MAX_ZOOM,
    maxNativeZoom: NATIVE_ZOOM,
    bounds: worldBounds,
    noWrap: true,
    keepBuffer: 1,
    updateWhenZooming: false,
  };
}

/**
 * The layers on the map. A layer that is replaced stays underneath until the whole new picture is
 * there, or until the person moves on and some of it is.
 */
function createStack(map, busy) {
  let top = null;
  let arrived = false;
  let beneath = [];

  function settle() {
    if (arrived) {
      beneath.forEach((layer) => layer.remove());
      beneath = [];
    }
  }

  map.on('movestart zoomstart', settle);
  return {
    /** Moves the map too far for what is on it to be of use. */
    jump(move) {
      beneath.forEach((layer) => layer.remove());
      beneath = [];
      top?.remove();
      move();
      top?.addTo(map);
    },
    put(layer) {
      if (top && arrived) {
        beneath.push(top);
      } else {
        top?.remove();
      }
      top = layer;
      arrived = false;
      layer.once('tileload', () => {
        arrived = true;
      });
      layer.on('loading', () => layer === top && busy(true));
      layer.on('load', () => {
        if (layer === top) {
          busy(false);
          settle();
        }
      });
      layer.addTo(map);
    },
  };
}

/** Shows a world, layer and seed on a map, and says when its tiles fail. */
export function createPicture(map, { say, busy }) {
  const stack = createStack(map, busy);
  return {
    jump: stack.jump,
    show(picture) {
      const tiles = new SteadyTileLayer(tileTemplate(picture), tileOptions(picture.world));
      tiles.on('recover', () => say(''));
      tiles.on('trouble', ({ error }) => say(`${error.message} ${t('error.again')}`, 'error'));
      say('');
      stack.put(tiles);
    },
  };
}

/**
 * The main map. While `map.following` is true another map leads it, and the state stays. `map.other`
 * is the second map of a comparison, null without one; "other" is fired whenever that changes.
 */
export function createMap(element, store, tell) {
  const map = createLeaflet(element, () => recentre());
  map.other = null;
  const picture = createPicture(map, tell);
  let steered = false; // the state moves the map, not the person

  function view() {
    const { lat, lng } = map.getCenter();
    return { x: clampBlock(lng), z: clampBlock(lat), zoom: map.getZoom() };
  }

  function isFar(centre, zoom) {
    const distance = map.distance(map.getCenter(), centre);
    return distance / blocksPerPixel(Math.max(zoom, map.getZoom())) > FAR;
  }

  function showView(state, before) {
    map.options.minZoom = store.minzoom();
    if (before && !changed(['x', 'z', 'zoom'], state, view())) {
      return;
    }
    const centre = viewLatLng(state.x, state.z, state.zoom);
    const move = () => map.setView(centre, state.zoom, { animate: false });
    steered = true;
    if (before && isFar(centre, state.zoom)) {
      picture.jump(move);
    } else {
      move();
    }
    steered = false;
  }

  function recentre() {
    const state = store.get();
    if (state) {
      map.setView(viewLatLng(state.x, state.z, state.zoom), state.zoom, { animate: false });
    }
  }

  map.on('moveend', () => {
    if (!steered && !map.following && !map.resizing && Number.isInteger(map.getZoom())) {
      store.set(view(), { record: 'replaceState' });
    }
  });
  store.subscribe((state, before) => {
    showView(state, before);
    if (changed(['world', 'layer', 'seed', 'blend'], state, before)) {
      picture.show(store.picture());
    }
  });
  return map;
}
