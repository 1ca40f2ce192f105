/** Adds what every browser has and jsdom lacks. */
import { TextDecoder, TextEncoder } from 'node:util';
import { configure } from '@testing-library/dom';

// Longer than the usual second, for busy machines. A missing element still fails within its test.
configure({ asyncUtilTimeout: 60_000 });

globalThis.TextEncoder ??= TextEncoder;
globalThis.TextDecoder ??= TextDecoder;
globalThis.CSS ??= { escape: (text) => text.replaceAll(/["\\]/g, '\\$&') };
globalThis.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
};
globalThis.IntersectionObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
};
Blob.prototype.arrayBuffer ??= function arrayBuffer() {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(reader.result));
    reader.addEventListener('error', () => reject(reader.error));
    reader.readAsArrayBuffer(this);
  });
};
Blob.prototype.text ??= async function text() {
  return new TextDecoder().decode(await this.arrayBuffer());
};
window.scrollTo = () => undefined;
window.matchMedia ??= (media) => ({
  media,
  matches: false,
  addEventListener() {},
  removeEventListener() {},
});
Element.prototype.getAnimations ??= () => [];
Element.prototype.scrollIntoView ??= () => undefined;
Element.prototype.setPointerCapture ??= () => undefined;
HTMLMediaElement.prototype.play = () => Promise.resolve();
HTMLMediaElement.prototype.pause = () => undefined;
HTMLMediaElement.prototype.load = () => undefined;
/** The part of `Request` that the router uses when it navigates. */
globalThis.Request ??= class {
  constructor(url, { signal, method = 'GET' } = {}) {
    Object.assign(this, { url: String(url), signal, method });
  }
};
