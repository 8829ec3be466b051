// Starts the page: asks for the worlds, shows the map, and then what is around it.

import { fetchWorlds } from './api.js';
import { loadLanguage, t, translate } from './i18n.js';
import { createMap } from './map.js';
import { createStore } from './state.js';
import { createStatus } from './status.js';

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
  const language = document.documentElement.lang;
  const words = atLast(loadLanguage, () => AWAY[language]);
  const asked = fetchWorlds().catch(() => null);
  await words;
  return (await asked) ?? atLast(fetchWorlds, (error) => `${error.message} ${t('error.again')}`);
}

async function start() {
  const around = import('./around.js').catch(() => null);
  const known = await prepare();
  const store = createStore(known.worlds, (message) => say('link', message));
  const map = createMap(at('map'), store, {
    say: (message, tone) => say('tiles', message, tone),
    busy: (busy) => at('progress').classList.toggle('busy', busy),
  });
  store.start();
  await new Promise((resolve) => setTimeout(resolve)); // the tiles are asked for at the end of a task
  translate(document);
  const { furnish } = (await around) ?? (await atLast(() => import('./around.js'), () => t('error.part')));
  furnish(map, store, { known, say, atLast });
  document.documentElement.classList.add('ready');
}

start();
