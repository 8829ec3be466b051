// Before anything is drawn: the theme that was chosen here, and whether another page frames this one.
// A classic script, so that no frame is shown in the wrong colours.

(() => {
  const root = document.documentElement;
  try {
    const theme = localStorage.getItem('ecotone.theme');
    if (theme === 'light' || theme === 'dark') {
      root.dataset.theme = theme;
    }
  } catch {
    // Without storage the system decides.
  }
  const query = new URLSearchParams(location.search);
  if (query.get('embed') === '1') {
    root.dataset.embed = (query.get('show') ?? '').replace(/[^a-z,]/g, '').replaceAll(',', ' ');
  }
})();
