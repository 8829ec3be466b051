// Before anything is drawn: the theme that was chosen here, the language, and whether another page
// frames this one. A classic script, so that no frame is shown in the wrong colours, and the words are
// on their way before the modules are.

(() => {
  const LANGUAGES = ['en', 'de', 'ru'];
  const root = document.documentElement;
  const query = new URLSearchParams(location.search);
  const recall = (key) => {
    try {
      return localStorage.getItem(`ecotone.${key}`);
    } catch {
      return null; // without storage the system decides
    }
  };

  const theme = recall('theme');
  if (theme === 'light' || theme === 'dark') {
    root.dataset.theme = theme;
  }

  // By the link, by choice, by the browser: the first that there is.
  const wanted = [query.get('lang'), recall('language'), ...navigator.languages].filter(Boolean);
  const known = wanted.map((tag) => tag.toLowerCase().split('-')[0]);
  root.lang = known.find((tag) => LANGUAGES.includes(tag)) ?? 'en';
  const words = document.createElement('link');
  const { href } = new URL(`../lang/${root.lang}.json`, document.currentScript.src);
  Object.assign(words, { rel: 'preload', as: 'fetch', crossOrigin: '', href });
  document.head.append(words);

  if (query.get('embed') === '1') {
    root.dataset.embed = (query.get('show') ?? '').replace(/[^a-z,]/g, '').replaceAll(',', ' ');
  }
})();
