// The read-out of one block: asks the server one question at a time and shows its latest answer.

import { fetchPoint } from './api.js';
import { copyText, element as make } from './dom.js';
import { formatNumber, formatShare, nameOf, t } from './i18n.js';
import { swatch } from './swatch.js';

const PAUSE = 50; // milliseconds between two questions
const PATIENCE = 10000;
const REST = 2000; // after a failure
const ANNOUNCE_AFTER = 700;
const WEIGHT_SHOWN = 0.005;
const RIVER_SHOWN = 0.005;

/** What else a world may know of a block, and in which unit it is said. */
const MORE = { temperature: 'degrees', precipitation: 'millimetres', river: 'share' };

function sameQuestion(a, b) {
  const keys = ['world', 'seed', 'blend', 'x', 'z', 'zoom'];
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
        failed(abort.signal.aborted ? new Error(t('error.slow')) : error, question);
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
    if (flight && ['world', 'seed', 'blend', 'zoom'].some((key) => question[key] !== asked[key])) {
      flight.abort();
      flight = null;
      asked = null;
    }
    schedule();
  };
}

function weightRow({ name, weight, colour }) {
  const row = make(
    'li',
    {},
    make('span', { class: 'weight-name' }, name),
    make('span', { class: 'weight-share' }, formatShare(weight)),
    make('span', { class: 'weight-bar' }),
  );
  row.lastChild.style.setProperty('--weight', weight.toFixed(3));
  row.lastChild.style.setProperty('--colour', colour);
  return row;
}

function aboveSea(height, seaLevel) {
  const above = Math.round(height - seaLevel);
  if (above === 0) {
    return t('readout.level');
  }
  return t(above > 0 ? 'readout.above' : 'readout.below', { count: Math.abs(above) });
}

function moreFacts(found) {
  return Object.entries(MORE)
    .filter(([name]) => Number.isFinite(found[name]) && !(name === 'river' && found.river < RIVER_SHOWN))
    .map(([name, unit]) => {
      const value = unit === 'share' ? formatShare(found[name])
        : t(`unit.${unit}`, { value: formatNumber(found[name], unit === 'degrees' ? 1 : 0) });
      return make('div', { class: 'wide' }, make('dt', {}, t(`fact.${name}`)), make('dd', {}, value));
    });
}

/** One line that can be pasted anywhere. */
export function describe(found, name) {
  const height = Math.round(found.height) + 0;
  return `x ${found.x}, z ${found.z}: ${name} (${found.biome.id}), ${t('readout.height')} ${height}`;
}

/** The weights that are worth a bar, the largest first. */
function weightsOf({ weights }, world, known, colourOf) {
  return weights
    .filter(({ weight }) => weight >= WEIGHT_SHOWN)
    .sort((a, b) => b.weight - a.weight)
    .map((each) => ({
      weight: each.weight,
      name: nameOf({ ...known(each.id), ...each }),
      colour: known(each.id) ? colourOf(known(each.id), world) : 'transparent',
    }));
}

/** Puts an answer about a block of `world` into the parts of the read-out. */
function write(part, found, world, { name, known, colourOf }) {
  part('swatch').replaceWith(swatch(colourOf(found.biome, world), { part: 'swatch' }));
  part('biome').textContent = name;
  part('id').textContent = found.biome.id;
  part('height').textContent = Math.round(found.height) + 0;
  part('above').textContent = aboveSea(found.height, world.sea_level);
  part('more').replaceChildren(...moreFacts(found));
  part('weights').replaceChildren(...weightsOf(found, world, known, colourOf).map(weightRow));
}

/** Gives a function that copies what `text()` gives, if anything, and says so. */
function createCopy(button, spoken, text) {
  async function copy() {
    if (text()) {
      spoken.textContent = t((await copyText(text())) ? 'copied' : 'copied.not');
      button.classList.add('done');
      setTimeout(() => button.classList.remove('done'), 1200);
    }
  }

  button.addEventListener('click', copy);
  return copy;
}

/**
 * `colourOf(biome, world)`: its colour on the map; `answered(question, found)`: called with each
 * answer that is shown.
 */
export function createReadout(element, store, { say, answered, colourOf }) {
  const part = (name) => element.querySelector(`[data-part="${name}"]`);
  let announcing = 0;
  let from = 'centre';
  let latest = null;
  let shown = null;

  function announce(text) {
    clearTimeout(announcing);
    announcing = setTimeout(() => {
      part('spoken').textContent = text;
    }, ANNOUNCE_AFTER);
  }

  function show(question, found) {
    const world = store.worlds.find(({ name }) => name === question.world);
    const known = (id) => world.biomes.find((biome) => biome.id === id);
    const name = nameOf({ ...known(found.biome.id), ...found.biome });
    write(part, found, world, { name, known, colourOf });
    element.setAttribute('aria-busy', String(!sameQuestion(question, latest)));
    shown = describe(found, name);
    say('');
    answered(question, found);
    if (from === 'centre') {
      const height = Math.round(found.height);
      announce(t('readout.spoken', { name, height: String(height), x: String(found.x), z: String(found.z) }));
    }
  }

  const ask = createAsker({
    answer: show,
    fail: (error) => say(error.message, 'error'),
  });

  return {
    copy: createCopy(element.querySelector('[data-do="copy"]'), part('spoken'), () => shown),
    /** `target`: { x, z, zoom, from }; `picture`: { world, seed, blend } that is seen there. */
    at(target, { world, seed, blend = null, other = false }) {
      from = target.from;
      part('title').textContent = t(`readout.${from}`) + (other ? ` · ${t('readout.other')}` : '');
      part('x').textContent = target.x;
      part('z').textContent = target.z;
      const question = { world: world.name, seed, blend, x: target.x, z: target.z, zoom: target.zoom };
      if (!sameQuestion(question, latest)) {
        latest = question;
        element.setAttribute('aria-busy', 'true');
        ask(question);
      }
    },
  };
}
