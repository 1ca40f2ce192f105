import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { queryClient } from '../../web/src/api/query-client.js';
import { player } from '../../web/src/player/player.js';
import SwipeScreen from '../../web/src/screens/swipe/swipe-screen.js';
import { SLIDE_MS } from '../../web/src/screens/swipe/use-deck.js';
import { signOut } from '../../web/src/session/session.js';
import { NOOR, renderAt, sampleNamed, signedInAs } from './support/render.js';
import { StubServer, refused } from './support/server.js';

let server: StubServer;

const inGenre = (genre: string) =>
  ['one', 'two', 'three'].map((id) =>
    sampleNamed(`${genre}-${id}`, {
      genre,
      title: `${genre} ${id}`,
      previewUrl: `/media/${genre}-${id}.mp3`,
    }),
  );
const entry = (at: number) => ({
  id: `heard-${at}`,
  title: `Heard ${at}`,
  artist: 'Wren Abbott',
  artwork: null,
  packSlug: 'rented-piano',
  timestamp: '2026-11-20T10:00:00Z',
});
const save = (at: number) => ({
  id: `sample:Wren:Saved ${at}`,
  item: { type: 'sample', title: `Saved ${at}`, artist: 'Wren Abbott' },
  sample: null,
  createdAt: '2026-11-20T10:00:00Z',
});

beforeEach(() => {
  server = new StubServer({
    'GET /api/swipe': ({ query }) => {
      const genre = query.get('genre');
      return { json: { items: genre === 'Drill' ? [] : inGenre(genre ?? 'Lofi') } };
    },
    'GET /api/library/history': { json: { items: [1, 2, 3, 4].map(entry) } },
    'POST /api/library/history': {},
    'GET /api/library/saved': { json: { items: [1, 2, 3, 4].map(save), nextCursor: null } },
    'PUT /api/library/saved/:id': {},
    'GET /api/credits': { json: { balance: 3, lots: [] } },
    'POST /api/auth/sign-out': { status: 204 },
  });
});
afterEach(async () => {
  cleanup();
  jest.useRealTimers();
  act(() => player.close());
  await act(() => signOut());
});

const show = async () => {
  const rendered = renderAt('/swipe', <SwipeScreen />);
  await screen.findByRole('heading', { level: 2, name: /^Lofi/ });
  return { ...rendered, visitor: userEvent.setup() };
};
const title = () => screen.getAllByRole('heading', { level: 2 }).map((heading) => heading.textContent);

it('[SWP-01] chips of genres filter the cards, and say when no track matches', async () => {
  const { visitor } = await show();
  await visitor.click(screen.getByRole('button', { name: 'Soul' }));
  await screen.findByRole('heading', { level: 2, name: /^Soul/ });
  expect(server.seen('GET /api/swipe').at(-1)?.query.get('genre')).toBe('Soul');
  expect(title().some((text) => text?.startsWith('Lofi'))).toBe(false);
  await visitor.click(screen.getByRole('button', { name: 'Soul' }));
  await visitor.click(screen.getByRole('button', { name: 'Drill' }));
  expect(await screen.findByText('No tracks match')).toBeTruthy();
  await visitor.click(screen.getByRole('button', { name: 'Show all genres' }));
  await screen.findByRole('heading', { level: 2, name: /^Lofi/ });
});

it('[SWP-02] the card has a record that spins while it sounds, and five round buttons', async () => {
  signedInAs(NOOR);
  const { visitor, container } = await show();
  const card = container.querySelector('.swipe-card') as HTMLElement;
  const controls = within(card.querySelector('.swipe-action')?.parentElement as HTMLElement);
  const names = [...controls.getAllByRole('link'), ...controls.getAllByRole('button')];
  const labels = names.map(({ textContent }) => textContent?.replace(/^\d.*credit/, ''));
  expect(labels).toEqual(['Open pack', 'Pass', 'Play', 'Save', 'Download']);
  expect(controls.getByRole('link', { name: 'Open pack' }).getAttribute('href')).toBe(
    '/pack/rented-piano/Wren_Abbott',
  );
  expect(card.querySelector('[class*=animate-]')).toBeNull();
  await visitor.click(controls.getByRole('button', { name: 'Play' }));
  await waitFor(() => expect(card.querySelector('[class*=animate-]')).toBeTruthy());
  await visitor.click(controls.getByRole('button', { name: 'Pause' }));
  expect(player.getState().currentlyPlaying).toBeNull();
  expect(card.querySelector('[class*=animate-]')).toBeNull();
  await visitor.click(controls.getByRole('button', { name: 'Save' }));
  expect(card.dataset.sliding).toBe('right');
  await waitFor(() => expect(server.seen('PUT /api/library/saved/:id')).toHaveLength(1));
});

