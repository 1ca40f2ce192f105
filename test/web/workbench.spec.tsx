import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Suspense } from 'react';
import { Route, Routes } from 'react-router-dom';
import type { Workbench, WorkbenchContent } from '../../application/library/workbenches/contract.js';
import { player } from '../../web/src/player/player.js';
import { keepProjectsMoved } from '../../web/src/project/guest-projects.js';
import { openProject } from '../../web/src/project/project.js';
import { SampleList } from '../../web/src/samples/sample-list.js';
import SharedWorkbenchScreen from '../../web/src/screens/shared-workbench/shared-workbench-screen.js';
import WorkbenchScreen from '../../web/src/screens/workbench/workbench-screen.js';
import { DownloadHost, Layout } from '../../web/src/shell/layout.js';
import { Engine, type EngineLane } from '../../web/src/workbench/engine/engine.js';
import { ensureOpen, openMoved, startAnew } from '../../web/src/workbench/saving.js';
import {
  addOwnFile,
  addSample,
  currentBench,
  laneWith,
  newBench,
  showBench,
  swapSample,
  undo,
} from '../../web/src/workbench/workbench.js';
import { closeWorkbenchDrawer } from '../../web/src/workbench/try-sound.js';
import { leave, NOOR, renderAt, sampleNamed, signedInAs } from './support/render.js';
import { refused, StubServer, takeFiles } from './support/server.js';

const vibes = sampleNamed('vibes', { title: 'Vibes, borrowed', bpm: 104, key: 'A Minor', durationMs: 9_231 });
const congas = sampleNamed('congas', {
  title: 'Congas, ripe',
  bpm: 100,
  key: null,
  durationMs: 9_600,
  creditCost: 2,
});
const keys = sampleNamed('keys', {
  title: 'Late keys',
  bpm: 84,
  key: 'Eb Major',
  durationMs: 11_429,
  owned: true,
});
const samples = [vibes, congas, keys];

const LAST_BUS: WorkbenchContent = {
  name: 'Last bus',
  tempo: 90,
  key: 'C Minor',
  timeSignature: '4/4',
  lanes: [
    { sampleId: 'vibes', gainDb: -3, pan: 0, mute: false, semitones: 0, offsetBeats: 4, loopBeats: null },
  ],
};

let server: StubServer;
/** The workbenches of the account, as the stubbed server has them. */
let saved: Workbench[];
let lanes: readonly EngineLane[];

const answerOf = (content: WorkbenchContent, id: string, version: number): Workbench => ({
  ...content,
  id,
  version,
  lanes: content.lanes.map((lane) => {
    const sample = samples.find((each) => each.id === lane.sampleId) ?? sampleNamed(lane.sampleId);
    return { ...lane, title: sample.title, sample };
  }),
  totalCredits: 3,
  missingCredits: 3,
  shareUrl: null,
  createdAt: '2026-11-20T10:00:00.000Z',
  updatedAt: '2026-11-20T14:07:00.000Z',
});

