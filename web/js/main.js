// Starts the page: asks for the worlds, then ties state, map, controls and read-out together.

import { fetchWorlds } from './api.js';
import { createControls } from './controls.js';
import { createLegend } from './legend.js';
import { createMap } from './map.js';
import { createReadout } from './readout.js';
import { createScale } from './scale.js';
import { createStore } from './state.js';
import { createStatus } from './status.js';
import { followTarget } from './target.js';

const LONGEST_WAIT = 15000; // milliseconds

const at = (id) => document.getElementById(id);
const say = createStatus(at('status'));

async function worldsAtLast() {
  for (let wait = 1000; ; wait = Math.min(LONGEST_WAIT, 2 * wait)) {
    try {
      const worlds = await fetchWorlds();
      say('start', '');
      return worlds;
    } catch (error) {
      say('start', `${error.message} Trying again.`, 'error');
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }
}

async function start() {
  const worlds = await worldsAtLast();
  const store = createStore(worlds, (message) => say('link', message));
  const map = createMap(at('map'), store, {
    say: (message, tone) => say('tiles', message, tone),
    busy: (busy) => at('progress').classList.toggle('busy', busy),
  });
  const controls = createControls({ dock: at('dock'), buttons: at('buttons') }, map, store, worlds);
  const legend = createLegend(at('legend'), store);
  const readout = createReadout(at('readout'), store, {
    say: (message, tone) => say('point', message, tone),
    answered: (question, found) => {
      legend.highlight(found.biome.id);
      controls.seedUsed(question, found.seed);
      const old = question.seed === null && found.hash !== store.world().hash;
      say('version', old ? 'This world has changed on the server. Reload the page to see it.' : '');
    },
  });
  map.whenReady(() => {
    const target = followTarget(map, at('cross'), readout.at);
    store.subscribe(target.update);
    target.update();
  });
  store.start();
  createScale(at('scale'), map);
  document.documentElement.classList.add('ready');
}

start();
