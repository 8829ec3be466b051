// The map's coordinate system: latlng is (z, x) in blocks, y runs south as z does.

import { L } from './leaflet.js';

import { HALF, NATIVE_ZOOM } from './geometry.js';

const square = L.bounds([-HALF, -HALF], [HALF, HALF]);

export const worldCrs = L.extend({}, L.CRS, {
  projection: {
    project: (latlng) => L.point(latlng.lng, latlng.lat),
    unproject: (point) => L.latLng(point.y, point.x),
    bounds: square,
  },
  transformation: L.transformation(1, HALF, 1, HALF),
  scale: (zoom) => 2 ** (zoom - NATIVE_ZOOM),
  zoom: (scale) => Math.log2(scale) + NATIVE_ZOOM,
  distance: (a, b) => Math.hypot(a.lng - b.lng, a.lat - b.lat),
  infinite: false,
});

export const worldBounds = L.latLngBounds([-HALF, -HALF], [HALF, HALF]);

/** The middle of a block. */
export function blockLatLng(x, z) {
  return L.latLng(z + 0.5, x + 0.5);
}

/**
 * The centre of a view of this block. Leaflet puts the map on whole pixels: where a block is a pixel
 * or less, its north-west corner as the centre puts it right under the cross.
 */
export function viewLatLng(x, z, zoom) {
  return zoom > NATIVE_ZOOM ? blockLatLng(x, z) : L.latLng(z, x);
}
