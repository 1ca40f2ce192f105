// Runs before the first paint, so a stored light theme never flashes dark.
(function () {
  var stored = null;
  try {
    stored = localStorage.getItem('theme');
  } catch {
    stored = null;
  }
  var light = stored ? stored === 'light' : matchMedia('(prefers-color-scheme: light)').matches;
  document.documentElement.dataset.theme = light ? 'light' : 'dark';
})();
