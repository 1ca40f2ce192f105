import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { QueryClientProvider, useMutation } from '@tanstack/react-query';
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import type { Sample } from '../../application/catalogue/contract.js';
import { say, wordOn } from '../../web/src/api/newest-word.js';
import { queryClient } from '../../web/src/api/query-client.js';
import { markOwned } from '../../web/src/downloads/owned.js';
import { player } from '../../web/src/player/player.js';
import { PEAKS_CACHED, peaksOf } from '../../web/src/player/seekable-waveform.js';
import { SampleList } from '../../web/src/samples/sample-list.js';
import type { RowPlace } from '../../web/src/samples/sample-row.js';
import { SaveButton } from '../../web/src/samples/save-button.js';
import { carryOnAfterSignIn } from '../../web/src/session/after-sign-in.js';
import { signOut } from '../../web/src/session/session.js';
import { carryOn } from '../../web/src/shell/carry-on.js';
import { barsPath } from '../../web/src/ui/sound/waveform.js';
import { dismissToast } from '../../web/src/ui/overlays/toast.js';
import { NOOR, navigationAt, renderAt, sampleNamed, signedInAs } from './support/render.js';
import { StubServer } from './support/server.js';

let server: StubServer;

beforeEach(() => {
  server = new StubServer({
    'PUT /api/library/saved/:id': {},
    'DELETE /api/library/saved/:id': {},
    'POST /api/auth/sign-out': { status: 204 },
    'POST /api/library/history': {},
    'GET /media/previews/:file': {},
  });
  signedInAs(NOOR);
});
afterEach(async () => {
  player.close();
  dismissToast();
  cleanup();
  await signOut();
});

function show(samples: Sample[], place: RowPlace = 'list'): UserEvent {
  renderAt('/search', <SampleList samples={samples} place={place} label="Tracks" />);
  return userEvent.setup();
}
/** Renders one sample in two places, such as its row and the player. */
function showTwice(sample: Sample) {
  const button = <SaveButton sample={sample} place="list" />;
  renderAt(
    '/search',
    <>
      {button}
      {button}
    </>,
  );
  return {
    visitor: userEvent.setup(),
    buttons: () => screen.getAllByRole('button', { name: /^(Save to library|Saved)/ }),
  };
}
const row = (at = 0) => screen.getAllByRole('listitem')[at] as HTMLElement;
const saveButton = () => within(row()).getByRole('button', { name: /Save to library|Saved/ });

