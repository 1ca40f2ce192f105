import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { fireEvent, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { alignmentOf, Comparison, type Ears } from '../../web/src/screens/admin/copies/comparison.js';
import { openAdmin, page, PIA, press, shown, startAdministration } from './support/admin.js';
import { leave, signedInAs } from './support/render.js';
import { type StubServer, refused } from './support/server.js';

const SIDE = {
  sampleId: 'first',
  title: 'Spare keys',
  packId: 'p1',
  packTitle: 'Kitchen Table Soul',
  packSlug: 'kitchen-table-soul',
  artworkUrl: null,
  genre: 'Soul',
  creatorId: 'teo',
  creatorName: 'Teo Marchetti',
  creatorHandle: 'teo',
  creatorSince: '2023-03-01T00:00:00.000Z',
  strikes: 0,
  place: 'on sale',
  uploadedAt: '2026-08-06T10:14:00.000Z',
  publishedAt: '2026-08-06T10:20:00.000Z',
  licences: 212,
  onHoldMicroUsd: 0,
  key: 'F# Minor',
  bpm: 92,
  durationMs: 21_000,
  previewUrl: '/media/previews/a.mp3',
  waveform: Array.from({ length: 400 }, (_, bar) => bar % 100),
};
const ITEM = {
  id: 's2-1',
  by: 'fingerprint',
  tier: 'held',
  score: 97,
  status: 'open',
  title: 'Spare keys 2',
  artworkUrl: null,
  genre: 'Soul',
  likeTitle: 'Spare keys',
  suspectedAt: '2026-11-22T12:00:00.000Z',
  hasStatement: true,
  decidedBy: null,
  decidedAt: null,
  reason: null,
};
const COPY = {
  ...ITEM,
  newcomer: {
    ...SIDE,
    sampleId: 's2',
    title: 'Spare keys 2',
    creatorId: 'lio',
    creatorName: 'Lio Ferrant',
    place: 'held',
    uploadedAt: '2026-11-19T22:41:00.000Z',
    licences: 4,
    onHoldMicroUsd: 960_000,
    strikes: 1,
    durationMs: 18_500,
  },
  original: SIDE,
  frames: { agree: 118, of: 122 },
  stretch: { fromMs: 1_200, toMs: 17_700, likeFromMs: 1_620, likeToMs: 18_120 },
  offsetMs: 420,
  speed: 1,
  pitchCents: 0,
  alsoLike: ['Old keys'],
  licensedAt: '2026-11-12T09:00:00.000Z',
  statement: { kind: 'licence', text: 'Certificate 8812' },
  answer: null,
  decidedBy: null,
  decidedAt: null,
  reason: null,
  consequences: {
    allow: 'Both stay. This pair is not shown again.',
    refuse: 'B leaves the shop. The 4 licences stand.',
    takeDown: 'B is gone for good, strike 2 of 3.',
  },
};
const OTHER = { ...ITEM, id: 's3-1', title: 'Low door', likeTitle: 'Dock door', score: 94 };
const DECIDE = 'POST /api/admin/copies/s2-1/decide';

let server: StubServer;
beforeEach(() => {
  server = startAdministration()
    .on('GET /api/admin/copies', page(ITEM, OTHER))
    .on('GET /api/admin/copies/counts', {
      json: { waiting: 2, month: '2026-11', allowed: 21, refused: 13, takenDown: 4 },
    })
    .on('GET /api/admin/copies/s2-1', { json: COPY })
    .on('GET /api/admin/copies/s3-1', { json: { ...COPY, ...OTHER } });
  signedInAs(PIA);
});
afterEach(leave);

describe('suspected copies', () => {
  it('[WEB-65] are shown side by side with what is known; a false alarm costs one click', async () => {
    server.on(DECIDE, { json: { id: 's2-1', status: 'allowed' } });
    await openAdmin('/admin/copies');
    await screen.findByRole('heading', { name: 'Spare keys 2' });
    for (const text of [
      'Original, 105 days earlier',
      'match over 16.5 s',
      '118 of 122 fingerprints agree',
      '4, $0.96 on hold',
      '212, none exclusive',
      'since 2023, no strikes',
      '+0.42 s',
      '0:01.6 to 0:18.1',
      'licensed it 12 Nov',
      'The same from 0:01.6 to 0:18.1 in A, and from 0:01.2 to 0:17.7 in B.',
      'Certificate 8812',
      'B is gone for good, strike 2 of 3.',
      '21 allowed',
      '1 of 2',
    ])
      await shown(text);
    await press('Allow “Spare keys 2”');
    await shown('Allowed: Spare keys 2');
    const [request] = server.seen(DECIDE);
    expect(request?.body).toEqual({ decision: 'allowed', andOthers: false });
    expect(request?.headers['idempotency-key']).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('[WEB-21] go on with the next page after a decision, without the pair that was decided', async () => {
    const LATER = { ...OTHER, id: 's4-1', title: 'Tall gate' };
    let decided = false;
    let renew = () => {};
    const renewed = new Promise<void>((resolve) => (renew = resolve));
    const newcomer = { ...COPY.newcomer, title: 'Low door' };
    server
      .on('GET /api/admin/copies/s3-1', { json: { ...COPY, ...OTHER, newcomer } })
      .on(DECIDE, () => {
        decided = true;
        return { json: { id: 's2-1', status: 'allowed' } };
      })
      .on('GET /api/admin/copies', async ({ query }) => {
        if (query.get('cursor')) return { json: { items: [LATER], nextCursor: null } };
        if (!decided) return { json: { items: [ITEM, OTHER], nextCursor: 'two' } };
        await renewed;
        return { json: { items: [OTHER], nextCursor: 'two' } };
      });
    await openAdmin('/admin/copies');
    await press('Allow “Spare keys 2”');
    await screen.findByRole('heading', { name: 'Low door' });
    renew();
    await screen.findByRole('link', { name: /Tall gate/ });
    expect(screen.getByText('1 of 2')).toBeTruthy();
    expect(screen.queryByRole('link', { name: /Spare keys 2/ })).toBeNull();
  });

  it('[WEB-66] are refused with a reason; what was decided elsewhere is said, and the text stays', async () => {
    server.on(DECIDE, refused('AlreadyDecided', { state: 'allowed', by: 'Ines' }));
    await openAdmin('/admin/copies?copy=s2-1');
    await userEvent.click(await screen.findByRole('radio', { name: /Refuse/ }));
    await press('Refuse “Spare keys 2”');
    await shown('Say why: its creator reads it.');
    expect(server.seen(DECIDE)).toHaveLength(0);
    await userEvent.type(screen.getByLabelText('Reason'), 'It loops Teo’s bar');
    await press('Refuse “Spare keys 2”');
    await shown('Ines decided this in the meantime: allowed.');
    expect(screen.getByLabelText('Reason')).toHaveProperty('value', 'It loops Teo’s bar');
  });

  it('[COPY-51] have their sides swapped with a reason, and the other one is looked at then', async () => {
    const SWAP = 'POST /api/admin/copies/s2-1/swap';
    const LATER = { ...COPY.newcomer, publishedAt: '2026-11-19T22:50:00.000Z' };
    server.on(SWAP, { json: { id: 'first-1', status: 'open' } }).on('GET /api/admin/copies/first-1', {
      json: { ...COPY, id: 'first-1', newcomer: COPY.original, original: LATER },
    });
    await openAdmin('/admin/copies?copy=s2-1');
    await press('Swap the sides...');
    await shown('“Spare keys” by Teo Marchetti is suspected instead.');
    const dialog = within(await screen.findByRole('dialog'));
    await userEvent.click(dialog.getByRole('button', { name: 'Swap the sides' }));
    await shown('Say why');
    expect(server.seen(SWAP)).toHaveLength(0);
    await userEvent.type(dialog.getByLabelText('Reason'), 'Lio sent us the session');
    await userEvent.click(dialog.getByRole('button', { name: 'Swap the sides' }));
    await shown('Spare keys is suspected now');
    const [request] = server.seen(SWAP);
    expect(request?.body).toEqual({ reason: 'Lio sent us the session' });
    expect(request?.headers['idempotency-key']).toMatch(/^[0-9a-f-]{36}$/);
    await shown('Original, set by staff');
  });

  it('[COPY-53] that were decided are listed with who decided and why', async () => {
    const decided = {
      decidedBy: 'Ines',
      decidedAt: '2026-11-21T10:00:00.000Z',
      reason: 'It loops Teo’s bar',
    };
    server.on('GET /api/admin/copies', ({ query }) =>
      query.get('state') === 'decided'
        ? page({ ...ITEM, status: 'refused', ...decided }, { ...ITEM, id: 's3-1', status: 'lapsed' })
        : page(ITEM),
    );
    server.on('GET /api/admin/copies/s2-1', { json: { ...COPY, status: 'refused', ...decided } });
    await openAdmin('/admin/copies');
    await press('Decided');
    const entry = await screen.findByRole('link', { name: /Refused.*21 Nov.*Ines: It loops Teo’s bar/ });
    expect(entry.getAttribute('href')).toBe('/admin/copies?copy=s2-1&state=decided');
    await screen.findByRole('link', { name: /Lapsed.*No decision needed/ });
    expect(
      (await screen.findByRole('link', { name: 'Who did what about copies' })).getAttribute('href'),
    ).toBe('/admin/audit?kind=copy');
    expect(screen.queryByRole('button', { name: /^Allow/ })).toBeNull();
  });

  it('[WEB-66] are not decided by who made one of them', async () => {
    server.on('GET /api/admin/copies/s2-1', { json: { ...COPY, original: { ...SIDE, creatorId: PIA.id } } });
    await openAdmin('/admin/copies?copy=s2-1');
    await shown('One of the sounds is yours, so a colleague must decide.');
    expect(screen.queryByRole('button', { name: /Allow/ })).toBeNull();
  });
});

describe('two sounds on one clock', () => {
  const audio = () => ({
    currentTime: 0,
    playbackRate: 1,
    preservesPitch: true,
    paused: true,
    pause() {
      this.paused = true;
    },
    play() {
      this.paused = false;
      return Promise.resolve();
    },
  });
  const frames: FrameRequestCallback[] = [];
  const start = (stretch = COPY.stretch) => {
    const elements = [audio(), audio()] as const;
    const made = [...elements];
    const listen = jest.fn<Ears['listen']>();
    const comparison = new Comparison(
      { a: { url: 'a', durationMs: 21_000 }, b: { url: 'b', durationMs: 18_500 } },
      alignmentOf(stretch),
      {
        createAudio: () => made.shift() as ReturnType<typeof audio>,
        openEars: () => ({ listen, resume: () => Promise.resolve(), close: () => {} }),
      },
    );
    return { comparison, a: elements[0], b: elements[1], listen };
  };
  beforeEach(() => {
    frames.length = 0;
    jest.spyOn(globalThis, 'requestAnimationFrame').mockImplementation((frame) => frames.push(frame));
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });
  const tick = () => frames.splice(0).forEach((frame) => frame(0));

  it('[WEB-67] are heard in one ear each, B from where it begins in A, and together again when they drift', () => {
    const { comparison, a, b, listen } = start();
    comparison.press('both');
    expect(listen.mock.calls).toEqual([
      ['a', -1],
      ['b', 1],
    ]);
    expect([a.paused, b.paused]).toEqual([false, true]);
    a.currentTime = 0.5;
    tick();
    expect(b.paused).toBe(false);
    expect(b.currentTime).toBeCloseTo(0.08, 2);
    // A second later, B is behind.
    const now = performance.now();
    jest.spyOn(performance, 'now').mockReturnValue(now + 1_500);
    [a.currentTime, b.currentTime] = [2, 1.4];
    tick();
    expect(b.currentTime).toBeCloseTo(1.58, 2);
    comparison.press('b');
    expect([a.paused, b.paused]).toEqual([true, false]);
    expect(listen.mock.calls.slice(-2)).toEqual([
      ['a', 0],
      ['b', 0],
    ]);
    comparison.seek(10_420);
    expect(b.currentTime).toBeCloseTo(10, 2);
    comparison.press('b');
    expect(comparison.getState().isPlaying).toBe(false);
    // A ends after B.
    comparison.press('both');
    comparison.seek(20_000);
    expect([a.paused, b.paused]).toEqual([false, true]);
    a.currentTime = 21;
    tick();
    expect(comparison.getState().isPlaying).toBe(false);
  });

  it('[WEB-67] go at one speed, where one of them is faster', () => {
    const { comparison, b } = start({ fromMs: 0, toMs: 10_000, likeFromMs: 0, likeToMs: 10_200 });
    comparison.load();
    expect(b.playbackRate).toBeCloseTo(1 / 1.02, 4);
    expect(b.preservesPitch).toBe(false);
    comparison.press('both');
    comparison.seek(10_200);
    expect(b.currentTime).toBeCloseTo(10, 2);
  });
});

it('[WEB-67] the keys A, B, X and Space play, but not while somebody writes', async () => {
  const played: string[] = [];
  jest.spyOn(HTMLMediaElement.prototype, 'play').mockImplementation(function play(this: HTMLMediaElement) {
    played.push(new URL(this.src).pathname);
    return Promise.resolve();
  });
  jest.spyOn(HTMLMediaElement.prototype, 'pause').mockImplementation(() => {});
  const node = { connect: () => node, pan: { value: 0 } };
  class FakeContext {
    destination = node;
    createMediaElementSource = () => node;
    resume = () => Promise.resolve();
    close = () => Promise.resolve();
  }
  Object.assign(globalThis, {
    AudioContext: FakeContext,
    StereoPannerNode: class {
      constructor() {
        return node;
      }
    },
  });
  await openAdmin('/admin/copies?copy=s2-1');
  const reason = await screen.findByLabelText('Reason (optional)');
  fireEvent.keyDown(reason, { key: 'a' });
  expect(played).toEqual([]);
  fireEvent.keyDown(document.body, { key: 'a' });
  expect(played).toEqual(['/media/previews/a.mp3']);
  expect(screen.getByRole('button', { name: 'A', pressed: true })).toBeTruthy();
  fireEvent.keyDown(document.body, { key: ' ' });
  expect(screen.getByRole('button', { name: 'A', pressed: false })).toBeTruthy();
  fireEvent.keyDown(document.body, { key: 'x' });
  expect(screen.getByRole('button', { name: 'Both', pressed: true })).toBeTruthy();
  fireEvent.keyDown(document.body, { key: 'Tab' });
  jest.restoreAllMocks();
});
