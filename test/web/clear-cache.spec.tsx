import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { query } from '../../web/src/api/api.js';
import type { SoundsPage } from '../../application/catalogue/contract.js';
import { mirrorPacks } from '../../web/src/api/storage/pack-mirror.js';
import { queryClient } from '../../web/src/api/query-client.js';
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
  renderAt('/clear-cache', <ClearCacheScreen reload={reload} />);
  queryClient.setQueryData(query('GET /api/sounds').queryKey, {} as SoundsPage);
  for (const reason of ['migrating folders', 'updating pack metadata', 'changing the storage structure']) {
    expect(screen.getByText(reason)).toBeTruthy();
  }
  fireEvent.click(screen.getByRole('button', { name: 'Clear Cache & Reload' }));
  expect(screen.getByRole('button', { name: '✅ Cache Cleared - Reloading...' })).toBeTruthy();
  expect(screen.getByText('Cache cleared')).toBeTruthy();
  expect(localStorage.getItem('publishedPacks')).toBeNull();
  expect(localStorage.getItem('theme')).toBe('light');
  expect(queryClient.getQueryData(query('GET /api/sounds').queryKey)).toBeUndefined();
  act(() => void jest.advanceTimersByTime(999));
  expect(reload).not.toHaveBeenCalled();
  act(() => void jest.advanceTimersByTime(1));
  expect(reload).toHaveBeenCalledTimes(1);
});