describe('what a row shows', () => {
  it('[ROW-01] links to the pack and the creator, and shows length, title, tempo and key', () => {
    show([sampleNamed('a')]);
    const inRow = within(row());
    expect(inRow.getByRole('link', { name: 'Open pack Rented Piano' }).getAttribute('href')).toBe(
      '/pack/rented-piano/Wren_Abbott',
    );
    expect(inRow.getByRole('link', { name: 'Wren Abbott' }).getAttribute('href')).toBe(
      '/creator/Wren_Abbott',
    );
    expect(inRow.getByText('0:21')).toBeTruthy();
    expect(inRow.getByText('Rented piano, left hand')).toBeTruthy();
    expect(inRow.getAllByTitle('C Major').length).toBeGreaterThan(0);
    expect(inRow.getAllByText('76').length).toBeGreaterThan(0);
  });

  it('[ROW-01] offers the thumbnail in the widths there are, to be chosen by how small it is shown', () => {
    const cover = `/media/covers/${'a'.repeat(64)}`;
    show([sampleNamed('a', { artworkUrl: `${cover}.webp` }), sampleNamed('b', { artworkUrl: '/old.webp' })]);
    const [kept, other] = [...document.querySelectorAll<HTMLImageElement>('.cover img')];
    expect(kept?.srcset).toMatch(new RegExp(`^${cover}-96.webp 96w, .*, ${cover}.webp 1000w$`));
    expect(kept?.sizes).toMatch(/48px$/);
    expect([other?.getAttribute('src'), other?.srcset]).toEqual(['/old.webp', '']);
  });

  it('[ROW-02] draws 50 bars', () => {
    show([sampleNamed('a')]);
    const path = row().querySelector('.waveform path')?.getAttribute('d') ?? '';
    expect(path.match(/M/g)).toHaveLength(50);
  });

  it('[ROW-03] keeps bars between the shortest and 40', () => {
    const heights = (path: string) => [...path.matchAll(/v([\d.]+)/g)].map(([, height]) => Number(height));
    const peaks = Array.from({ length: 50 }, (_, bar) => (bar % 2 ? 100 : 0));
    expect(new Set(heights(barsPath(peaks, { minHeight: 8 })))).toEqual(new Set([8, 40]));
  });

  it('[PLAY-07] shows a placeholder of its own where the analysis found nothing, always the same', () => {
    const nothing = { waveform: Array.from({ length: 50 }, () => 0) };
    const bars = peaksOf({ id: 'a', ...nothing });
    expect(bars).toHaveLength(50);
    expect(bars.every((bar) => bar > 0 && bar <= 100)).toBe(true);
    expect(peaksOf({ id: 'a', ...nothing })).toBe(bars);
    expect(peaksOf({ id: 'b', ...nothing })).not.toEqual(bars);
    for (let index = 0; index < PEAKS_CACHED; index += 1) peaksOf({ id: `other-${index}`, ...nothing });
    expect(peaksOf({ id: 'a', ...nothing })).not.toBe(bars);
  });

  it('[ROW-04] shows STEMS and MIDI only where the files exist, and the real cost', () => {
    show([sampleNamed('a', { hasStems: true, hasMidi: false, creditCost: 3 })]);
    expect(within(row()).getAllByText('STEMS').length).toBeGreaterThan(0);
    expect(within(row()).queryByText('MIDI')).toBeNull();
    expect(within(row()).getByTitle('3 credits').textContent).toContain('3');
  });

  it('[ROW-08] shows lengths below a second', () => {
    show([40, 400, 999, 1_000, 61_000].map((durationMs) => sampleNamed(`s${durationMs}`, { durationMs })));
    const lengths = Array.from(document.querySelectorAll('.row-time'), (cell) => cell.textContent);
    expect(lengths).toEqual(['0:00.1', '0:00.4', '0:00.9', '0:01', '1:01']);
  });

  it('[ROW-07] says in the name of each action which sample it is about, and leads from the title to its page', () => {
    show([sampleNamed('a', { title: 'Felt keys' })]);
    const names = within(row())
      .getAllByRole('button')
      .map((button) => button.getAttribute('aria-label'));
    expect(names.filter((name) => name?.endsWith(': Felt keys'))).toHaveLength(3);
    const link = within(row()).getByRole('link', { name: 'Felt keys' });
    expect(link.getAttribute('href')).toBe('/sample/a');
  });

  it('[ROW-05] names the save button by its state, and an owned sample by its check', () => {
    show([sampleNamed('a'), sampleNamed('b', { saved: true, owned: true })]);
    expect(within(row(0)).getByTitle('Save to library')).toBeTruthy();
    expect(within(row(1)).getByTitle('Saved')).toBeTruthy();
    expect(within(row(1)).getByTitle('Already downloaded - click to download again')).toBeTruthy();
  });

  it('[PLAY-01] marks the row that plays with aria-current', async () => {
    const visitor = show([sampleNamed('a'), sampleNamed('b')]);
    await visitor.click(within(row(0)).getByRole('button', { name: 'Play Rented piano, left hand' }));
    await waitFor(() => expect(row(0).getAttribute('aria-current')).toBe('true'));
    expect(row(1).getAttribute('aria-current')).toBeNull();
  });

  it('[WEB-08] a key that is held down plays or pauses once', async () => {
    const visitor = show([sampleNamed('a')]);
    await visitor.tab();
    fireEvent.keyDown(row(), { key: ' ' });
    for (let times = 0; times < 9; times += 1) fireEvent.keyDown(row(), { key: ' ', repeat: true });
    expect(player.getState().currentlyPlaying).toBe('a');
  });

  it('auditions the next row on arrow down, with one tab stop in the list', async () => {
    const visitor = show([sampleNamed('a'), sampleNamed('b')]);
    await visitor.tab();
    expect(document.activeElement).toBe(row(0));
    await visitor.keyboard('{ArrowDown}');
    await waitFor(() => expect(document.activeElement).toBe(row(1)));
    expect(player.getState().track?.id).toBe('b');
    expect(row(0).tabIndex).toBe(-1);
    expect(row(1).tabIndex).toBe(0);
  });
});

