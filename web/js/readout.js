// The read-out of one block: asks the server one question at a time and shows its latest answer.

import { fetchPoint } from './api.js';
import { colourOf, swatch } from './swatch.js';

const PAUSE = 50; // milliseconds between two questions
const PATIENCE = 10000;
const REST = 2000; // after a failure
const ANNOUNCE_AFTER = 700;
const WEIGHT_SHOWN = 0.005;

const TITLES = {
  pointer: 'Under the pointer',
  centre: 'At the centre',
  mark: 'At the mark',
};

function sameQuestion(a, b) {
  const keys = ['world', 'seed', 'x', 'z', 'zoom'];
  return a !== null && b !== null && keys.every((key) => a[key] === b[key]);
}

/**
 * Asks for the newest block only, one question at a time; an answer to another world, seed or zoom
 * never gets through. After a failure that may pass it rests a while and asks again.
 */
function createAsker({ answer, fail }) {
  let wanted = null;
  let asked = null; // in flight, or answered, or refused for good
  let flight = null;
  let earliest = 0;
  let timer = 0;

  function failed(error, question) {
    const refused = error.status >= 400 && error.status < 500;
    asked = refused ? question : null;
    earliest = performance.now() + REST;
    fail(error);
  }

  async function ask() {
    timer = 0;
    const question = wanted;
    const abort = new AbortController();
    const limit = setTimeout(() => abort.abort(), PATIENCE);
    asked = question;
    flight = abort;
    earliest = performance.now() + PAUSE;
    try {
      const found = await fetchPoint(question.world, question, abort.signal);
      if (flight === abort) {
        answer(question, found);
      }
    } catch (error) {
      if (flight === abort) {
        failed(abort.signal.aborted ? new Error('The server takes too long.') : error, question);
      }
    }
    clearTimeout(limit);
    if (flight === abort) {
      flight = null;
      schedule();
    }
  }

  function schedule() {
    if (!flight && !timer && !sameQuestion(wanted, asked)) {
      timer = setTimeout(ask, Math.max(0, earliest - performance.now()));
    }
  }

  return (question) => {
    wanted = question;
    if (flight && ['world', 'seed', 'zoom'].some((key) => question[key] !== asked[key])) {
      flight.abort();
      flight = null;
      asked = null;
    }
    schedule();
  };
}

function weightRow({ name, weight, colour }) {
  const row = document.createElement('li');
  const bar = document.createElement('span');
  const label = document.createElement('span');
  const share = document.createElement('span');
  label.textContent = name;
  label.className = 'weight-name';
  share.textContent = `${Math.round(100 * weight)}%`;
  share.className = 'weight-share';
  bar.className = 'weight-bar';
  bar.style.setProperty('--weight', weight.toFixed(3));
  bar.style.setProperty('--colour', colour);
  row.append(label, share, bar);
  return row;
}

function aboveSea(height, seaLevel) {
  const above = Math.round(height - seaLevel);
  if (above === 0) {
    return 'at sea level';
  }
  return `${Math.abs(above)} ${above > 0 ? 'above' : 'below'} the sea`;
}

export function createReadout(element, store, { say, answered }) {
  const part = (name) => element.querySelector(`[data-part="${name}"]`);
  let announcing = 0;
  let from = 'centre';
  let latest = null;

  function announce(text) {
    clearTimeout(announcing);
    announcing = setTimeout(() => {
      part('spoken').textContent = text;
    }, ANNOUNCE_AFTER);
  }

  function show(question, found) {
    const world = store.world();
    const weights = found.weights
      .filter(({ weight }) => weight >= WEIGHT_SHOWN)
      .sort((a, b) => b.weight - a.weight)
      .map((each) => ({ ...each, colour: colourOf(world, each.id) }));
    part('swatch').replaceWith(swatch(found.biome.colour, { part: 'swatch' }));
    part('biome').textContent = found.biome.name;
    part('height').textContent = Math.round(found.height) + 0;
    part('above').textContent = aboveSea(found.height, world.sea_level);
    part('weights').replaceChildren(...weights.map(weightRow));
    element.setAttribute('aria-busy', String(!sameQuestion(question, latest)));
    say('');
    answered(question, found);
    if (from === 'centre') {
      announce(`${found.biome.name}, height ${Math.round(found.height)}, x ${found.x}, z ${found.z}`);
    }
  }

  const ask = createAsker({
    answer: show,
    fail: (error) => say(error.message, 'error'),
  });

  return {
    at(target) {
      const { world, seed } = store.get();
      from = target.from;
      part('title').textContent = TITLES[from];
      part('x').textContent = target.x;
      part('z').textContent = target.z;
      const question = { world, seed, x: target.x, z: target.z, zoom: target.zoom };
      if (!sameQuestion(question, latest)) {
        latest = question;
        element.setAttribute('aria-busy', 'true');
        ask(question);
      }
    },
  };
}
