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

const newFailure = () => new Event('vite:preloadError', { cancelable: true });

function fail(): Event {
  const event = newFailure();
  act(() => void window.dispatchEvent(event));
  return event;
}

it('[WEB-18] says that there is no connection, and fetches a part again once there is one, without a reload', async () => {
  online = false;
  const load = jest.fn(async () => {
    if (online) return { default: () => <p>Here</p> };
    window.dispatchEvent(newFailure());
    return undefined as never;
  });
  const Part = lazyWithPreload(load);
  await act(async () => {
    render(
      <>
        <ToastRegion />
        <Suspense fallback={<p>Waiting</p>}>
          <Part />
        </Suspense>
      </>,
    );
  });
  expect(screen.getByText('You are offline')).toBeTruthy();
  expect(screen.getByText('Waiting')).toBeTruthy();
  online = true;
  await act(async () => void window.dispatchEvent(new Event('online')));
  expect(screen.getByText('Here')).toBeTruthy();
  expect([load.mock.calls.length, reload.mock.calls.length]).toEqual([2, 0]);
});

it('[WEB-18] reloads once for a file whose failure without a connection the browser keeps, though it has just reloaded', () => {
  fail();
  online = false;
  expect(fail().defaultPrevented).toBe(true);
  online = true;
  expect([fail().defaultPrevented, reload.mock.calls.length]).toEqual([true, 2]);
  expect([fail().defaultPrevented, reload.mock.calls.length]).toEqual([false, 2]);
});

it('[WEB-18] asks before it reloads a page with unsaved work', () => {
  render(<ToastRegion />);
  const ask = (event: Event) => event.preventDefault();
  window.addEventListener('beforeunload', ask);
  expect(fail().defaultPrevented).toBe(true);
  window.removeEventListener('beforeunload', ask);
  expect(reload).not.toHaveBeenCalled();
  act(() => screen.getByRole('button', { name: 'Reload' }).click());
  expect(reload).toHaveBeenCalledTimes(1);
});

it('[WEB-18] fetches a part that did not come in time again after pauses while work is unsaved', async () => {
  jest.useFakeTimers();
  const ask = (event: Event) => event.preventDefault();
  window.addEventListener('beforeunload', ask);
  let missing = 2;
  const load = jest.fn(async () => {
    if (missing === 0) return { default: () => <p>Here</p> };
    missing -= 1;
    window.dispatchEvent(newFailure());
    return undefined as never;
  });
  const Part = lazyWithPreload(load);
  await act(async () => {
    render(
      <Suspense fallback={<p>Waiting</p>}>
        <Part />
      </Suspense>,
    );
  });
  const loads: number[] = [];
  for (const pauseMs of [9_999, 1, 19_999, 1]) {
    await act(() => jest.advanceTimersByTimeAsync(pauseMs));
    loads.push(load.mock.calls.length);
  }
  window.removeEventListener('beforeunload', ask);
  jest.useRealTimers();
  expect(loads).toEqual([1, 2, 2, 3]);
  expect(screen.getByText('Here')).toBeTruthy();
  expect(reload).not.toHaveBeenCalled();
});

it('[WEB-18] fetches a style sheet that did not come again once there is a connection', () => {
  const style = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: '/late.css' });
  document.head.append(style);
  style.dispatchEvent(new Event('error'));
  expect(style.isConnected).toBe(true);
  window.dispatchEvent(new Event('online'));
  const again = document.querySelector('link[href="/late.css"]');
  expect([again === style, style.isConnected]).toEqual([false, false]);
  again?.remove();
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

it('[WEB-18] reloads the page if its files are missing, but not again within a minute', () => {
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
