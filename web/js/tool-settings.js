// Theme, language and single keys, and the way to the list of keys.

import { check, element as make, field, option } from './dom.js';
import { currentLanguage, LANGUAGES, switchLanguage, t } from './i18n.js';
import { recall, remember } from './memory.js';

export function open(body, { keys }) {
  const root = document.documentElement;
  const theme = make('select', {}, ...['system', 'light', 'dark'].map((name) => option(name, t(`theme.${name}`))));
  const language = make('select', {}, ...Object.entries(LANGUAGES).map(([tag, name]) => option(tag, name)));
  const single = check(t('keys.single'), { checked: recall('keys') !== 'off' });
  const list = make('button', { type: 'button', class: 'wide-button' }, t('keys.title'));

  theme.value = root.dataset.theme ?? recall('theme') ?? 'system';
  theme.addEventListener('change', () => {
    remember('theme', theme.value);
    if (theme.value === 'system') {
      delete root.dataset.theme;
    } else {
      root.dataset.theme = theme.value;
    }
  });
  language.value = currentLanguage();
  language.addEventListener('change', () => switchLanguage(language.value));
  single.addEventListener('change', ({ target }) => remember('keys', target.checked ? 'on' : 'off'));
  list.addEventListener('click', keys);
  body.append(
    make('div', { class: 'form' }, field(t('theme.name'), theme), field(t('language.name'), language),
      make('div', { class: 'chips' }, single), list),
  );
}