beforeEach(() => {
  saved = [];
  lanes = [];
  server = new StubServer({
    'GET /api/credits': { json: { balance: 20, lots: [] } },
    'GET /api/subscription': {
      json: {
        plan: null,
        status: 'none',
        currentPeriodEnd: null,
        scheduledChange: null,
        pendingChange: null,
      },
    },
    'POST /api/library/history': {},
    'GET /media/previews/:file': {},
    'GET /api/workbenches': () => ({
      json: {
        items: saved.map(({ id, name, tempo, key, timeSignature, updatedAt }) => ({
          id,
          name,
          tempo,
          key,
          timeSignature,
          updatedAt,
          laneCount: 1,
          isShared: false,
        })),
      },
    }),
    'GET /api/workbenches/:id': ({ path }) => {
      const found = saved.find(({ id }) => id === path.split('/').at(-1));
      return found ? { json: found } : refused('NotFound');
    },
    'POST /api/workbenches': ({ body }) => {
      const { id, ...content } = body as WorkbenchContent & { id: string };
      saved = [answerOf(content, id, 1), ...saved];
      return { json: saved[0] };
    },
    'PUT /api/workbenches/:id': ({ path, body, headers }) => {
      const id = path.split('/').at(-1) ?? '';
      const before = saved.find((each) => each.id === id);
      if (!before) return refused('NotFound');
      if (headers['if-match'] !== `"${before.version}"`) return refused('StaleVersion');
      const next = answerOf(body as WorkbenchContent, id, before.version + 1);
      saved = saved.map((each) => (each === before ? next : each));
      return { json: next };
    },
    'DELETE /api/workbenches/:id': ({ path }) => {
      saved = saved.filter(({ id }) => id !== path.split('/').at(-1));
      return { status: 204 };
    },
    'POST /api/workbenches/suggestions': {
      json: {
        missing: 'bass',
        because: 'No bass plays yet.',
        items: [
          { sample: sampleNamed('walk', { title: 'Upright walk' }), reason: 'Leaves room for the kick' },
        ],
      },
    },
    'POST /api/auth/sign-out': { status: 204 },
  });
  jest.spyOn(Engine.prototype, 'setLanes').mockImplementation((next) => void (lanes = next));
  for (const method of ['setSong', 'play', 'pause', 'seek'] as const)
    jest.spyOn(Engine.prototype, method).mockImplementation(() => undefined);
  openProject(null);
  showBench(null);
  localStorage.clear();
});
afterEach(async () => {
  act(() => {
    player.close();
    closeWorkbenchDrawer();
  });
  await leave();
  await act(startAnew);
  localStorage.clear();
  jest.restoreAllMocks();
});

const lane = (title: string) => within(screen.getByRole('group', { name: new RegExp(`^${title}`) }));
const rows = () => [...document.querySelectorAll('[data-lane]')].map((row) => row.getAttribute('aria-label'));
const first = () => currentBench()?.lanes[0];

/** Opens the page with a workbench that has these samples. */
async function openPage(added = [vibes, congas]) {
  renderAt(
    '/workbench',
    <Suspense>
      <WorkbenchScreen />
      <DownloadHost />
    </Suspense>,
  );
  await waitFor(() => expect(currentBench()).not.toBeNull());
  act(() => added.forEach((sample) => addSample(sample)));
  return userEvent.setup();
}

describe('adding to the workbench', () => {
  it('[WORK-740] W beside a sound opens the workbench over the page; the first sound sets tempo and key', async () => {
    renderAt(
      '/search',
      <>
        <SampleList samples={samples} place="list" label="Tracks" />
        <Layout />
      </>,
    );
    const row = document.querySelector<HTMLElement>('[data-sample=vibes]');
    act(() => row?.focus());
    await userEvent.setup().keyboard('w');
    const drawer = within(await screen.findByRole('region', { name: 'Workbench' }));
    await drawer.findByRole('group', { name: 'Vibes, borrowed, 104 A min to 104 A min' });
    expect(document.activeElement).toBe(row);
    expect(currentBench()).toMatchObject({ tempo: 104, key: 'A Minor' });
    expect(lanes).toMatchObject([
      { rate: expect.closeTo(1, 3), semitones: 0, cycleBeats: 16, isSilent: false },
    ]);
  });

  it('[WORK-740] a project sets tempo and key, and a lane says how it is heard', async () => {
    openProject({ id: 'p', name: 'Verse', tempo: 90, key: 'C Minor', timeSignature: '4/4' });
    await openPage();
    expect(rows()).toEqual(['Vibes, borrowed, 104 A min to 90 C min', 'Congas, ripe, 100 to 90']);
    expect(lanes).toMatchObject([{ semitones: 3, cycleBeats: 16 }, { semitones: 0 }]);
  });

  it('[WORK-742] takes eight lanes, and the button says why there is no ninth', async () => {
    await openPage(Array.from({ length: 9 }, (_, at) => sampleNamed(`s${at}`)));
    expect(rows()).toHaveLength(8);
    const button = screen.getByRole('button', { name: '8 of 8 lanes' });
    expect(button.title).toBe('A workbench has 8 lanes. Remove one first.');
  });
});