describe('an arrow key that is held down', () => {
  afterEach(() => {
    jest.useRealTimers();
  });

  it('[ROW-720] plays only where it comes to rest', async () => {
    const samples = Array.from({ length: 9 }, (_, at) => sampleNamed(`s${at}`));
    const visitor = show(samples);
    await visitor.tab();
    jest.useFakeTimers();
    const played: (string | null)[] = [];
    const leave = player.subscribe(() => played.push(player.getState().currentlyPlaying));
    for (let at = 0; at < 6; at += 1) {
      fireEvent.keyDown(row(at), { key: 'ArrowDown', repeat: at > 0 });
      await act(() => jest.advanceTimersByTimeAsync(40));
      expect(document.activeElement).toBe(row(at + 1));
    }
    await act(() => jest.advanceTimersByTimeAsync(200));
    leave();
    expect(new Set(played)).toEqual(new Set([null, 's1', 's6']));
  });
});

describe('pressing on a waveform', () => {
  const waveform = () => row().querySelector('.waveform') as HTMLElement;
  const heard = () => player.getState().track?.id;
  const mouse = { pointerType: 'mouse', button: 0, buttons: 1, clientX: 0, clientY: 0 };
  const finger = { ...mouse, pointerType: 'touch' };
  const send = (kind: 'down' | 'move' | 'up' | 'cancel', { pointerType, ...init }: typeof mouse) => {
    const event = new MouseEvent(`pointer${kind}`, { bubbles: true, cancelable: true, ...init });
    fireEvent(waveform(), Object.assign(event, { pointerType, pointerId: 1 }));
  };

  it('[WEB-06] plays from there with the main button only', () => {
    show([sampleNamed('a')]);
    send('down', { ...mouse, button: 2, buttons: 2 });
    send('up', { ...mouse, button: 2, buttons: 0 });
    expect(heard()).toBeUndefined();
    send('down', mouse);
    expect(heard()).toBe('a');
  });

  it('[WEB-06] leaves what is dragged over it alone', () => {
    show([sampleNamed('a')]);
    send('move', mouse);
    expect(heard()).toBeUndefined();
  });

  it('[WEB-06] plays where a finger taps, not where it begins to scroll', () => {
    show([sampleNamed('a')]);
    send('down', finger);
    expect(heard()).toBeUndefined();
    send('cancel', finger);
    send('up', { ...finger, buttons: 0 });
    expect(heard()).toBeUndefined();
    send('down', finger);
    send('up', { ...finger, buttons: 0 });
    expect(heard()).toBe('a');
  });

  it('[WEB-06] seeks along with a finger that moves sideways', () => {
    show([sampleNamed('a')]);
    send('down', finger);
    send('move', { ...finger, clientX: 4 });
    expect(heard()).toBeUndefined();
    send('move', { ...finger, clientX: 40 });
    expect(heard()).toBe('a');
  });
});

describe('drawing again', () => {
  it('[WEB-07] draws only the two rows that an arrow key moves between', async () => {
    const drawn: string[] = [];
    const samples = Array.from({ length: 100 }, (_, at) => {
      const id = `s${at}`;
      const read = { get: () => (drawn.push(id), ['Piano']), enumerable: true };
      return Object.defineProperty(sampleNamed(id), 'instruments', read);
    });
    const visitor = show(samples);
    await visitor.tab();
    drawn.length = 0;
    await visitor.keyboard('{ArrowDown}');
    await waitFor(() => expect(document.activeElement).toBe(row(1)));
    expect(new Set(drawn)).toEqual(new Set(['s0', 's1']));
  });
});

describe('the page around a list', () => {
  it('[ROW-420] the first down arrow plays the first row, and the next ones walk on', async () => {
    const visitor = show([sampleNamed('a'), sampleNamed('b')]);
    await visitor.keyboard('{ArrowDown}');
    expect(player.getState().track?.id).toBe('a');
    expect(document.activeElement).toBe(row(0).closest('[data-sample]') ?? row(0));
    act(() => (document.activeElement as HTMLElement).blur());
    await visitor.keyboard('{ArrowDown}');
    expect(player.getState().track?.id).toBe('b');
  });
});