it('[SWP-400] each card that goes right is saved, and no other, however slow the saves are', async () => {
  signedInAs(NOOR);
  const answers: (() => void)[] = [];
  server.on('PUT /api/library/saved/:id', () => new Promise((resolve) => answers.push(() => resolve({}))));
  await show();
  jest.useFakeTimers();
  const button = (name: string) => screen.getByRole('button', { name });
  const liked: (string | undefined)[] = [];
  for (let card = 0; card < 2; card += 1) {
    const top = screen.getByRole('heading', { level: 2, name: /^Lofi/ }).textContent;
    liked.push(top?.replace(' ', '-'));
    act(() => button('Save').click());
    await act(() => jest.advanceTimersByTimeAsync(SLIDE_MS));
  }
  // The card on top was not liked.
  expect(screen.queryByRole('button', { name: 'Saved' })).toBeNull();
  const saved = () => server.seen('PUT /api/library/saved/:id').map(({ path }) => path.split('/').at(-1));
  expect(saved()).toEqual(liked);
  await act(async () => answers.forEach((answer) => answer()));
  await act(() => jest.advanceTimersByTimeAsync(SLIDE_MS));
  expect(screen.queryByRole('button', { name: 'Saved' })).toBeNull();
});

it('[SWP-03] [HIST-02] the panel shows the three latest heard and the three latest saved', async () => {
  signedInAs(NOOR);
  await show();
  const list = async (name: string) => {
    const section = await screen.findByRole('region', { name });
    await within(section).findAllByRole('listitem');
    return within(section)
      .getAllByRole('listitem')
      .map((item) => item.textContent?.match(/(Heard|Saved) \d/)?.[0]);
  };
  expect(await list('Recently listened to')).toEqual(['Heard 1', 'Heard 2', 'Heard 3']);
  expect(await list('Recent Saves')).toEqual(['Saved 1', 'Saved 2', 'Saved 3']);
});

it('[SWP-02] the key O opens the pack of the card, but not from a dialog above it', async () => {
  const { visitor, path } = await show();
  document.body.insertAdjacentHTML('beforeend', '<div role="dialog"><button>OK</button></div>');
  const button = screen.getByRole('button', { name: 'OK' });
  act(() => button.focus());
  await visitor.keyboard('o');
  expect(path()).toBe('/swipe');
  button.parentElement?.remove();
  await visitor.keyboard('o');
  expect(path()).toBe('/pack/rented-piano/Wren_Abbott');
});

it('[SWP-06] sounds by itself only after the visitor has acted once', async () => {
  await show();
  await act(() => new Promise((resolve) => setTimeout(resolve, 900)));
  expect(player.getState().track).toBeNull();
  jest.useFakeTimers();
  const first = screen.getByRole('heading', { level: 2, name: /^Lofi/ }).textContent;
  act(() => screen.getByRole('button', { name: 'Pass' }).click());
  expect(player.getState().currentlyPlaying).toBeNull();
  await act(() => jest.advanceTimersByTimeAsync(SLIDE_MS));
  const next = screen.getByRole('heading', { level: 2, name: /^Lofi/ }).textContent;
  expect(next).not.toBe(first);
  expect(player.getState().track?.title).toBe(next);
  expect(player.getState().currentlyPlaying).not.toBeNull();
});

it('[HDR-03] starts no sound when the page is left during the slide', async () => {
  const { unmount } = await show();
  jest.useFakeTimers();
  act(() => screen.getByRole('button', { name: 'Pass' }).click());
  unmount();
  await act(() => jest.advanceTimersByTimeAsync(SLIDE_MS * 2));
  expect(player.getState().track).toBeNull();
});

