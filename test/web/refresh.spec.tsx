import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react';
import { query } from '../../web/src/api/api.js';
import type { Sample } from '../../application/catalogue/contract.js';
import { packsChanged } from '../../web/src/api/changes.js';
import { PACK_CACHE_MS } from '../../web/src/api/caching.js';
import { queryClient } from '../../web/src/api/query-client.js';
import { player } from '../../web/src/player/player.js';
import SearchScreen from '../../web/src/screens/search/search-screen.js';
import SoundsScreen from '../../web/src/screens/sounds/sounds-screen.js';
import { SearchBox } from '../../web/src/shell/search-box.js';
import { pageOf, renderAt, sampleNamed } from './support/render.js';
import { StubServer, refused } from './support/server.js';

let server: StubServer;
let found: Sample[];

const sampleTitled = (id: string, title: string) =>
  sampleNamed(id, { title, previewUrl: `/media/previews/${id}.mp3` });
const pass = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms));

beforeEach(() => {
  jest.useFakeTimers();
  found = ['a', 'b'].map((id) => sampleTitled(id, `Sound ${id}`));
  server = new StubServer({ 'GET /api/samples': () => ({ json: pageOf(found) }) });
});
afterEach(() => {
  act(() => player.close());
  cleanup();
  queryClient.clear();
  jest.useRealTimers();
});

it('[SBOX-02] renews open suggestions every 10 s and keeps focus and highlight', async () => {
  let labels = ['Vinyl crackle', 'Vinyl stop', 'Viola'];
  server.on('GET /api/search/suggestions', () => ({
    json: { items: labels.map((label) => ({ kind: 'sample', label, href: `/pack/${label}/W` })) },
  }));
  renderAt('/discover', <SearchBox />);
  const box = screen.getByRole('combobox');
  act(() => box.focus());
  fireEvent.change(box, { target: { value: 'vi' } });
  await pass(150);
  await pass(50);
  fireEvent.keyDown(box, { key: 'ArrowDown' });
  fireEvent.keyDown(box, { key: 'ArrowDown' });
  const highlighted = () => screen.getByRole('option', { selected: true });
  expect(highlighted().textContent).toContain('Vinyl stop');
  labels = ['Vibraphone', 'Vinyl crackle', 'Vinyl stop', 'Viola'];
  await pass(9_000);
  expect(server.seen('GET /api/search/suggestions')).toHaveLength(1);
  await pass(1_100);
  expect(server.seen('GET /api/search/suggestions')).toHaveLength(2);
  expect(screen.getAllByRole('option')[0]?.textContent).toContain('Vibraphone');
  expect(highlighted().textContent).toContain('Vinyl stop');
  expect(box.getAttribute('aria-activedescendant')).toBe(highlighted().id);
  expect(document.activeElement).toBe(box);
  fireEvent.blur(box);
  await pass(30_000);
  expect(server.seen('GET /api/search/suggestions')).toHaveLength(2);
});

it('[SRCH-06] [CACHE-03] renews the results every 8 s under focus, an open menu, scroll and playback', async () => {
  renderAt('/search', <SearchScreen />);
  await pass(100);
  const row = screen.getByRole('listitem', { name: /^Sound b/ });
  act(() => row.focus());
  fireEvent.click(within(row).getByRole('button', { name: 'Play Sound b' }));
  await pass(900);
  expect(player.getState()).toMatchObject({ currentlyPlaying: 'b', isLoading: false });
  fireEvent.click(screen.getByRole('button', { name: /^Mood/ }));
  fireEvent.click(screen.getByRole('checkbox', { name: /^Dark/ }));
  act(() => row.focus());
  const scrollTo = jest.spyOn(window, 'scrollTo');
  found = [sampleTitled('new', 'Sound new'), ...found];
  await pass(7_000);
  expect(screen.queryByRole('listitem', { name: /^Sound new/ })).toBeNull();
  await pass(1_500);
  expect(screen.getByRole('listitem', { name: /^Sound new/ })).toBeTruthy();
  expect(screen.getByText('3 tracks found')).toBeTruthy();
  expect(screen.getByRole('listitem', { name: /^Sound b/ })).toBe(row);
  expect(document.activeElement).toBe(row);
  expect((screen.getByRole('checkbox', { name: /^Dark/ }) as HTMLInputElement).checked).toBe(true);
  expect(player.getState().currentlyPlaying).toBe('b');
  expect(row.getAttribute('aria-current')).toBe('true');
  expect(scrollTo).not.toHaveBeenCalled();
});

/** Five pages of one sound each, which arrive after 20 ms. */
const fivePages = (requested: (cursor: string | null) => void = () => undefined) =>
  server.on('GET /api/samples', async ({ query }) => {
    requested(query.get('cursor'));
    await new Promise((arrived) => setTimeout(arrived, 20));
    const at = Number(query.get('cursor') ?? 0);
    const items = [sampleTitled(`s${at}`, `Sound ${at}${at === 0 ? '' : edition}`)];
    return { json: { ...pageOf(items), total: 5, nextCursor: at < 4 ? String(at + 1) : null } };
  });
let edition = '';
const askedPages = () => server.seen('GET /api/samples').map(({ query }) => Number(query.get('cursor') ?? 0));

