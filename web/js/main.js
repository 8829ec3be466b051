// Starts the page: asks for the worlds, then ties state, map, controls and read-out together.

import { fetchWorlds } from './api.js';
import { createControls } from './controls.js';
import { loadLanguage, t, translate } from './i18n.js';
import { createLegend } from './legend.js';
import { createMap } from './map.js';
import { createOverlays } from './overlays.js';
import { createReadout } from './readout.js';
import { createScale } from './scale.js';
import { createStore } from './state.js';
import { createStatus } from './status.js';
import { followTarget } from './target.js';
import { createTools } from './tools.js';

const LONGEST_WAIT = 15000; // milliseconds

/** Where there are no words yet: every file that has some comes from the server that is away. */
const AWAY = {
  en: 'The server does not answer. Trying again.',
  de: 'Der Server antwortet nicht. Neuer Versuch folgt.',
  ru: 'Сервер не отвечает. Пробую снова.',
};

const at = (id) => document.getElementById(id);
const say = createStatus(at('status'));

/** Asks until there is an answer, and says meanwhile why there is none. */
async function atLast(ask, words) {
  for (let wait = 1000; ; wait = Math.min(LONGEST_WAIT, 2 * wait)) {
    try {
      const answer = await ask();
      say('start', '');
      return answer;
    } catch (error) {
      say('start', words(error), 'error');
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }
}

async function prepare() {
  const language = navigator.language.split('-')[0];
  const words = atLast(loadLanguage, () => AWAY[language] ?? AWAY.en).then(() => translate(document));
  const asked = fetchWorlds().catch(() => null);
  await words;
  return (await asked) ?? atLast(fetchWorlds, (error) => `${error.message} ${t('error.again')}`);
}

/** Fetches the code of comparing when a comparison is first asked for. */
function compareWhenAsked(store, parts) {
  const end = store.subscribe(async ({ compare }) => {
    if (compare) {
      end();
      const { createCompare } = await atLast(() => import('./compare.js'), () => t('error.away'));
      createCompare(...parts);
    }
  });
}

/** From a page that frames this one to the same view in full. */
function showWayOut(store) {
  const opener = at('opener');
  opener.hidden = false;
  store.subscribe(() => {
    opener.href = `./${location.hash}`;
  });
}

async function start() {
  const worlds = await prepare();
  const store = createStore(worlds, (message) => say('link', message));
  const pictureOf = () => {
    const { layer, seed } = store.get();
    return { world: store.world(), layer, seed };
  };
  const map = createMap(at('map'), store, {
    say: (message, tone) => say('tiles', message, tone),
    busy: (busy) => at('progress').classList.toggle('busy', busy),
  });
  createOverlays(map, store, pictureOf);
  const controls = createControls({ dock: at('dock'), buttons: at('buttons') }, map, store, worlds);
  const legend = createLegend(at('legend'), map, store, (message) => say('nearest', message));
  const readout = createReadout(at('readout'), store, {
    say: (message, tone) => say('point', message, tone),
    colourOf: legend.colourOf,
    answered: (question, found) => {
      legend.highlight(found.biome.id);
      controls.seedUsed(question, found.seed);
      const old = question.seed === null && question.world === store.get().world &&
        found.hash !== store.world().hash;
      say('version', old ? t('error.changed') : '');
    },
  });
  compareWhenAsked(store, [at('stage'), map, store, {
    say: (message, tone) => say('compared', message, tone),
    target: readout.at,
    attachLegend: legend.attach,
  }]);
  const embedded = document.documentElement.dataset.embed;
  if (embedded === undefined || embedded.split(' ').includes('controls')) {
    createTools({ map, store, say, legend, readout, unfold: controls.unfold });
  }
  if (embedded !== undefined) {
    showWayOut(store);
  }
  map.whenReady(() => {
    const target = followTarget(map, at('cross'), (found) => readout.at(found, pictureOf()));
    store.subscribe(target.update);
    target.update();
  });
  store.start();
  createScale(at('scale'), map);
  document.documentElement.classList.add('ready');
}

start();
