import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { lazy, Suspense } from 'react';
import { Route, Routes } from 'react-router-dom';
import { collectionsQuery, packQuery } from '../../web/src/api/catalogue.js';
import { NavigationRouter } from '../../web/src/navigation.js';
import { signOut } from '../../web/src/session/session.js';
import { askFirst } from '../../web/src/shell/page-access.js';
import { queryClient } from '../../web/src/api/query-client.js';
import { page, type Page, type Screen as PageScreen } from '../../web/src/page.js';
import { PAGES } from '../../web/src/pages.js';
import { packPath, paths } from '../../web/src/paths.js';
import { routes } from '../../web/src/routes.js';
import { INTENT_MS, prepareOnIntent } from '../../web/src/shell/intent.js';
import { fetchAhead, keepPartsComing, lazyWithPreload } from '../../web/src/shell/lazy-with-preload.js';
import { pageAt as routedAt, type RouteHandle } from '../../web/src/shell/page-at.js';
import { PageFrame, PageTitle } from '../../web/src/shell/page-frame.js';
import { forgetAnswers, navigationAt, NOOR, sampleNamed, signedInAs } from './support/render.js';
import { exampleWith, StubServer } from './support/server.js';

const PACK = 'GET /api/packs/:handle/:slug';
let server: StubServer;

beforeEach(() => {
  forgetAnswers();
  server = new StubServer({
    [PACK]: exampleWith(PACK, { title: 'Late' }),
    'GET /api/library/saved': exampleWith('GET /api/library/saved', { nextCursor: null }),
    'GET /api/library/downloads': exampleWith('GET /api/library/downloads', { nextCursor: null }),
    'GET /api/swipe': { json: { items: [sampleNamed('a')] } },
    'GET /api/library/history': { json: { items: [] } },
    'POST /api/auth/sign-out': { status: 204 },
  });
});
afterEach(() => {
  cleanup();
  jest.useRealTimers();
});

const pageAt = (address: string) => routedAt(routes, new URL(address, 'http://localhost'))?.page;

describe('the declarations of pages', () => {
  it('[PAGE-01] have a page for every address that links are made of, and 404 for every other', () => {
    const pack = { slug: 'late', creator: { handle: 'Mira', displayName: 'Mira' } };
    const made = Object.values(paths).map((path) =>
      typeof path === 'string' ? path : (path as (of: unknown) => string)('finance'),
    );
    const addresses = [...made, packPath(pack as never), paths.pack({ creator: 'Mira', slug: 'late' })];
    expect(addresses.filter((address) => pageAt(address) === PAGES['not-found'])).toEqual([]);
    expect(pageAt('/no/such/page')).toBe(PAGES['not-found']);
    expect(pageAt('/pack/late')).toBe(PAGES.pack);
  });

  it('ask for what the address names', () => {
    const asked = (of: Page, params: Record<string, string>, search = '') =>
      of.load?.({ params, search: new URLSearchParams(search) })?.queryKey;
    expect(asked(PAGES.pack, { slug: 'late', creator: 'Mira' })).toEqual(packQuery('Mira', 'late').queryKey);
    expect([asked(PAGES.pack, { slug: 'late' }), asked(PAGES.creator, {})]).toEqual([undefined, undefined]);
    expect(asked(PAGES.collections, {}, 'tab=genres')).toEqual(collectionsQuery('genres').queryKey);
    expect(asked(PAGES.collections, {}, 'tab=none')).toEqual(collectionsQuery('all').queryKey);
  });
});

const GUARDED = Object.entries(PAGES).filter(([, { access }]) => access !== undefined);
const example = ({ path }: Page) => path.replace(':slug', 'late').replace('/*', '');

/** Opens a page at its address. @returns a function that reads the current path */
function open(of: Page, Screen: PageScreen, address = example(of)) {
  const navigation = navigationAt(address);
  render(
    <QueryClientProvider client={queryClient}>
      <Suspense fallback="Loading">
        <NavigationRouter navigation={navigation}>
          <Routes>
            <Route path={of.path} element={<PageFrame page={of} Screen={Screen} />} />
            <Route path="*" element={<p>Another page</p>} />
          </Routes>
        </NavigationRouter>
      </Suspense>
    </QueryClientProvider>,
  );
  return () => navigation.shown().location.pathname;
}
const Its: PageScreen = ({ user }) => <p>Open to {user?.displayName}</p>;

describe('a page that is not for everybody', () => {
  it('[PAGE-06] shows nothing of its own until it is known who looks', async () => {
    open(PAGES.library, Its);
    expect(screen.getByText('Checking access...')).toBeTruthy();
    expect(screen.queryByText(/^Open/)).toBeNull();
    expect(server.requests).toEqual([]);
  });
});

