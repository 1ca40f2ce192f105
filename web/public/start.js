// Starts the client on a server-rendered page: after the page is on screen, so that the client does not delay it, or at
// the first interaction. Runs before the page is on screen, so that no press is missed.
(function () {
  var tag = document.currentScript;
  var entry = tag.dataset.entry;
  var started = false;
  var held = null;

  function add(name, properties) {
    document.head.append(Object.assign(document.createElement(name), properties));
  }
  function whenParsed(run) {
    if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', run, { once: true });
    else run();
  }
  function start() {
    if (started) return;
    started = true;
    tag.dataset.files.split(' ').forEach(function (href) {
      add('link', { rel: 'modulepreload', crossOrigin: '', href: href });
    });
    add('link', { rel: 'preload', as: 'fetch', crossOrigin: '', href: '/api/auth/session' });
    // React cannot hydrate half a page.
    whenParsed(function () {
      add('script', { type: 'module', crossOrigin: '', src: entry });
    });
  }
  // Links work without the client. The press of a button waits until the client is ready.
  function hold(event) {
    var control = event.target instanceof Element && event.target.closest('button');
    if (!control) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    held = control;
    start();
  }
  // Hydration empties the fields, so text that was typed before is typed again.
  var typed = new Map();
  function keep(event) {
    typed.set(event.target, event.target.value);
  }
  function typeAgain(value, field) {
    if (!field.isConnected || field.value === value) return;
    var own = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value');
    if (!own) return;
    own.set.call(field, value);
    field.dispatchEvent(new Event('input', { bubbles: true }));
  }
  // Includes text that the browser restored without an event.
  whenParsed(function () {
    document.querySelectorAll('input, textarea').forEach(function (field) {
      if (field.value !== field.defaultValue) keep({ target: field });
    });
  });
  document.addEventListener('input', keep, true);
  document.addEventListener('click', hold, true);
  document.addEventListener(
    'hydrated',
    function () {
      document.removeEventListener('click', hold, true);
      document.removeEventListener('input', keep, true);
      typed.forEach(typeAgain);
      tag.remove();
      if (held && held.isConnected) held.click();
    },
    { once: true },
  );
  ['pointerdown', 'keydown', 'focusin'].forEach(function (kind) {
    addEventListener(kind, start, { once: true, capture: true });
  });
  new PerformanceObserver(function (painted) {
    if (painted.getEntriesByName('first-contentful-paint').length > 0) start();
  }).observe({ type: 'paint', buffered: true });
  // Pages in the background are not painted, and some browsers do not report the paint.
  setTimeout(start, 3000);
})();