describe('saving', () => {
  it('[SAVE-01] saves from a list and says so', async () => {
    const visitor = show([sampleNamed('a')]);
    await visitor.click(saveButton());
    expect(await screen.findByText('Saved!')).toBeTruthy();
    expect(screen.getByText('Track added to your library')).toBeTruthy();
    expect(server.seen('PUT /api/library/saved/a')[0]?.body).toMatchObject({
      id: 'a',
      type: 'sample',
      title: 'Rented piano, left hand',
      keySignature: 'C Major',
    });
  });

  it('[SAVE-01] uses the texts of the pack page there', async () => {
    const visitor = show([sampleNamed('a')], 'pack');
    await visitor.click(saveButton());
    expect(await screen.findByText('Track saved to your library')).toBeTruthy();
  });

  it('[SAVE-02] asks signed-out visitors to sign in, and saves nothing', async () => {
    await signOut();
    const visitor = show([sampleNamed('a')]);
    await visitor.click(saveButton());
    expect(await screen.findByText('Sign in required')).toBeTruthy();
    expect(screen.getByText('Please sign in to save tracks.')).toBeTruthy();
    expect(saveButton().getAttribute('aria-pressed')).toBe('false');
    expect(server.seen('PUT /api/library/saved/a')).toHaveLength(0);
  });

  it('[AUTH-420] saves once the visitor has signed in', async () => {
    const stop = carryOnAfterSignIn((intent) => void carryOn(intent, navigationAt('/discover')));
    await signOut();
    const visitor = show([sampleNamed('a')]);
    await visitor.click(saveButton());
    await visitor.click(await screen.findByRole('button', { name: 'Sign in' }));
    expect(server.seen('PUT /api/library/saved/a')).toHaveLength(0);
    act(() => signedInAs(NOOR));
    expect(await screen.findByText('Saved!')).toBeTruthy();
    await waitFor(() => expect(saveButton().getAttribute('aria-pressed')).toBe('true'));
    expect(server.seen('PUT /api/library/saved/a')).toHaveLength(1);
    stop();
  });

  it('[SAVE-02] disables the button while a save runs', async () => {
    let answer: () => void = () => undefined;
    server.on('PUT /api/library/saved/:id', () => new Promise((resolve) => (answer = () => resolve({}))));
    const visitor = show([sampleNamed('a')]);
    await visitor.click(saveButton());
    expect(saveButton().getAttribute('aria-disabled')).toBe('true');
    await visitor.click(saveButton());
    expect(server.seen('PUT /api/library/saved/:id')).toHaveLength(1);
    answer();
    await waitFor(() => expect(saveButton().getAttribute('aria-disabled')).toBeNull());
  });

  it('[WEB-05] keeps the focus on the button while a save runs, and after it', async () => {
    let answer: () => void = () => undefined;
    server.on('PUT /api/library/saved/:id', () => new Promise((resolve) => (answer = () => resolve({}))));
    const visitor = show([sampleNamed('a')]);
    act(() => saveButton().focus());
    await visitor.keyboard('{Enter}');
    expect(saveButton().getAttribute('aria-busy')).toBe('true');
    expect(document.activeElement).toBe(saveButton());
    await visitor.keyboard('{Enter} ');
    answer();
    await waitFor(() => expect(saveButton().getAttribute('aria-busy')).toBeNull());
    expect(document.activeElement).toBe(saveButton());
    expect(server.seen('PUT /api/library/saved/:id')).toHaveLength(1);
  });

  it('[SAVE-03] removes a saved track from a list at once', async () => {
    const visitor = show([sampleNamed('a', { saved: true })]);
    await visitor.click(saveButton());
    expect(await screen.findByText('Removed')).toBeTruthy();
    expect(screen.getByText('Track removed from your library')).toBeTruthy();
    expect(server.seen('DELETE /api/library/saved/a')).toHaveLength(1);
  });

  it('[SAVE-04] asks on the pack page and removes only after confirming', async () => {
    const visitor = show([sampleNamed('a', { saved: true })], 'pack');
    await visitor.click(saveButton());
    const dialog = await screen.findByRole('alertdialog', { name: 'Remove track?' });
    expect(dialog.textContent).toContain('Remove this track from your library?');
    expect(dialog.textContent).toContain('Remove this track from your saved library?');
    await visitor.click(within(dialog).getByRole('button', { name: 'Cancel' }));
    expect(server.seen('DELETE /api/library/saved/a')).toHaveLength(0);
    await visitor.click(saveButton());
    await visitor.click(await screen.findByRole('button', { name: 'Remove' }));
    await waitFor(() => expect(server.seen('DELETE /api/library/saved/a')).toHaveLength(1));
  });

  it.each([
    ['list', false, 'Failed to save track. Please try again.'],
    ['pack', false, 'Failed to save track'],
    ['list', true, 'Failed to remove track'],
  ] as const)(
    '[SAVE-05] says what failed (%s, saved: %s) and shows the true state',
    async (place, saved, text) => {
      server
        .on('PUT /api/library/saved/:id', { status: 500 })
        .on('DELETE /api/library/saved/:id', { status: 500 });
      const visitor = show([sampleNamed('a', { saved })], place);
      await visitor.click(saveButton());
      expect(await screen.findByText(text)).toBeTruthy();
      expect(screen.getByText('Error')).toBeTruthy();
      expect(saveButton().getAttribute('aria-pressed')).toBe(String(saved));
    },
  );

  it('[SAVE-400] the newest wish wins, whichever button it comes from, and is the one reported', async () => {
    const answers: (() => void)[] = [];
    server.on('PUT /api/library/saved/:id', () => new Promise((resolve) => answers.push(() => resolve({}))));
    const { visitor, buttons } = showTwice(sampleNamed('a'));
    await visitor.click(buttons()[0] as HTMLElement);
    await visitor.click(buttons()[1] as HTMLElement);
    expect(server.seen('DELETE /api/library/saved/a')).toHaveLength(0);
    answers[0]?.();
    expect(await screen.findByText('Removed')).toBeTruthy();
    expect(server.seen('[A-Z]+ /api/library/saved/a').map(({ method }) => method)).toEqual(['PUT', 'DELETE']);
    expect(buttons().map((button) => button.getAttribute('aria-pressed'))).toEqual(['false', 'false']);
  });

  it('[SAVE-400] a failure shows what the server has, not the opposite of the wish', async () => {
    let answer: () => void = () => undefined;
    server
      .on('PUT /api/library/saved/:id', () => new Promise((resolve) => (answer = () => resolve({}))))
      .on('DELETE /api/library/saved/:id', { status: 500 });
    const { visitor, buttons } = showTwice(sampleNamed('a'));
    await visitor.click(buttons()[0] as HTMLElement);
    await visitor.click(buttons()[1] as HTMLElement);
    answer();
    expect(await screen.findByText('Failed to remove track')).toBeTruthy();
    expect(buttons().map((button) => button.getAttribute('aria-pressed'))).toEqual(['true', 'true']);
  });

  it('[SAVE-401] a button that goes on to another sample settles the one that was pressed', async () => {
    let answer: (answer: { status?: number }) => void = () => undefined;
    server.on('PUT /api/library/saved/:id', () => new Promise((resolve) => (answer = resolve)));
    const words = (id: string) => wordOn('saved', id);
    function Player() {
      const [at, setAt] = useState('a');
      return (
        <>
          <SaveButton sample={sampleNamed(at)} place="list" />
          <button type="button" onClick={() => setAt('b')}>
            Next
          </button>
        </>
      );
    }
    renderAt('/search', <Player />);
    const visitor = userEvent.setup();
    const button = () => screen.getByRole('button', { name: /^(Save to library|Saved)/ });
    const press = async () => {
      await visitor.click(button());
      await visitor.click(screen.getByRole('button', { name: 'Next' }));
    };
    await press();
    expect(button().getAttribute('aria-busy')).toBeNull();
    await act(async () => answer({ status: 500 }));
    await screen.findByText('Failed to save track. Please try again.');
    expect([words('a'), words('b')]).toEqual([false, undefined]);
    cleanup();
    renderAt('/search', <Player />);
    await press();
    await act(async () => answer({}));
    await visitor.click(await screen.findByRole('button', { name: 'Undo' }));
    await screen.findByText('Removed');
    expect(server.requests.at(-1)).toMatchObject({ method: 'DELETE', path: '/api/library/saved/a' });
    expect([words('a'), words('b')]).toEqual([false, undefined]);
  });

  it('[WEB-400] a mutation settles with what its component showed when it began', async () => {
    const settled: string[] = [];
    let answer: () => void = () => undefined;
    function Press({ subject }: { subject: string }) {
      const { mutate } = useMutation({
        mutationFn: () => new Promise<void>((resolve) => (answer = resolve)),
        onSuccess: () => void settled.push(subject),
      });
      return (
        <button type="button" onClick={() => mutate()}>
          Press
        </button>
      );
    }
    const page = (subject: string) => (
      <QueryClientProvider client={queryClient}>
        <Press subject={subject} />
      </QueryClientProvider>
    );
    const { rerender } = render(page('first'));
    await userEvent.click(screen.getByRole('button', { name: 'Press' }));
    rerender(page('second'));
    await act(async () => answer());
    expect(settled).toEqual(['first']);
  });

  it('[SAVE-06] follows what was saved elsewhere in every visible row', async () => {
    show([sampleNamed('a')]);
    act(() => say('saved', ['a'], true, []));
    await waitFor(() => expect(saveButton().getAttribute('aria-pressed')).toBe('true'));
  });
});

