import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, fireEvent, renderHook, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { Route, Routes } from 'react-router-dom';
import type { Collection, CreatorProfile } from '../../application/catalogue/contract.js';
import { uploadAvatar } from '../../web/src/api/creator.js';
import { queryClient } from '../../web/src/api/query-client.js';
import CollectionScreen from '../../web/src/screens/collection/collection-screen.js';
import CollectionsScreen from '../../web/src/screens/collections/collections-screen.js';
import CreatorScreen from '../../web/src/screens/creator/creator-screen.js';
import PackScreen from '../../web/src/screens/pack/pack-screen.js';
import { NETWORKS, socialAddress } from '../../web/src/creators/social-links.js';
import { Faq } from '../../web/src/screens/home/faq.js';
import { PICK_TRIES, SLIDE_MS, pickNext, useDeck } from '../../web/src/screens/swipe/use-deck.js';
import { signOut } from '../../web/src/session/session.js';
import { NOOR, pageOf, renderAt, sampleNamed, signedInAs } from './support/render.js';
import { StubServer, refused } from './support/server.js';

let server: StubServer;
const DAY_MS = 24 * 3600_000;

beforeEach(() => {
  server = new StubServer({
    'POST /api/auth/sign-out': { status: 204 },
    'GET /api/credits': { json: { balance: 1 } },
  });
});
afterEach(async () => {
  jest.useRealTimers();
  cleanup();
  await signOut();
});

const collectionNamed = (name: string, more: Partial<Collection> = {}): Collection => ({
  id: name,
  name,
  description: 'Everything in the bins.',
  samples: 12,
  slug: 'genre-neo-r-b',
  category: 'Genres',
  artworkUrl: null,
  updatedAt: new Date(Date.now() - 1.5 * DAY_MS).toISOString(),
  packs: [],
  ...more,
});