describe('the queries of a page that the server does not draw', () => {
  const askedAt = async (address: string) => {
    const found = routedAt(routes, new URL(address, 'http://localhost'));
    const asked: string[] = [];
    if (found) await askFirst(found.page, found.address, ({ queryKey }) => asked.push(String(queryKey[0])));
    return asked;
  };

  it('[PAGE-05] wait until it is known who is signed in', async () => {
    const waiting = askedAt('/library');
    // The file with the queries has loaded before the session is known.
    await PAGES.library.queries?.();
    await new Promise((resolve) => setTimeout(resolve));
    signedInAs(NOOR);
    expect(await waiting).toEqual(['GET /api/library/saved', 'GET /api/library/downloads']);
  });

  it('[PAGE-05] are only those of everybody while nobody is signed in', async () => {
    await signOut();
    const own = [
      '/library',
      '/settings',
      '/dashboard',
      '/earnings',
      '/creator-pack/late',
      '/admin',
      '/finance',
    ];
    expect((await Promise.all(own.map(askedAt))).flat()).toEqual([]);
    expect(await askedAt('/search?q=drum')).toEqual(['GET /api/samples']);
    expect(await askedAt('/swipe')).toEqual(['GET /api/swipe']);
    expect(await askedAt('/certificates/3')).toEqual(['GET /api/certificates/:id/verification']);
    expect(await askedAt('/certificates/verify')).toEqual([]);
  });

  it('[PAGE-05] are one’s own once somebody is signed in, and those of a role for people who have it', async () => {
    signedInAs({ ...NOOR, roles: [], isCreator: false });
    expect(await askedAt('/settings?tab=credits')).toContain('GET /api/credits/ledger');
    expect(await askedAt('/creator-pack/late')).toContain('GET /api/creator/packs/:id');
    expect(await askedAt('/dashboard')).not.toContain('GET /api/creator/balance');
    expect(await askedAt('/earnings')).toEqual([]);
    expect([...(await askedAt('/admin')), ...(await askedAt('/finance'))]).toEqual([]);
    signedInAs({ ...NOOR, roles: ['admin', 'finance'], isCreator: true });
    expect(await askedAt('/dashboard')).toContain('GET /api/creator/balance');
    expect(await askedAt('/earnings')).toContain('GET /api/creator/sales');
    expect(await askedAt('/admin/reports')).toContain('GET /api/reports');
    expect(await askedAt('/finance/creators/7')).toContain('GET /api/finance/creators/:creatorId');
    await signOut();
  });
});

describe('a page that is not for everybody, once it is known who looks', () => {
  afterEach(async () => {
    cleanup();
    await signOut();
  });

  it.each(GUARDED)('[PAGE-06] %s is closed to visitors: they sign in, or are led home', async (_, of) => {
    const path = open(of, Its);
    await waitFor(() => expect(document.querySelector('a[href^="/auth?"]') ?? path() === '/').toBeTruthy());
    expect(screen.queryByText(/^Open/)).toBeNull();
    expect(server.requests.filter(({ method }) => method === 'GET')).toEqual([]);
  });

  it.each(GUARDED)('[PAGE-06] %s opens to who has its access', async (_, of) => {
    signedInAs({ ...NOOR, roles: ['admin', 'finance'], isCreator: true });
    open(of, Its);
    expect(screen.getByText('Open to Noor Haddad')).toBeTruthy();
  });

  it('[PAGE-06] is closed to others, who read whose it is', async () => {
    signedInAs({ ...NOOR, roles: ['admin'] });
    open(PAGES.finance, Its);
    await screen.findByText('Only people with the finance role see this page.');
    expect(server.requests).toEqual([]);
  });
});