describe('what the server says later', () => {
  const HOUR_MS = 3_600_000;
  const hear = async (items: object[]) => {
    await act(() =>
      queryClient.fetchQuery({
        queryKey: ['GET /api/sounds', Math.random()],
        queryFn: () => Promise.resolve({ items }),
      }),
    );
  };

  it('[WEB-20] replaces what was done here, but not before the server can know of it', async () => {
    show([sampleNamed('a', { saved: false, owned: false })]);
    act(() => say('saved', ['a'], true, []));
    act(() => markOwned(['a']));
    await waitFor(() => expect(saveButton().getAttribute('aria-pressed')).toBe('true'));
    await hear([{ id: 'a', saved: false, owned: false }]);
    expect(saveButton().getAttribute('aria-pressed')).toBe('true');
    expect(within(row()).getByTitle('Already downloaded - click to download again')).toBeTruthy();
    const now = Date.now();
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => now + HOUR_MS);
    await hear([{ id: 'a', saved: false, owned: false }]);
    clock.mockRestore();
    await waitFor(() => expect(saveButton().getAttribute('aria-pressed')).toBe('false'));
    expect(within(row()).getByTitle('Download for 1 credit')).toBeTruthy();
  });
});

describe('a list of more than 100 rows', () => {
  const samples = Array.from({ length: 150 }, (_, at) => sampleNamed(`s${at}`, { title: `Sound ${at}` }));
  const rows = () => screen.getAllByRole('listitem');

  /** Scrolls the page to one of the list's rows. */
  const scrollToRow = (at: number) => {
    const box = screen.getByRole('list').querySelector('.virtual-rows') as HTMLElement;
    box.getBoundingClientRect = () => ({ top: -at * 56, height: 150 * 56 }) as DOMRect;
    fireEvent.scroll(window);
  };
  const numbers = () => rows().map((each) => Number(each.getAttribute('aria-posinset')));

  it('draws the rows near the viewport, at once', () => {
    show(samples);
    expect(numbers()[0]).toBe(1);
    expect(rows().length).toBeLessThan(30);
    scrollToRow(100);
    expect(numbers().slice(0, 4)).toEqual([1, 2, 93, 94]);
    expect(numbers().at(-1)).toBeGreaterThan(100 + window.innerHeight / 56);
    scrollToRow(149);
    expect(numbers().at(-1)).toBe(150);
  });

  it('keeps focus, and a press that scrolling comes between', async () => {
    const user = show(samples);
    const third = row(2);
    const save = within(third).getByRole('button', { name: /^Save to library/ });
    await user.pointer({ target: save, keys: '[MouseLeft>]' });
    scrollToRow(100);
    expect([document.activeElement === save, row(1) === third]).toEqual([true, true]);
    await user.pointer({ target: save, keys: '[/MouseLeft]' });
    await waitFor(() => expect(server.seen('PUT /api/library/saved/:id')).toHaveLength(1));
  });

  it('keeps the rows that stood there when it grows so long', async () => {
    function Growing() {
      const [count, setCount] = useState(40);
      return (
        <>
          <button onClick={() => setCount(150)}>Show more</button>
          <SampleList samples={samples.slice(0, count)} place="list" label="Tracks" />
        </>
      );
    }
    renderAt('/search', <Growing />);
    const fortieth = row(39);
    act(() => fortieth.focus());
    fireEvent.click(screen.getByRole('button', { name: 'Show more' }));
    await waitFor(() => expect(rows().length).toBeLessThan(40));
    expect(document.activeElement === fortieth).toBe(true);
    expect(fortieth.getAttribute('aria-setsize')).toBe('150');
  });
});
