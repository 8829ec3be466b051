// Whether the worlds on the server are still those that are shown.

import { fetchWorlds } from './api.js';
import { t } from './i18n.js';
import { changed } from './state.js';

const EVERY = 60000; // milliseconds, while the page is looked at

/**
 * `known`: what the server said at the start; `say(topic, message, tone)`. Asks again now and then,
 * and when somebody comes back to the page. Gives `seen(name, hash)`, which is told what the server
 * says of a world meanwhile.
 */
export function watchServer(store, known, say) {
  const hashes = new Map(); // by the name of a world, as the server has it now

  function take({ configuration, worlds }) {
    const broken = configuration?.state === 'broken';
    say('configuration', broken ? `${t('error.configuration')} ${configuration.error}` : '', 'error');
    hashes.clear();
    worlds.forEach(({ name, hash }) => hashes.set(name, hash));
  }

  function tell() {
    const shown = [store.picture(), store.picture2()].filter(Boolean);
    const old = shown.some(({ world }) => hashes.get(world.name) !== world.hash);
    say('version', old ? t('error.changed') : '');
  }

  async function look() {
    if (document.visibilityState === 'visible') {
      try {
        take(await fetchWorlds());
        tell();
      } catch {
        // The picture says when the server is away.
      }
    }
  }

  take(known);
  setInterval(look, EVERY);
  document.addEventListener('visibilitychange', look);
  store.subscribe((state, before) => changed(['world', 'compare', 'world2'], state, before) && tell());
  return (name, hash) => {
    hashes.set(name, hash);
    tell();
  };
}