describe('a lane', () => {
  it('[WORK-741] is moved, transposed, muted and played solo by keys; each step can be undone', async () => {
    const visitor = await openPage();
    act(() => screen.getByRole('group', { name: /^Vibes/ }).focus());
    await visitor.keyboard('{ArrowRight}{Shift>}{ArrowRight}{/Shift}{Alt>}{ArrowUp}{/Alt}');
    expect(first()).toMatchObject({ offsetBeats: 5, semitones: 1 });
    await visitor.keyboard('{Shift>}M{/Shift}');
    expect(lanes.map(({ isSilent }) => isSilent)).toEqual([true, false]);
    await visitor.keyboard('{Shift>}M{/Shift}{ArrowDown}{Shift>}S{/Shift}');
    expect(lanes.map(({ isSilent }) => isSilent)).toEqual([true, false]);
    expect(first()?.mute).toBe(false);
    await visitor.keyboard('{Control>}z{/Control}{Control>}z{/Control}{Control>}z{/Control}');
    expect(first()).toMatchObject({ offsetBeats: 5, semitones: 0 });
    await visitor.keyboard('{Control>}{Shift>}z{/Shift}{/Control}');
    expect(first()?.semitones).toBe(1);
    await visitor.keyboard('{Delete}');
    expect(rows()).toEqual([expect.stringMatching(/^Vibes/)]);
  });

  it('[WORK-741] has a field for every number, and keeps within its bounds', async () => {
    const visitor = await openPage();
    await visitor.click(screen.getByRole('group', { name: /^Vibes/ }));
    const field = (name: string) => lane('Vibes').getByRole('spinbutton', { name });
    const type = async (name: string, text: string) => {
      await visitor.clear(field(name));
      await visitor.type(field(name), text);
    };
    await type('Offset', '200');
    await type('Loop length', '8');
    await type('Level in dB', '-12');
    await type('Pan in percent, left is negative', '-40');
    expect(first()).toMatchObject({ offsetBeats: 128, loopBeats: 8, gainDb: -12, pan: -0.4 });
    await visitor.clear(field('Loop length'));
    expect(first()?.loopBeats).toBeNull();
    await visitor.click(lane('Vibes').getByRole('button', { name: 'Transpose: more' }));
    expect(first()?.semitones).toBe(1);
  });

  it('[WORK-741] a slider is one step to undo from press to release, however long the pointer rests', async () => {
    await openPage();
    const now = jest.spyOn(Date, 'now');
    const slider = () => screen.getAllByRole<HTMLInputElement>('slider', { name: 'Level' })[0]!;
    const levelsAfter = (press: boolean) => {
      if (press) fireEvent.pointerDown(slider());
      for (const [ms, level] of [
        [0, '-4'],
        [5_000, '-8'],
      ] as const) {
        now.mockReturnValue(1_800_000_000_000 + ms);
        fireEvent.change(slider(), { target: { value: level } });
      }
      if (press) fireEvent.pointerUp(window);
      act(undo);
      return slider().value;
    };
    expect(levelsAfter(true)).toBe('0');
    expect(levelsAfter(false)).toBe('-4');
    now.mockRestore();
  });

  it('[WORK-741] changes its place by arrows on its grip, and takes a similar sound', async () => {
    await openPage();
    const grip = screen.getByRole('button', { name: /^Move.*Congas, ripe$/ });
    fireEvent.keyDown(grip, { key: 'ArrowUp' });
    expect(rows()[0]).toMatch(/^Congas/);
    const { id = '' } = first() ?? {};
    act(() => swapSample(id, keys));
    expect(first()).toMatchObject({ id, sampleId: 'keys', title: 'Late keys' });
  });

  it('[WORK-741] ends an uneven loop with the bar', () => {
    const uneven = sampleNamed('uneven', { bpm: 120, durationMs: 11_000 });
    expect(laneWith(uneven, { ...newBench(), tempo: 120 }).loopBeats).toBe(24);
    expect(laneWith(vibes, { ...newBench(), tempo: 90 }).loopBeats).toBeNull();
  });

  it('[WORK-750] whose sample left sale says so and makes no sound', async () => {
    await openPage([sampleNamed('gone', { title: 'Gone', previewUrl: null })]);
    expect(lane('Gone').getByText('No longer on sale')).toBeTruthy();
    expect(lanes).toEqual([]);
  });
});

