import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { mirrorPacks } from '../../web/src/api/pack-mirror.js';
import { onAppEvent } from '../../web/src/api/events.js';
import ClearCacheScreen from '../../web/src/screens/clear-cache/clear-cache-screen.js';
import { renderAt } from './support/render.js';

beforeEach(() => {
  localStorage.clear();
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
  cleanup();
});

it('[CACHE-02] mirrors the pack list in local storage under "publishedPacks", each pack once', () => {
  const pack = { id: 'p1', title: 'Rented Piano' } as Parameters<typeof mirrorPacks>[0][0][0];
  mirrorPacks([[pack], [pack]]);
  expect(JSON.parse(localStorage.getItem('publishedPacks') ?? 'null')).toEqual([pack]);
});

it('[UTIL-02] [UTIL-03] says what it clears, clears this browser and reloads after a second', () => {
  localStorage.setItem('publishedPacks', '[]');
  localStorage.setItem('theme', 'light');
  const reload = jest.fn();
  const invalidated = jest.fn();
  const deaf = onAppEvent('packs-invalidated', invalidated);
  renderAt('/clear-cache', <ClearCacheScreen reload={reload} />);
  for (const reason of ['migrating folders', 'updating pack metadata', 'changing the storage structure']) {
    expect(screen.getByText(reason)).toBeTruthy();
  }
  fireEvent.click(screen.getByRole('button', { name: 'Clear Cache & Reload' }));
  expect(screen.getByRole('button', { name: '✅ Cache Cleared - Reloading...' })).toBeTruthy();
  expect(screen.getByText('Cache cleared')).toBeTruthy();
  expect(localStorage.getItem('publishedPacks')).toBeNull();
  expect(localStorage.getItem('theme')).toBe('light');
  expect(invalidated).toHaveBeenCalledTimes(1);
  act(() => void jest.advanceTimersByTime(999));
  expect(reload).not.toHaveBeenCalled();
  act(() => void jest.advanceTimersByTime(1));
  expect(reload).toHaveBeenCalledTimes(1);
  deaf();
});
