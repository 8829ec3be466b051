// What is around the map: controls, legend, read-out, tools, and what lies on top. None of it is needed
// for the first tiles, so it comes after they are asked for.

import { createControls } from './controls.js';
import { t } from './i18n.js';
import { createLegend } from './legend.js';
import { createOverlays } from './overlays.js';
import { createReadout } from './readout.js';
import { createScale } from './scale.js';
import { followTarget } from './target.js';
import { createTools } from './tools.js';
import { watchServer } from './watch.js';

const at = (id) => document.getElementById(id);

/** Fetches the code of comparing when a comparison is first asked for. */
function compareWhenAsked(store, atLast, parts) {
  let asked = false;
  store.subscribe(async ({ compare }) => {
    if (compare && !asked) {
      asked = true;
      const { createCompare } = await atLast(() => import('./compare.js'), () => t('error.part'));
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

/**
 * `known`: what the server said of its worlds; `say(topic, message, tone)`: the status line;
 * `atLast`: asks until there is an answer.
 */
export function furnish(map, store, { known, say, atLast }) {
  createOverlays(map, store, store.picture);
  const seen = watchServer(store, known, say);
  const controls = createControls({ dock: at('dock'), buttons: at('buttons') }, map, store);
  const legend = createLegend(at('legend'), map, store, (message) => say('nearest', message));
  const readout = createReadout(at('readout'), store, {
    say: (message, tone) => say('point', message, tone),
    colourOf: legend.colourOf,
    answered: (question, found) => {
      legend.highlight(found.biome.id);
      controls.seedUsed(question, found.seed);
      // With another seed or way of blending the hash is another one anyway.
      const own = question.seed === null && question.blend === null;
      if (own) {
        seen(question.world, found.hash);
      }
    },
  });
  compareWhenAsked(store, atLast, [at('stage'), map, store, {
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
  const target = followTarget(map, at('cross'), (found) => readout.at(found, store.picture()));
  store.subscribe(target.update);
  createScale(at('scale'), map);
}