describe('the transport', () => {
  it('[WORK-749] plays with Space, and has click, count-in, four bars and the originals', async () => {
    for (const method of ['setClick', 'setCountIn', 'setRange', 'setOriginals'] as const)
      jest.spyOn(Engine.prototype, method).mockImplementation(() => undefined);
    const visitor = await openPage();
    await visitor.keyboard(' ');
    expect(Engine.prototype.play).toHaveBeenCalled();
    await visitor.click(screen.getByRole('button', { name: 'Click' }));
    await visitor.click(screen.getByRole('button', { name: 'Count in 1 bar' }));
    await visitor.click(screen.getByRole('button', { name: 'Repeat four bars' }));
    await visitor.keyboard('{x>}');
    expect(Engine.prototype.setClick).toHaveBeenLastCalledWith(true);
    expect(Engine.prototype.setCountIn).toHaveBeenLastCalledWith(1);
    expect(Engine.prototype.setRange).toHaveBeenLastCalledWith({ fromBar: 0, bars: 4 });
    expect(Engine.prototype.setOriginals).toHaveBeenLastCalledWith(true);
    await visitor.keyboard('{/x}');
    expect(Engine.prototype.setOriginals).toHaveBeenLastCalledWith(false);
    fireEvent.change(screen.getByRole('slider', { name: 'Position' }), { target: { value: '8' } });
    expect(Engine.prototype.seek).toHaveBeenLastCalledWith(8);
  });
});

