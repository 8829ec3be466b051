// A second picture beside the first, under a swipe, or as the difference of the two.

import { element as make } from './dom.js';
import { createDifference } from './difference.js';
import { layerTitle, t, titleOf } from './i18n.js';
import { createLeaflet, createPicture } from './map.js';
import { createOverlays } from './overlays.js';
import { changed } from './state.js';
import { followTarget } from './target.js';

const SPLIT_DEFAULT = 50; // percent
const SPLIT_STEP = 2;

/** Keeps `b`, which comes and goes, at the place and zoom of `a`, and the other way round. */
function tie(a, b) {
  let passing = false;

  function pass(to, center, zoom, animate) {
    if (!passing) {
      passing = true;
      to.setView(center, zoom, { animate });
      passing = false;
    }
  }

  /** In a pinch, between two zooms, the tiles that are there are only scaled, as on the map that leads. */
  function pinch(to, center, zoom) {
    if (!passing) {
      passing = true;
      to._stop();
      to._move(center, zoom, { pinch: true, round: false });
      passing = false;
    }
  }

  /** Handlers that pass on what `from` does. */
  function handlers(from, to, before = () => {}) {
    return {
      zoomanim({ center, zoom }) {
        before();
        pass(to, center, zoom, true);
      },
      move() {
        if (!from.resizing) {
          const zoom = from.getZoom();
          before();
          if (Number.isInteger(zoom)) {
            pass(to, from.getCenter(), zoom, false);
          } else {
            pinch(to, from.getCenter(), zoom);
          }
        }
      },
    };
  }

  const lead = handlers(a, b);
  a.on(lead);
  b.on(handlers(b, a, () => {
    a.following = a.following || !passing;
  }));
  b.on('moveend', () => {
    if (!passing && a.following) {
      a.following = false;
      pass(a, b.getCenter(), b.getZoom(), false);
      a.fire('moveend');
    }
  });
  b.on('unload', () => {
    a.off(lead);
    a.following = false;
  });
}

function createSlider(stage, store) {
  const slider = make(
    'div',
    {
      class: 'split', role: 'slider', tabindex: 0, 'aria-label': t('compare.split'),
      'aria-valuemin': 0, 'aria-valuemax': 100, 'aria-orientation': 'horizontal', hidden: true,
    },
    make('span', { class: 'split-knob' }),
  );
  const set = (value, record = 'replaceState') => {
    const split = Math.round(Math.min(100, Math.max(0, value)));
    store.set({ split: split === SPLIT_DEFAULT ? null : split }, { record });
  };

  slider.addEventListener('pointerdown', (event) => {
    slider.setPointerCapture(event.pointerId);
    event.preventDefault();
    slider.focus({ focusVisible: false });
  });
  slider.addEventListener('pointermove', (event) => {
    if (slider.hasPointerCapture(event.pointerId)) {
      const { left, width } = stage.getBoundingClientRect();
      set((100 * (event.clientX - left)) / width);
    }
  });
  slider.addEventListener('keydown', (event) => {
    const split = store.get().split ?? SPLIT_DEFAULT;
    const to = {
      ArrowLeft: split - SPLIT_STEP, ArrowDown: split - SPLIT_STEP,
      ArrowRight: split + SPLIT_STEP, ArrowUp: split + SPLIT_STEP,
      Home: 0, End: 100,
    }[event.key];
    if (to !== undefined) {
      event.preventDefault();
      set(to);
    }
  });
  return slider;
}

/** What a side shows, in a few words; each stands for itself, in whichever direction it is written. */
function writeCaption(element, { world, layer, seed, blend = null }) {
  const title = world.layers.find(({ name }) => name === layer);
  const parts = [titleOf(world), layerTitle(title)];
  if (blend !== null) {
    parts.push(t(`blend.${blend}`));
  }
  if (seed !== null) {
    parts.push(`${t('seed.name')} ${[...seed].slice(0, 24).join('')}`);
  }
  const apart = parts.flatMap((part, at) => [at > 0 ? ' · ' : '', make('bdi', {}, part)]);
  element.replaceChildren(make('span', {}, ...apart));
}

/** The second map, on the stage until `end` is called. */
function createSecondMap(stage, map, store, { say, target, attachLegend }) {
  const element = make('div', {
    class: 'map map-other', role: 'application', tabindex: 0,
    'aria-label': t('map.other'), 'aria-describedby': 'map-keys',
  });
  const cross = make('div', { class: 'cross', hidden: true });
  stage.querySelector('#map').after(element);
  const join = () => map2.setView(map.getCenter(), map.getZoom(), { animate: false });
  const map2 = createLeaflet(element, () => join());
  map2.options.minZoom = map.options.minZoom;
  join();
  tie(map, map2);
  element.append(cross);
  followTarget(map2, cross, (found) => target(found, store.picture2()), { quiet: true });
  const endOverlays = createOverlays(map2, store, store.picture2);
  const picture = createPicture(map2, { say, busy: () => {} });
  const legend = attachLegend(map2, store.picture2);
  map.other = map2;
  map.fire('other');
  return {
    limit: (minZoom) => {
      map2.options.minZoom = minZoom;
    },
    show() {
      picture.show(store.picture2());
      legend.update();
    },
    end() {
      map.other = null;
      map.fire('other');
      endOverlays();
      legend.end();
      map2.remove();
      element.remove();
      say('');
    },
  };
}

/**
 * `target(found, picture)`: told which block of the other side the pointer is over;
 * `attachLegend(map, pictureOf)`: lets the legend mask the other map, too.
 */
export function createCompare(stage, map, store, tools) {
  const captions = [make('p', { class: 'caption' }), make('p', { class: 'caption other' })];
  const note = make('p', { class: 'caption note', role: 'status' });
  const slider = createSlider(stage, store);
  const difference = createDifference(map, store, (text) => {
    note.textContent = text;
  });
  let other = null;

  function start(compare) {
    stage.append(slider, ...captions);
    stage.dataset.compare = compare;
    other = createSecondMap(stage, map, store, tools);
  }

  function end() {
    other.end();
    other = null;
    delete stage.dataset.compare;
    [slider, ...captions].forEach((each) => each.remove());
  }

  function showBoth({ compare, split }) {
    const percent = split ?? SPLIT_DEFAULT;
    stage.dataset.compare = compare;
    stage.style.setProperty('--split', `${percent}%`);
    slider.hidden = compare !== 'swipe';
    slider.setAttribute('aria-valuenow', percent);
    other.limit(map.options.minZoom);
    writeCaption(captions[0], store.picture());
    writeCaption(captions[1], store.picture2());
  }

  store.subscribe((state, before) => {
    const twoMaps = state.compare === 'side' || state.compare === 'swipe';
    const fresh = twoMaps && !other;
    if (other && !twoMaps) {
      end();
    }
    if (fresh) {
      start(state.compare);
    }
    if (other) {
      showBoth(state);
      if (fresh || changed(['world2', 'layer2', 'seed2', 'blend2'], state, before)) {
        other.show();
      }
    }
    if (state.compare !== 'diff') {
      note.remove();
    } else if (!note.isConnected) {
      stage.append(note);
    }
    difference.update(state, before);
  });
}