it('[WEB-21] renews the pages that are on screen, and no others', async () => {
  edition = '';
  fivePages();
  renderAt('/search', <SearchScreen />);
  await pass(100);
  for (let page = 1; page < 5; page += 1) {
    fireEvent.click(screen.getByRole('button', { name: 'Show more' }));
    await pass(100);
  }
  const rows = screen.getAllByRole('listitem');
  expect(rows).toHaveLength(5);
  // Only the fourth is on screen.
  rows.forEach((row, at) => {
    const top = at === 3 ? 10 : 10_000;
    row.getBoundingClientRect = () => ({ top, bottom: top + 56 }) as DOMRect;
  });
  server.requests.length = 0;
  edition = ' anew';
  await pass(17_000);
  expect(askedPages().sort()).toEqual([0, 0, 3, 3]);
  expect(screen.getByRole('listitem', { name: /^Sound 3 anew/ })).toBeTruthy();
  expect(screen.getByRole('listitem', { name: /^Sound 4,/ })).toBeTruthy();
});

it('[WEB-21] renews all pages once they have moved', async () => {
  edition = '';
  fivePages();
  renderAt('/search', <SearchScreen />);
  await pass(100);
  fireEvent.click(screen.getByRole('button', { name: 'Show more' }));
  await pass(100);
  found = [sampleTitled('new', 'Sound new'), ...found];
  server.on('GET /api/samples', () => ({ json: pageOf(found) }));
  await pass(8_500);
  expect(screen.getByRole('listitem', { name: /^Sound new/ })).toBeTruthy();
  expect(screen.getByText('3 tracks found')).toBeTruthy();
});

/** Makes each observed element intersect from the start, as the end of a short list does. @returns the way back */
function showEnds(): () => void {
  const observed = globalThis.IntersectionObserver;
  globalThis.IntersectionObserver = class {
    constructor(private readonly tell: (entries: { isIntersecting: boolean }[]) => void) {}
    observe(): void {
      setTimeout(() => this.tell([{ isIntersecting: true }]));
    }
    unobserve(): void {}
    disconnect(): void {}
  } as never;
  return () => (globalThis.IntersectionObserver = observed);
}

it('[WEB-21] requests more results again after a refetch that began together with their request', async () => {
  edition = '';
  let began = false;
  fivePages((cursor) => {
    if (cursor && !began) packsChanged();
    began ||= cursor !== null;
  });
  const hide = showEnds();
  renderAt('/search', <SearchScreen />);
  await pass(1_000);
  expect(screen.getAllByRole('listitem')).toHaveLength(5);
  hide();
});

it('[WEB-02] asks once for more results that fail, says so, and goes on when asked', async () => {
  let failing = true;
  server.on('GET /api/samples', ({ query }) =>
    query.get('cursor') && failing
      ? refused('InternalError')
      : {
          json: {
            ...pageOf(query.get('cursor') ? [sampleTitled('z', 'Sound z')] : found),
            nextCursor: query.get('cursor') ? null : '1',
          },
        },
  );
  const hide = showEnds();
  renderAt('/search', <SearchScreen />);
  await pass(1_000);
  expect(server.seen('GET /api/samples').filter(({ query }) => query.get('cursor'))).toHaveLength(1);
  expect(screen.getByText('More could not be loaded.')).toBeTruthy();
  failing = false;
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await pass(100);
  expect(screen.getByRole('listitem', { name: /^Sound z/ })).toBeTruthy();
  hide();
});

it('[CACHE-03] a failed refresh leaves everything as it was', async () => {
  renderAt('/search', <SearchScreen />);
  await pass(100);
  server.on('GET /api/samples', refused('ServiceUnavailable'));
  await pass(60_000);
  expect(screen.getByRole('listitem', { name: /^Sound a/ })).toBeTruthy();
  expect(screen.queryByText('The search could not be run')).toBeNull();
});

const rowsOf = (title: string) => {
  const packs = [
    {
      id: title.replaceAll(' ', '-'),
      title,
      slug: 'p',
      creator: sampleNamed('a').creator,
      genre: 'Lofi',
      mood: 'Calm',
      sampleCount: 3,
      artworkUrl: null,
      description: '',
      publishedAt: null,
    },
  ];
  return { newReleases: packs, popularThisWeek: packs, trendingGenres: [], featuredCollections: [] };
};

it('[CACHE-01] keeps packs for 30 minutes', async () => {
  server.on('GET /api/sounds', { json: rowsOf('Rented Piano') });
  const look = () => queryClient.fetchQuery(query('GET /api/sounds'));
  await look();
  await pass(29 * 60_000);
  await look();
  expect(server.seen('GET /api/sounds')).toHaveLength(1);
  await pass(60_001);
  await look();
  expect(server.seen('GET /api/sounds')).toHaveLength(2);
  expect(PACK_CACHE_MS).toBe(30 * 60_000);
});

it('[CACHE-01] an invalidation drops them, and open pages reload', async () => {
  server.on('GET /api/sounds', { json: rowsOf('Rented Piano') });
  renderAt('/sounds', <SoundsScreen />);
  await pass(100);
  expect(screen.getAllByText('Rented Piano').length).toBeGreaterThan(0);
  server.on('GET /api/sounds', { json: rowsOf('Sugar Glass') });
  act(() => packsChanged());
  await pass(100);
  expect(screen.getAllByText('Sugar Glass').length).toBeGreaterThan(0);
  expect(screen.queryByText('Rented Piano')).toBeNull();
});