describe('keeping a workbench', () => {
  const content = () =>
    saved[0] && { name: saved[0].name, lanes: saved[0].lanes.map(({ sampleId }) => sampleId) };

  it('[WORK-744] saves a while after the last change, on the version that was read last', async () => {
    signedInAs(NOOR);
    await openPage();
    expect(server.seen('POST /api/workbenches')).toHaveLength(0);
    expect(await screen.findByText(/^Saved/)).toBeTruthy();
    expect(content()).toEqual({ name: 'My workbench', lanes: ['vibes', 'congas'] });
    act(() => fireEvent.keyDown(document.body, { key: 'M', shiftKey: true }));
    await waitFor(() => expect(saved[0]?.lanes.some(({ mute }) => mute)).toBe(true));
    expect(server.seen('PUT /api/workbenches/:id').map(({ headers }) => headers['if-match'])).toEqual([
      '"1"',
    ]);
  });

  it('[WORK-744] a tab that is closed at once still saves', async () => {
    signedInAs(NOOR);
    await openPage();
    const sent = jest.spyOn(globalThis, 'fetch');
    act(() => void window.dispatchEvent(new Event('pagehide')));
    await waitFor(() => expect(content()?.lanes).toEqual(['vibes', 'congas']));
    // Browsers end other requests together with the page.
    expect(sent.mock.calls.find(([, init]) => init?.method === 'POST' && init.keepalive)).toBeTruthy();
  });

  it('[WORK-744] keeps that of a guest in the browser, and moves it into the account at sign-in', async () => {
    const stop = keepProjectsMoved();
    await openPage();
    await screen.findByText(/^Saved/);
    expect(server.seen('POST /api/workbenches')).toHaveLength(0);
    act(() => signedInAs(NOOR));
    await waitFor(() => expect(content()?.lanes).toEqual(['vibes', 'congas']));
    await waitFor(() => expect(localStorage.getItem('workbenches')).toBeNull());
    expect(await screen.findByText(/only you can see it/)).toBeTruthy();
    stop();
  });

  it.each([
    ['Keep mine', ['vibes', 'congas', 'keys']],
    ['Load the other version', ['vibes']],
  ])('[WORK-745] a change elsewhere is shown: %s', async (choice, expected) => {
    signedInAs(NOOR);
    const visitor = await openPage();
    await screen.findByText(/^Saved/);
    saved = saved.map((each) => ({ ...each, version: 7, lanes: each.lanes.slice(0, 1) }));
    act(() => void addSample(keys));
    const button = await screen.findByRole('button', { name: choice });
    expect(content()?.lanes).toEqual(['vibes']);
    await visitor.click(button);
    await waitFor(() => expect(currentBench()?.lanes.map(({ sampleId }) => sampleId)).toEqual(expected));
    await waitFor(() => expect(content()?.lanes).toEqual(expected));
    expect(screen.queryByRole('button', { name: choice })).toBeNull();
  });

  it('[WORK-744] says that it is not saved, and tries again on a press', async () => {
    signedInAs(NOOR);
    server.on('POST /api/workbenches', refused('TooManyWorkbenches'));
    const visitor = await openPage();
    const again = await screen.findByRole('button', { name: 'Try again' });
    expect(screen.getByText(/^Not saved/)).toBeTruthy();
    server.on('POST /api/workbenches', ({ body }) => {
      const { id, ...rest } = body as WorkbenchContent & { id: string };
      saved = [answerOf(rest, id, 1)];
      return { json: saved[0] };
    });
    await visitor.click(again);
    expect(await screen.findByText(/^Saved/)).toBeTruthy();
  });

  it('[WORK-743] a file of the listener is a lane that stays in the browser', async () => {
    signedInAs(NOOR);
    await openPage([vibes]);
    const file = new File(['sound'], 'my take.wav');
    act(() => addOwnFile({ file, seconds: 4, waveform: [10, 20] }));
    expect(lane('my take.wav').getByText('Only in this browser, not saved')).toBeTruthy();
    expect(lanes.at(-1)?.source).toEqual({ file });
    await screen.findByText(/^Saved/);
    expect(content()?.lanes).toEqual(['vibes']);
  });
});

