import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { FollowButton } from '../../web/src/following/follow-button.js';
import FollowingScreen from '../../web/src/screens/following/following-screen.js';
import { carryOnAfterSignIn } from '../../web/src/session/after-sign-in.js';
import { signOut } from '../../web/src/session/session.js';
import { carryOn } from '../../web/src/shell/carry-on.js';
import { pageWith } from './support/page.js';
import { NOOR, leave, navigationAt, renderAt, sampleNamed, signedInAs } from './support/render.js';
import { StubServer, refused } from './support/server.js';

const WREN = sampleNamed('one').creator;
const PATH = 'PUT /api/creators/Wren_Abbott/follow';
const FollowingPage = pageWith('following', FollowingScreen);
const pack = (id: string) => ({
  id,
  title: `Pack ${id}`,
  slug: id,
  creator: WREN,
  genre: 'Soul',
  mood: 'Smooth',
  sampleCount: 8,
  artworkUrl: null,
  description: '',
  publishedAt: '2026-11-01T00:00:00.000Z',
});

let server: StubServer;
/** What the stubbed server knows. */
let creators: (typeof WREN)[];
let tags: string[];

beforeEach(() => {
  [creators, tags] = [[], []];
  server = new StubServer({
    'GET /api/following': () => ({ json: { creators, tags } }),
    'PUT /api/creators/:handle/follow': () => ((creators = [WREN]), { status: 204 }),
    'DELETE /api/creators/:handle/follow': () => ((creators = []), { status: 204 }),
    'GET /api/feed': { json: { items: [], nextCursor: null } },
    'POST /api/auth/sign-out': { status: 204 },
  });
  signedInAs(NOOR);
});
afterEach(leave);

const button = () => screen.findByRole('button', { name: /^Follow/ });

describe('following a creator', () => {
  it('[LIB-713] shows each press at once, and keeps the last of several', async () => {
    renderAt('/', <FollowButton creator={WREN} />);
    await waitFor(() => expect(server.seen('GET /api/following')).toHaveLength(1));
    for (const [text, pressed] of [
      ['Following', 'true'],
      ['Follow', 'false'],
      ['Following', 'true'],
    ] as const) {
      await userEvent.click(await button());
      await waitFor(async () => expect((await button()).textContent).toBe(text));
      expect((await button()).getAttribute('aria-pressed')).toBe(pressed);
    }
    await waitFor(() => expect(server.seen('GET /api/following').length).toBeGreaterThan(1));
    expect(creators).toEqual([WREN]);
    expect((await button()).textContent).toBe('Following');
  });

  it('[LIB-713] takes a press back that the server refuses, and says why', async () => {
    server.on('PUT /api/creators/:handle/follow', refused('FollowsTooMany'));
    renderAt('/', <FollowButton creator={WREN} />);
    await waitFor(() => expect(server.seen('GET /api/following')).toHaveLength(1));
    await userEvent.click(await button());
    await screen.findByText('You follow as many creators and tags as possible. Stop following one first.');
    await waitFor(async () => expect((await button()).textContent).toBe('Follow'));
  });

  it('[LIB-713] asks a guest to sign in, and follows afterwards', async () => {
    const stop = carryOnAfterSignIn((intent) => void carryOn(intent, navigationAt('/discover')));
    await act(() => signOut());
    renderAt('/', <FollowButton creator={WREN} />);
    await userEvent.click(await button());
    await userEvent.click(await screen.findByRole('button', { name: 'Sign in' }));
    expect(server.seen(PATH)).toHaveLength(0);
    act(() => signedInAs(NOOR));
    await waitFor(() => expect(server.seen(PATH)).toHaveLength(1));
    stop();
  });
});

describe('the page "Following"', () => {
  it('[LIB-713] says what to do while nothing is followed', async () => {
    renderAt('/following', <FollowingPage />);
    await screen.findByText('You do not follow anyone yet');
    expect(screen.queryByRole('heading', { name: 'Creators' })).toBeNull();
  });

  it('[LIB-713] shows new packs with their reasons, leaves creators, and follows tags', async () => {
    [creators, tags] = [[WREN], ['Soul']];
    server.on('GET /api/feed', ({ query }) =>
      query.get('cursor')
        ? { json: { items: [{ pack: pack('b'), reasons: ['Soul'] }], nextCursor: null } }
        : { json: { items: [{ pack: pack('a'), reasons: ['Wren Abbott', 'Soul'] }], nextCursor: 'more' } },
    );
    server.on('PUT /api/tags/:tag/follow', { status: 204 });
    renderAt('/following', <FollowingPage />);
    await screen.findByText('You follow Wren Abbott, Soul');
    await userEvent.click(screen.getByRole('button', { name: 'Show more' }));
    await screen.findAllByText('Pack b');
    await userEvent.click(await screen.findByRole('button', { name: 'Unfollow Wren Abbott' }));
    await waitFor(() => expect(screen.queryByRole('heading', { name: 'Creators' })).toBeNull());
    expect(screen.getByRole('button', { name: 'Soul' }).getAttribute('aria-pressed')).toBe('true');
    await userEvent.click(screen.getByRole('button', { name: 'Hi-Hat' }));
    await waitFor(() => expect(server.seen('PUT /api/tags/Hi-Hat/follow')).toHaveLength(1));
  });
});