describe('collections', () => {
  it('[COLL-01] shows the category of the tab', async () => {
    server.on('GET /api/collections', ({ query }) => ({
      json: { items: [collectionNamed(`Tab ${query.get('tab')}`)], nextCursor: null },
    }));
    renderAt('/collections', <CollectionsScreen />);
    expect(screen.getByRole('heading', { name: 'Browse Collections' })).toBeTruthy();
    expect(screen.getByText('Loading collections...')).toBeTruthy();
    expect(screen.getAllByRole('tab').map(({ textContent }) => textContent)).toEqual([
      'All',
      'Sounds',
      'Artists',
      'Genres',
    ]);
    await screen.findByRole('link', { name: 'Tab all' });
    await userEvent.setup().click(screen.getByRole('tab', { name: 'Genres' }));
    const link = await screen.findByRole('link', { name: 'Tab genres' });
    expect(link.getAttribute('href')).toBe('/collection/genre-neo-r-b');
  });

  it('[COLL-901] goes on to the last collection', async () => {
    server.on('GET /api/collections', ({ query }) => ({
      json: query.get('cursor')
        ? { items: [collectionNamed('The oldest')], nextCursor: null }
        : { items: [collectionNamed('The newest')], nextCursor: 'next' },
    }));
    renderAt('/collections', <CollectionsScreen />);
    await userEvent.click(await screen.findByRole('button', { name: 'Show more' }));
    await screen.findByRole('link', { name: 'The oldest' });
    expect(screen.getByRole('link', { name: 'The newest' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();
  });

  const show = () =>
    renderAt(
      '/collection/genre-neo-r-b',
      <Routes>
        <Route path="/collection/:slug" element={<CollectionScreen />} />
      </Routes>,
    );

  it('[COLL-04] [COLL-05] leads back, says how long ago it changed, and lists its tracks', async () => {
    server
      .on('GET /api/collections/genre-neo-r-b', { json: collectionNamed('Neo R&B') })
      .on('GET /api/samples', {
        json: pageOf([]),
      });
    show();
    expect(screen.getByText('Loading tracks...')).toBeTruthy();
    expect(await screen.findByRole('heading', { level: 1, name: 'Neo R&B' })).toBeTruthy();
    expect(screen.getByText('Updated 1d ago')).toBeTruthy();
    expect(screen.getByText('12 samples')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Collections' }).getAttribute('href')).toBe('/collections');
    expect(await screen.findByText('No tracks found')).toBeTruthy();
    const query = server.seen('GET /api/samples')[0]?.query;
    expect([query?.get('mode'), query?.get('collection')]).toEqual(['collection', 'genre-neo-r-b']);
  });
});

describe('a creator', () => {
  const profile = (more: Partial<CreatorProfile> = {}): CreatorProfile => ({
    id: 'wren',
    handle: 'Wren_Abbott',
    displayName: 'Wren Abbott',
    avatarUrl: null,
    verified: true,
    aiTraining: false,
    bio: '',
    twitter: '',
    instagram: '@wren',
    tiktok: '',
    youtube: '',
    totalSamples: 101,
    totalPacks: 2,
    isTopSeller: true,
    packs: [],
    samples: [],
    ...more,
  });
  const show = () =>
    renderAt(
      '/creator/Wren_Abbott',
      <Routes>
        <Route path="/creator/:creator" element={<CreatorScreen />} />
      </Routes>,
    );
  const edit = () => screen.queryByRole('link', { name: 'Edit Profile' });

  it('[PROF-01] says that it loads, and that there is no such creator', async () => {
    show();
    expect(screen.getByText('Loading creator profile...')).toBeTruthy();
    expect(await screen.findByText('Creator not found')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Browse Sounds' }).getAttribute('href')).toBe('/sounds');
  });

  it('[PROF-02] [PROF-05] [PROF-07] [COMP-33] shows counts, badges and the bio of somebody without one', async () => {
    server.on('GET /api/creators/Wren_Abbott', { json: profile() });
    show();
    expect(await screen.findByText('101 Samples')).toBeTruthy();
    expect(screen.getByText('2 Packs')).toBeTruthy();
    expect(screen.getByLabelText('Top seller')).toBeTruthy();
    expect(screen.getByLabelText('Verified')).toBeTruthy();
    expect(screen.getByText('Music producer. View more')).toBeTruthy();
    expect(screen.getByText('No packs yet')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Instagram' }).getAttribute('href')).toBe(
      'https://www.instagram.com/wren',
    );
    expect(screen.getByRole('link', { name: /^Complain about/ }).getAttribute('href')).toBe(
      '/complaint?about=creator:Wren_Abbott',
    );
  });

  it('[COMP-33] the address of what was taken down leads to complaints', async () => {
    const detail = 'Taken down after a complaint about privacy, 12 Nov 2026.';
    server.on('GET /api/packs/Wren_Abbott/gone', refused('TakenDown', { detail }));
    renderAt(
      '/pack/gone/Wren_Abbott',
      <Routes>
        <Route path="/pack/:slug/:creator" element={<PackScreen />} />
      </Routes>,
    );
    await screen.findByText(detail);
    const leadsTo = (name: string) => screen.getByRole('link', { name }).getAttribute('href');
    expect(leadsTo('Complain about something else')).toBe('/complaint');
    expect(leadsTo('what comes of complaints')).toBe('/complaint/transparency');
  });

  it('[PROF-02] counts one as one', async () => {
    server.on('GET /api/creators/Wren_Abbott', { json: profile({ totalSamples: 1, totalPacks: 1 }) });
    show();
    expect(await screen.findByText('1 Sample')).toBeTruthy();
    expect(screen.getByText('1 Pack')).toBeTruthy();
  });

  it('[PROF-07] stays usable when the profile cannot be loaded', async () => {
    server.on('GET /api/creators/Wren_Abbott', refused('InternalError'));
    show();
    expect(await screen.findByText('Music producer.')).toBeTruthy();
    expect(screen.getByText('0 Samples')).toBeTruthy();
  });

  it('[PROF-04] offers "Edit Profile" to its owner only, told by user id', async () => {
    server.on('GET /api/creators/Wren_Abbott', { json: profile() });
    signedInAs({ ...NOOR, displayName: 'Wren Abbott' });
    show();
    await screen.findByText('101 Samples');
    expect(edit()).toBeNull();
    act(() => signedInAs({ ...NOOR, id: 'wren' }));
    await waitFor(() => expect(edit()?.getAttribute('href')).toBe('/dashboard?tab=profile'));
  });

  it('[PROF-08] reloads when an avatar was changed', async () => {
    server.on('GET /api/creators/Wren_Abbott', { json: profile() });
    show();
    await screen.findByText('101 Samples');
    server.on('PUT /api/creator/avatar', { json: { success: true, avatarUrl: '/media/avatars/a.webp' } });
    await act(() => uploadAvatar(new File(['x'], 'me.png'), 'PUT /api/creator/avatar'));
    await waitFor(() => expect(server.seen('GET /api/creators/Wren_Abbott')).toHaveLength(2));
  });

  it.each([
    ['instagram', '@wren', 'https://www.instagram.com/wren'],
    ['twitter', 'wren', 'https://twitter.com/wren'],
    ['tiktok', '@wren', 'https://www.tiktok.com/@wren'],
    ['youtube', 'https://youtube.com/c/wren', 'https://youtube.com/c/wren'],
    ['youtube', 'httpx://evil', null],
    ['twitter', 'javascript:alert(1)', 'https://twitter.com/javascript%3Aalert(1)'],
    ['twitter', '  ', null],
  ])('[PROF-03] %s %s leads to %s', (field, value, address) => {
    const network = NETWORKS.find((one) => one.field === field);
    expect(network && socialAddress(network, value)).toBe(address);
  });
});

const Cached = ({ children }: { children: ReactNode }) => (
  <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
);

describe('Swipe', () => {
  const pool = ['a', 'b', 'c'].map((id) => sampleNamed(id));

  it('[SWP-05] picks another sample, within ten tries', () => {
    const draws = [0, 0, 0.9];
    let asked = 0;
    expect(pickNext(pool, 'a', () => draws[asked++] ?? 0)?.id).toBe('c');
    asked = 0;
    pickNext(pool, 'a', () => {
      asked += 1;
      return 0;
    });
    expect(asked).toBe(PICK_TRIES);
    expect(pickNext([], 'a')).toBeNull();
  });

  it('[SWP-04] [SWP-07] changes the track only after the slide of 450 ms, and loads more below ten', async () => {
    server.on('GET /api/swipe', { json: { items: pool } });
    const { result } = renderHook(() => useDeck([]), { wrapper: Cached });
    await waitFor(() => expect(result.current.current).not.toBeNull());
    const first = result.current.current?.id;
    jest.useFakeTimers();
    act(() => result.current.leave('left'));
    expect(result.current.sliding).toBe('left');
    await act(() => jest.advanceTimersByTimeAsync(SLIDE_MS - 1));
    expect(result.current.current?.id).toBe(first);
    await act(() => jest.advanceTimersByTimeAsync(1));
    expect(result.current.current?.id).not.toBe(first);
    expect(result.current.sliding).toBeNull();
    expect(SLIDE_MS).toBe(450);
    expect(server.seen('GET /api/swipe')).toHaveLength(2);
    expect(server.seen('GET /api/swipe')[1]?.query.getAll('exclude')).toEqual([first]);
  });
});

describe('questions', () => {
  it('[FAQ-01] [FAQ-02] [FAQ-03] opens one answer at a time', () => {
    renderAt('/', <Faq />);
    expect(screen.getByText('Every day, 9:01 AM')).toBeTruthy();
    const question = (name: RegExp) => screen.getByRole('button', { name });
    const openOnes = () => screen.getAllByRole('button', { expanded: true });
    fireEvent.click(question(/Does the Studio plan/));
    expect(openOnes()).toHaveLength(1);
    expect(
      within(document.body).getByText(/Upload and dashboard access are not part of the Studio plan/),
    ).toBeTruthy();
    fireEvent.click(question(/Do my credits expire/));
    expect(openOnes()).toEqual([question(/Do my credits expire/)]);
    fireEvent.click(question(/Do my credits expire/));
    expect(screen.queryAllByRole('button', { expanded: true })).toHaveLength(0);
  });
});