describe('a page', () => {
  it('[PAGE-02] asks what it needs while its file is on the way, once', async () => {
    let arrive = (_: { default: () => React.ReactNode }) => undefined as void;
    const Screen = lazy(() => new Promise<{ default: () => React.ReactNode }>((come) => (arrive = come)));
    open(PAGES.pack, Screen, '/pack/late/Mira');
    expect(server.seen(PACK)).toHaveLength(1);
    await act(async () => arrive({ default: () => <p>Here</p> }));
    expect(screen.getByText('Here')).toBeTruthy();
    expect(server.seen(PACK)).toHaveLength(1);
  });

  it('[PAGE-02] asks for lists that come page after page just as early, and the screen finds them', async () => {
    signedInAs(NOOR);
    const Screen = lazy(PAGES.library.screen);
    open(PAGES.library, Screen);
    await screen.findByRole('tab', { name: /Saved/ });
    await waitFor(() => expect(queryClient.isFetching()).toBe(0));
    expect(server.seen('GET /api/library/saved')).toHaveLength(1);
    expect(server.seen('GET /api/library/downloads')).toHaveLength(1);
    cleanup();
    await signOut();
  });

  it('[PAGE-02] deals Swipe from what was asked while its file was on the way', async () => {
    open(PAGES.swipe, lazy(PAGES.swipe.screen));
    await screen.findByRole('heading', { level: 2, name: /^Rented piano/ });
    expect(server.seen('GET /api/swipe')).toHaveLength(1);
  });

  it('has the title that it is declared with, or the one of the part that is shown', () => {
    const shown = (of: Page, part?: string) => {
      const Screen = () => <PageTitle>{part}</PageTitle>;
      render(
        <QueryClientProvider client={queryClient}>
          <NavigationRouter navigation={navigationAt('/')}>
            <PageFrame page={of} Screen={Screen} />
          </NavigationRouter>
        </QueryClientProvider>,
      );
      const { title } = document;
      cleanup();
      return title;
    };
    expect(shown(PAGES.swipe)).toBe('Swipe · Offcut');
    expect(shown(PAGES.pack, 'Late')).toBe('Late · Offcut');
    expect(shown(PAGES.auth)).toBe('Offcut · Take the leftovers. Make the record.');
  });
});

describe('a link', () => {
  const load = jest.fn(async () => undefined);
  const late = page('/pack/:slug/:creator', {
    screen: () => Promise.reject(new Error('not here')),
    load: ({ params: { slug = '', creator = '' } }) => packQuery(creator, slug),
  });
  let end: () => void;

  beforeEach(() => {
    jest.useFakeTimers();
    load.mockClear();
    end = prepareOnIntent([{ path: late.path, handle: { page: late, load } satisfies RouteHandle }]);
    render(
      <>
        <a href="/pack/late/Mira">
          <b>Late</b>
        </a>
        <a href="/pack/early/Mira">Early</a>
        <a href="https://elsewhere.example/pack/late/Mira">Elsewhere</a>
        <a href="/pack/late/Mira" target="_blank" rel="noreferrer">
          Beside
        </a>
        <a href="/pack/late/Mira" download>
          File
        </a>
        <a href="/other">Other</a>
      </>,
    );
  });
  afterEach(() => end());

  const asked = () => server.seen(PACK).map(({ path }) => path);

  it.each(['pointerOver', 'focusIn'] as const)(
    '[PAGE-03] that somebody rests on has its page fetched, and what it asks: %s',
    (kind) => {
      fireEvent[kind](screen.getByText('Late'));
      jest.advanceTimersByTime(INTENT_MS);
      expect(load).toHaveBeenCalledTimes(1);
      expect(asked()).toEqual(['/api/packs/Mira/late']);
    },
  );

  it('[PAGE-03] that is only crossed fetches nothing', () => {
    fireEvent.pointerOver(screen.getByText('Late'));
    jest.advanceTimersByTime(INTENT_MS - 1);
    fireEvent.pointerOver(screen.getByText('Early'));
    jest.advanceTimersByTime(INTENT_MS - 1);
    fireEvent.pointerOver(document.body);
    jest.advanceTimersByTime(INTENT_MS);
    expect([load.mock.calls.length, asked()]).toEqual([0, []]);
  });

  it.each(['Elsewhere', 'Beside', 'File', 'Other'])(
    '[PAGE-03] fetches nothing of no page here: %s',
    (name) => {
      fireEvent.pointerOver(screen.getByText(name));
      jest.advanceTimersByTime(INTENT_MS);
      expect([load.mock.calls.length, asked()]).toEqual([0, []]);
    },
  );
});

describe('a file that is fetched ahead', () => {
  const reload = jest.fn();
  const fail = () => {
    const event = new Event('vite:preloadError', { cancelable: true });
    window.dispatchEvent(event);
    return event.defaultPrevented;
  };

  it('[PAGE-04] and does not come leaves the page as it is, unless somebody waits for one', () => {
    const stop = keepPartsComing(reload);
    const never = () => new Promise<never>(() => undefined);
    fetchAhead(never);
    expect([fail(), reload.mock.calls.length]).toEqual([false, 0]);
    const Waited = lazyWithPreload(never);
    render(
      <Suspense fallback="Loading">
        <Waited />
      </Suspense>,
    );
    expect([fail(), reload.mock.calls.length]).toEqual([true, 1]);
    sessionStorage.clear();
    stop();
  });

  it('[PAGE-04] is not asked for without a connection, because not every browser asks again for a file that failed', async () => {
    const fetch = jest.fn(async () => 'file');
    const onLine = jest.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    expect([await fetchAhead(fetch), fetch.mock.calls.length]).toEqual([undefined, 0]);
    onLine.mockRestore();
    expect([await fetchAhead(fetch), fetch.mock.calls.length]).toEqual(['file', 1]);
  });
});
