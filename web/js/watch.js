// Whether the worlds on the server are still those that are shown.

import { fetchWorlds } from './api.js';
import { t } from './i18n.js';
import { changed } from './state.js';

const EVERY = 60000; // milliseconds, while the page is looked at

/**
 * `known`: what the server said at the start; `say(topic, message, tone)`. Asks again now and then,
 * and when somebody comes back to the page.
 */
export function watchServer(store, known, say) {
  let latest = known;

  function tell() {
    const { configuration, worlds } = latest;
    const now = worlds.find(({ name }) => name === store.get().world);
    const broken = configuration?.state === 'broken';
    say('configuration', broken ? `${t('error.configuration')} ${configuration.error}` : '', 'error');
    say('version', now?.hash === store.world().hash ? '' : t('error.changed'));
  }

  async function look() {
    if (document.visibilityState === 'visible') {
      try {
        latest = await fetchWorlds();
        tell();
      } catch {
        // The picture says when the server is away.
      }
    }
  }

  setInterval(look, EVERY);
  document.addEventListener('visibilitychange', look);
  store.subscribe((state, before) => changed(['world'], state, before) && tell());
}
