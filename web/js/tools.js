// The tools above the controls: one is open at a time, and its code is fetched when it is opened.

import { t } from './i18n.js';
import { createKeys } from './keys.js';

const TOOLS = {
  compare: () => import('./tool-compare.js'),
  measure: () => import('./tool-measure.js'),
  picture: () => import('./tool-picture.js'),
  share: () => import('./tool-share.js'),
  settings: () => import('./tool-settings.js'),
};

/** `context`: { map, store, say, legend, readout, unfold } for the tools to work with. */
export function createTools(context) {
  const bar = document.getElementById('tools');
  const section = document.getElementById('tool');
  const body = document.getElementById('tool-body');
  const button = (name) => bar.querySelector(`[data-tool="${name}"]`);
  let open = null;
  let end = null;

  function close() {
    if (!open) {
      return;
    }
    end?.();
    end = null;
    button(open).setAttribute('aria-expanded', 'false');
    if (section.contains(document.activeElement)) {
      button(open).focus();
    }
    open = null;
    section.hidden = true;
    body.replaceChildren();
  }

  async function show(name) {
    close();
    context.unfold();
    open = name;
    button(name).setAttribute('aria-expanded', 'true');
    document.getElementById('tool-title').textContent = t(`tools.${name}`);
    section.hidden = false;
    section.scrollIntoView({ block: 'nearest' });
    try {
      const tool = await TOOLS[name]();
      context.say('tool', '');
      if (open === name && body.childElementCount === 0) {
        end = tool.open(body, { ...context, keys: keys.show });
      }
    } catch {
      context.say('tool', t('error.part'), 'error');
      close();
    }
  }

  const toggle = (name) => (open === name ? close() : show(name));
  const keys = createKeys(context, { toggle, close });

  bar.addEventListener('click', (event) => {
    const name = event.target.closest('[data-tool]')?.dataset.tool;
    if (name) {
      toggle(name);
    }
  });
  section.querySelector('[data-do="close-tool"]').addEventListener('click', close);
}
