import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { act, cleanup, render, screen } from '@testing-library/react';
import { Suspense } from 'react';
import { STANDS_AFTER_MS, keepPartsComing, lazyWithPreload } from '../../web/src/shell/lazy-with-preload.js';
import { ToastRegion, dismissToast } from '../../web/src/ui/overlays/toast.js';

const reload = jest.fn();
let online = true;
let stop: () => void;

beforeEach(() => {
  reload.mockClear();
  sessionStorage.clear();
  online = true;
  Object.defineProperty(navigator, 'onLine', { configurable: true, get: () => online });
  stop = keepPartsComing(reload);
});
afterEach(() => {
  stop();
  act(() => dismissToast());
  cleanup();
});

function fail(): Event {
  const event = new Event('vite:preloadError', { cancelable: true });
  act(() => void window.dispatchEvent(event));
  return event;
}

it('waits for a connection where there is none, and says so', () => {
  render(<ToastRegion />);
  online = false;
  expect(fail().defaultPrevented).toBe(true);
  expect(screen.getByText('You are offline')).toBeTruthy();
  expect(reload).not.toHaveBeenCalled();
  window.dispatchEvent(new Event('online'));
  expect(reload).toHaveBeenCalledTimes(1);
});

it('[PWA-700] offers what the browser keeps by loading the page, which the service worker answers with the way back', () => {
  Object.defineProperty(navigator, 'serviceWorker', { configurable: true, value: { controller: {} } });
  render(<ToastRegion />);
  online = false;
  fail();
  act(() => screen.getByRole('button', { name: 'Play what is kept' }).click());
  expect(reload).toHaveBeenCalledTimes(1);
  Reflect.deleteProperty(navigator, 'serviceWorker');
});

it('loads the page anew when its files are gone, once for one address', () => {
  expect(fail().defaultPrevented).toBe(true);
  expect(reload).toHaveBeenCalledTimes(1);
  expect(fail().defaultPrevented).toBe(false);
  expect(reload).toHaveBeenCalledTimes(1);
});

it('[WEB-18] loads a page anew again that has stood for a while since', () => {
  jest.useFakeTimers();
  fail();
  stop();
  stop = keepPartsComing(reload);
  expect(fail().defaultPrevented).toBe(false);
  jest.advanceTimersByTime(STANDS_AFTER_MS);
  expect(fail().defaultPrevented).toBe(true);
  expect(reload).toHaveBeenCalledTimes(2);
  jest.useRealTimers();
});

it('leaves the place of a part empty that did not come, and shows one that did', async () => {
  const Gone = lazyWithPreload(() => Promise.resolve(undefined as never));
  const Here = lazyWithPreload(() => Promise.resolve({ default: () => <p>Here</p> }));
  render(
    <>
      <Suspense fallback={<p>Waiting</p>}>
        <Gone />
      </Suspense>
      <Suspense>
        <Here />
      </Suspense>
    </>,
  );
  expect(await screen.findByText('Here')).toBeTruthy();
  expect(screen.getByText('Waiting')).toBeTruthy();
});
