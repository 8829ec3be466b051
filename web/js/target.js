// Which block the read-out is about: under the pointer, under the centre cross while the keyboard
// steers, or where a finger tapped or rested.

import { L } from './leaflet.js';

import { blockLatLng } from './crs.js';
import { sampleZoom, shownBlock } from './geometry.js';
import { highDensity } from './map.js';

const STEERING = ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', '+', '=', '-', '_'];

const LONG_PRESS = 500; // milliseconds
const SLIP = 10; // pixels that a resting finger may move

function createMark(map) {
  const icon = L.divIcon({ className: 'mark', iconSize: [28, 28] });
  const mark = L.marker([0, 0], { icon, interactive: false, keyboard: false });
  return {
    put: (latlng) => mark.setLatLng(latlng).addTo(map),
    remove: () => mark.remove(),
  };
}

/** Calls `pressed` with where a single finger rests; not every system tells of it by itself. */
function watchLongPress(element, pressed) {
  let timer = 0;
  let start = null;
  const cancel = () => clearTimeout(timer);

  element.addEventListener('pointerdown', (event) => {
    cancel();
    if (event.pointerType === 'touch' && event.isPrimary) {
      start = event;
      timer = setTimeout(() => pressed(start), LONG_PRESS);
    }
  });
  element.addEventListener('pointermove', (event) => {
    if (start && Math.hypot(event.clientX - start.clientX, event.clientY - start.clientY) > SLIP) {
      cancel();
    }
  });
  element.addEventListener('pointerup', cancel);
  element.addEventListener('pointercancel', cancel);
}

/** Tells of each press whether it is one of a finger, before anybody else hears of it. */
function watchTouch(element, tell) {
  element.addEventListener('pointerdown', ({ pointerType }) => tell(pointerType === 'touch'), { capture: true });
}

/**
 * Calls `tell({ x, z, zoom, from })` whenever the block may have changed; `from` is "pointer",
 * "centre" or "mark". `quiet`: not for moves of the map alone, where another map tells of them.
 */
export function followTarget(map, cross, tell, { quiet = false } = {}) {
  const element = map.getContainer();
  const mark = createMark(map);
  let from = 'centre';
  let pointer = null; // where in the map's frame, pixels
  let marked = null; // latlng
  let touched = false;

  function latlng() {
    if (from === 'pointer') {
      return map.containerPointToLatLng(pointer);
    }
    return from === 'mark' ? marked : map.containerPointToLatLng(map.getSize().divideBy(2));
  }

  function update() {
    const zoom = sampleZoom(map.getZoom(), highDensity);
    const place = latlng();
    tell({ x: shownBlock(place.lng, zoom), z: shownBlock(place.lat, zoom), zoom, from });
  }

  function use(source) {
    from = source;
    cross.hidden = !(source === 'centre' && document.activeElement === element);
    if (source !== 'mark') {
      mark.remove();
    }
    update();
  }

  function setMark(place) {
    marked = place;
    const zoom = sampleZoom(map.getZoom(), highDensity);
    mark.put(blockLatLng(shownBlock(place.lng, zoom), shownBlock(place.lat, zoom)));
    use('mark');
  }

  watchTouch(element, (isTouch) => {
    touched = isTouch;
  });
  watchLongPress(element, (event) => setMark(map.mouseEventToLatLng(event)));
  map.on('mousemove', (event) => {
    // A browser sends a move of length nothing when the map slides under a pointer at rest.
    const still = pointer && event.containerPoint.equals(pointer);
    if (!touched && !(still && from === 'centre')) {
      pointer = event.containerPoint;
      use('pointer');
    }
  });
  map.on('click contextmenu', (event) => touched && setMark(event.latlng));
  element.addEventListener('keydown', (event) => STEERING.includes(event.key) && use('centre'));
  element.addEventListener('focus', () => element.matches(':focus-visible') && use('centre'));
  element.addEventListener('blur', () => {
    cross.hidden = true;
  });
  map.on('move zoomend moveend', () => quiet || update());
  return { update };
}