describe('the price of a workbench', () => {
  it('[WORK-746] counts what is owned, buys the rest with one confirmation, and exports', async () => {
    takeFiles();
    jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
    server.on('GET /api/workbenches/:id/export', {});
    signedInAs(NOOR);
    server.on('POST /api/samples/downloads', ({ body }) => {
      const { sampleIds } = body as { sampleIds: string[] };
      const download = { url: '/files/a.wav', filename: 'a.wav', expiresAt: '2099-01-01T00:00:00Z' };
      const items = sampleIds.map((sampleId) => ({
        sampleId,
        certificateId: 'c1',
        charged: 1,
        download,
        attached: [],
        leftOut: [],
      }));
      return { json: { items, charged: 3, balance: 17, leftOut: [] } };
    });
    const visitor = await openPage([vibes, congas, keys]);
    const card = within(screen.getByRole('complementary', { name: 'Take it home' }));
    expect(card.getByText('3 credits', { selector: '.display' })).toBeTruthy();
    expect(card.getByText('−1')).toBeTruthy();
    expect(await card.findByText('17 after')).toBeTruthy();
    await visitor.click(card.getByRole('radio', { name: /REAPER/ }));
    await visitor.click(card.getByRole('button', { name: /^Buy 2 and export/ }));
    const dialog = await screen.findByRole('alertdialog', { name: 'Confirm Download' });
    expect(
      within(dialog).getByText('Comes with 3 MIDI files, in one ZIP with a REAPER project.'),
    ).toBeTruthy();
    await visitor.click(within(dialog).getByRole('button', { name: 'Download' }));
    await waitFor(() => expect(card.getByRole('button', { name: 'Export' })).toBeTruthy());
    expect(server.seen('POST /api/samples/downloads')[0]?.body).toEqual({
      sampleIds: ['vibes', 'congas', 'keys'],
      expectedCredits: 3,
    });
    await waitFor(() => expect(server.seen('GET /api/workbenches/:id/export')).toHaveLength(1));
    const [asked] = server.seen('GET /api/workbenches/:id/export');
    expect(Object.fromEntries(asked?.query ?? [])).toEqual({ format: 'rpp', tagged: 'true' });
  });

  it('[WORK-782] is exported after sign-in, also if the page opens while the workbench is read', async () => {
    signedInAs(NOOR);
    await act(ensureOpen);
    act(() => showBench(null));
    const bus = answerOf(LAST_BUS, 'bus', 1);
    const answers: (() => void)[] = [];
    server.on(
      'GET /api/workbenches/:id',
      () => new Promise((resolve) => answers.push(() => resolve({ json: bus }))),
    );
    const opened = openMoved({ id: 'bus', title: 'Last bus', picked: [], format: 'rpp', tagged: false });
    await waitFor(() => expect(answers).toHaveLength(1));
    renderAt(
      '/workbench',
      <Suspense>
        <WorkbenchScreen />
      </Suspense>,
    );
    await act(() => new Promise((resolve) => setTimeout(resolve)));
    answers[0]?.();
    expect(await act(() => opened)).toMatchObject({ id: 'bus', format: 'rpp', tagged: false });
    answers[1]?.();
    expect(await screen.findByDisplayValue('Last bus')).toBeTruthy();
  });
});

describe('what is missing', () => {
  it('[WORK-747] B hears the next suggestion together with the lanes, and + adds it', async () => {
    const visitor = await openPage([vibes]);
    expect(await screen.findByRole('heading', { name: 'Missing: bass?' })).toBeTruthy();
    await visitor.keyboard('b');
    expect(lanes.map(({ id }) => id).at(-1)).toBe('trial');
    expect(Engine.prototype.play).toHaveBeenCalled();
    await visitor.keyboard('b');
    expect(lanes).toHaveLength(1);
    await visitor.click(screen.getByRole('button', { name: 'Add: Upright walk' }));
    expect(currentBench()?.lanes.map(({ sampleId }) => sampleId)).toEqual(['vibes', 'walk']);
  });
});

describe('a shared workbench', () => {
  it('[WORK-748] plays for visitors, is not saved, and is copied to mine', async () => {
    const { id: _, version: __, shareUrl: ___, createdAt: ____, ...shared } = answerOf(LAST_BUS, 'x', 1);
    server.on('GET /api/workbenches/shared/:token', { json: shared });
    signedInAs(NOOR);
    renderAt(
      '/workbench/shared/abc',
      <Routes>
        <Route path="/workbench/shared/:token" element={<SharedWorkbenchScreen />} />
      </Routes>,
    );
    expect(await screen.findByText(/shared with you, changes are not saved/)).toBeTruthy();
    expect(lanes).toMatchObject([{ semitones: 3, gainDb: -3, offsetBeats: 4 }]);
    const visitor = userEvent.setup();
    await visitor.click(lane('Vibes').getByRole('button', { name: 'Mute' }));
    expect(lanes[0]?.isSilent).toBe(true);
    await visitor.click(screen.getByRole('button', { name: 'Copy to mine' }));
    await waitFor(() => expect(saved).toMatchObject([{ name: 'Last bus', lanes: [{ mute: true }] }]));
  });
});
