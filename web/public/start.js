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
  // Hydration resets the fields, or does not notice that they changed, so each of them is changed again.
  var changed = new Map();
  function keep(event) {
    var field = event.target;
    if (!isBox(field)) changed.set(field, field.value);
    else if (field.checked !== field.defaultChecked) changed.set(field, field.checked);
    else changed.delete(field);
  }
  function isBox(field) {
    return field.type === 'checkbox' || field.type === 'radio';
  }
  function changeAgain(value, field) {
    if (!field.isConnected) return;
    if (isBox(field)) {
      field.checked = !value;
      return field.click();
    }
    var own = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value');
    if (!own) return;
    // React ignores an event of a field that has the value that React saw last.
    field.value = '';
    own.set.call(field, value);
    ['input', 'change'].forEach(function (kind) {
      field.dispatchEvent(new Event(kind, { bubbles: true }));
    });
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
      changed.forEach(changeAgain);
      tag.remove();
      // After React has rendered the changes, because the press may send a form.
      setTimeout(function () {
        if (held && held.isConnected) held.click();
      });
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