it('[HIST-01] playing adds what was heard to the listening history', async () => {
  signedInAs(NOOR);
  const playing = jest.spyOn(HTMLMediaElement.prototype, 'play');
  const { visitor } = await show();
  await visitor.click(screen.getByRole('button', { name: 'Play' }));
  await waitFor(() => expect(player.getState().isLoading).toBe(false));
  expect(server.seen('POST /api/library/history')).toHaveLength(0);
  const audio = playing.mock.contexts.at(-1) as HTMLAudioElement;
  Object.defineProperty(audio, 'currentTime', { value: 2, writable: true, configurable: true });
  act(() => void audio.dispatchEvent(new Event('timeupdate')));
  await waitFor(() => expect(server.seen('POST /api/library/history')).toHaveLength(1));
  const { track } = player.getState();
  expect(server.seen('POST /api/library/history')[0]?.body).toEqual({
    id: track?.id,
    title: track?.title,
    artist: 'Wren Abbott',
    url: track?.previewUrl,
    artwork: null,
    packSlug: 'rented-piano',
  });
});

it('[WEB-04] "Try again" opens the bin once the server answers', async () => {
  server.on('GET /api/swipe', refused('InternalError'));
  renderAt('/swipe', <SwipeScreen />);
  await screen.findByText('The sounds could not be loaded');
  server.on('GET /api/swipe', { json: { items: inGenre('Lofi') } });
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('heading', { level: 2, name: /^Lofi/ })).toBeTruthy();
});

it('[WEB-04] shows only the genres chosen last, however late the answers to others come', async () => {
  let answerFirst = (): void => undefined;
  server.on('GET /api/swipe', async ({ query }) => {
    const genre = query.get('genre');
    if (genre === null) await new Promise<void>((resolve) => (answerFirst = resolve));
    return { json: { items: inGenre(genre ?? 'Lofi') } };
  });
  renderAt('/swipe', <SwipeScreen />);
  const visitor = userEvent.setup();
  await visitor.click(await screen.findByRole('button', { name: 'Soul' }));
  await screen.findByRole('heading', { level: 2, name: /^Soul/ });
  await act(async () => answerFirst());
  const shown = new Set<string | undefined>();
  for (let card = 0; card < 6; card += 1) {
    const [top] = title().filter((text) => text && /^(Soul|Lofi) /.test(text));
    shown.add(top?.split(' ')[0]);
    await visitor.click(screen.getByRole('button', { name: 'Pass' }));
    await act(() => new Promise((resolve) => setTimeout(resolve, SLIDE_MS + 20)));
  }
  expect([...shown]).toEqual(['Soul']);
});

it('[SWP-05] keeps the card that lies on top when its visitor signs in', async () => {
  const { visitor } = await show();
  const top = () => screen.getByRole('heading', { level: 2, name: /^Lofi/ }).textContent;
  const before = top();
  await visitor.click(screen.getByRole('button', { name: 'Play' }));
  act(() => signedInAs(NOOR));
  await screen.findByRole('region', { name: 'Recent Saves' });
  expect(top()).toBe(before);
  expect(server.seen('GET /api/swipe')).toHaveLength(1);
});

it('[SWP-05] does not deal again what was judged while more was on its way', async () => {
  const all = [...inGenre('Lofi'), sampleNamed('Lofi-four', { title: 'Lofi four' })];
  // Selects the last of the pool, which is the newest arrival.
  const last = jest.spyOn(Math, 'random').mockReturnValue(0.999);
  let waiting = Promise.resolve();
  let answer = (): void => undefined;
  server.on('GET /api/swipe', async ({ query }) => {
    await waiting;
    return { json: { items: all.filter(({ id }) => !query.getAll('exclude').includes(id)) } };
  });
  await show();
  waiting = new Promise<void>((resolve) => (answer = resolve));
  const judged = new Set<string | null>();
  const pass = async () => {
    judged.add(screen.getByRole('heading', { level: 2, name: /^Lofi/ }).textContent);
    act(() => screen.getByRole('button', { name: 'Pass' }).click());
    await act(() => new Promise((resolve) => setTimeout(resolve, SLIDE_MS + 20)));
  };
  await pass();
  await pass();
  answer();
  await waitFor(() => expect(queryClient.isFetching({ queryKey: ['GET /api/swipe'] })).toBe(0));
  await pass();
  await pass();
  last.mockRestore();
  expect(judged.size).toBe(4);
});
