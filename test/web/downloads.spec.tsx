import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import { Suspense } from 'react';
import { query } from '../../web/src/api/api.js';
import type { PackDetail, Sample } from '../../application/catalogue/contract.js';
import { queryClient } from '../../web/src/api/query-client.js';
import { answerPrice, askForPrice } from '../../web/src/downloads/confirmation.js';
import { SILENCE_LIMIT_MS } from '../../web/src/downloads/deliver.js';
import { DownloadHost } from '../../web/src/shell/layout.js';
import { type DownloadPlace, carryOnAfterSignIn } from '../../web/src/session/after-sign-in.js';
import { useDownload } from '../../web/src/downloads/use-download.js';
import { SampleRow } from '../../web/src/samples/sample-row.js';
import { signOut } from '../../web/src/session/session.js';
import { carryOn } from '../../web/src/shell/carry-on.js';
import { settleAlert } from '../../web/src/ui/overlays/alerts.js';
import { dismissToast } from '../../web/src/ui/overlays/toast.js';
import { NOOR, navigationAt, renderAt, sampleNamed, signedInAs } from './support/render.js';
import { StubServer, refused, takeFiles } from './support/server.js';

const FILE = {
  url: '/files/rented-piano.wav',
  filename: 'Wren Abbott - Rented piano.wav',
  expiresAt: '2026-01-01T00:00:00Z',
};
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const ACTIVE = {
  plan: 'premium',
  status: 'active',
  currentPeriodEnd: '2026-12-18T00:00:00Z',
  scheduledChange: null,
  pendingChange: null,
};
const NONE = { ...ACTIVE, plan: null, status: 'none', currentPeriodEnd: null };

const ARCHIVE = {
  id: 't1',
  url: '/api/library/archives/t1.zip',
  filename: 'Rented Piano.zip',
  sampleCount: 3,
  leftOut: [] as object[],
  expiresAt: '2099-01-01T00:00:00Z',
};
const QUESTION = {
  by: '',
  cover: { title: '', genre: '', artworkUrl: null },
  samples: [],
  costCredits: 1,
  balanceCredits: 128,
  formerCostCredits: null,
};

let server: StubServer;
let pressed: string[];

function Press({ sample, place }: { sample: Sample; place: DownloadPlace }) {
  const { download } = useDownload();
  return (
    <button type="button" onClick={() => void download(sample, place)}>
      Get it
    </button>
  );
}

function show(sample: Sample, place: DownloadPlace = 'list'): UserEvent {
  renderAt(
    '/discover',
    <Suspense>
      <SampleRow sample={sample} queue={[sample]} place="list" />
      <Press {...{ sample, place }} />
      <DownloadHost />
    </Suspense>,
  );
  return userEvent.setup();
}

/** A sample in an answer for guests, which does not say what the visitor owns. */
function forGuests(id: string): Sample {
  const { owned: _, ...sample } = sampleNamed(id, { creditCost: 3 });
  return sample;
}

const getIt = (visitor: UserEvent) => visitor.click(screen.getByRole('button', { name: 'Get it' }));
const dialog = () => screen.findByRole('alertdialog', { name: 'Confirm Download' });
const downloads = () => server.seen('POST /api/downloads');

beforeEach(() => {
  server = new StubServer({
    'GET /api/credits': { json: { balance: 128, lots: [] } },
    'GET /api/subscription': { json: NONE },
    'POST /api/downloads': {
      status: 201,
      json: { charged: 1, balance: 127, download: FILE, certificateId: 'c1' },
    },
    'GET /files/rented-piano.wav': {},
    'POST /api/auth/sign-out': { status: 204 },
  });
  signedInAs(NOOR);
  takeFiles();
  pressed = [];
  URL.createObjectURL = () => 'blob:one';
  URL.revokeObjectURL = () => undefined;
  HTMLAnchorElement.prototype.click = function press(this: HTMLAnchorElement) {
    pressed.push(`${this.getAttribute('href')} as ${this.download}`);
  };
});

afterEach(async () => {
  act(() => {
    answerPrice(false);
    settleAlert(false);
    dismissToast();
  });
  cleanup();
  await signOut();
});

describe('downloading a sample', () => {
  it.each([
    ['list', 'Download Unavailable', 'This download is not available.'],
    ['pack', 'Download not available', ''],
    ['library', 'No download URL', ''],
  ] as const)(
    '[DL-01] [LIB-03] a sound without a file says so in a %s and sends nothing',
    async (place, title, text) => {
      const visitor = show(sampleNamed('silent', { previewUrl: null }), place);
      await getIt(visitor);
      const alert = await screen.findByRole('alertdialog', { name: title });
      expect(alert.textContent).toContain(text);
      expect(downloads()).toHaveLength(0);
    },
  );

  it('[DL-02] asks visitors to sign in and opens no dialog', async () => {
    await act(() => signOut());
    const visitor = show(sampleNamed('one'));
    await getIt(visitor);
    expect(document.body.textContent).toContain('Sign in requiredPlease sign in to download tracks.');
    expect(screen.queryByRole('alertdialog')).toBeNull();
    expect(downloads()).toHaveLength(0);
  });

  it('[AUTH-420] opens the dialog once the visitor has signed in and has left the sign-in page', async () => {
    const page = navigationAt('/auth');
    const stop = carryOnAfterSignIn((intent) => void carryOn(intent, page));
    await act(() => signOut());
    const visitor = show(sampleNamed('one'));
    await getIt(visitor);
    await visitor.click(screen.getByRole('button', { name: 'Sign in' }));
    act(() => signedInAs(NOOR));
    expect(server.seen('GET /api/credits')).toHaveLength(0);
    act(() => page.push('/discover'));
    await dialog();
    expect(downloads()).toHaveLength(0);
    stop();
  });

  it('[AUTH-421] an answer for guests does not say what is owned: the server does, before a dialog or an alert', async () => {
    server.on('GET /api/credits', { json: { balance: 0, lots: [] } });
    server.on('POST /api/downloads', {
      json: { charged: 0, balance: 0, download: FILE, certificateId: 'c1' },
    });
    const visitor = show(forGuests('owned-elsewhere'));
    await getIt(visitor);
    await waitFor(() => expect(pressed).toHaveLength(1));
    expect(downloads().map(({ body }) => body)).toEqual([
      { sampleId: 'owned-elsewhere', expectedCredits: 0 },
    ]);
    expect(screen.queryByRole('alertdialog')).toBeNull();
  });

  it('[AUTH-421] if it is not owned, the dialog names the server’s price and says nothing of a change', async () => {
    server.on('POST /api/downloads', ({ body }) =>
      (body as { expectedCredits: number }).expectedCredits === 3
        ? { status: 201, json: { charged: 3, balance: 125, download: FILE, certificateId: 'c1' } }
        : { status: 409, json: { code: 'PriceChanged', title: 'No', priceCredits: 3, expectedCredits: 0 } },
    );
    const visitor = show(forGuests('foreign'));
    await getIt(visitor);
    const box = await dialog();
    expect(within(box).getByText('3 Credits')).toBeTruthy();
    expect(box.textContent).toContain('125 after this');
    expect(box.textContent).not.toContain('changed');
    await visitor.click(within(box).getByRole('button', { name: 'Download' }));
    await waitFor(() => expect(pressed).toHaveLength(1));
    expect(downloads().map(({ body }) => (body as { expectedCredits: number }).expectedCredits)).toEqual([
      0, 3,
    ]);
  });

  it.each([
    [1, '1 Credit', '127 after this'],
    [3, '3 Credits', '125 after this'],
  ])('[DL-03] names the price of %i before anything is paid', async (creditCost, label, after) => {
    const visitor = show(sampleNamed('one', { creditCost }));
    await getIt(visitor);
    const box = await dialog();
    expect(box.textContent).toContain("You're about to download:");
    expect(box.textContent).toContain('Credit Cost:');
    expect(within(box).getByText(label)).toBeTruthy();
    expect(box.textContent).toContain('You have 128');
    expect(box.textContent).toContain(after);
    expect(downloads()).toHaveLength(0);
    await visitor.click(within(box).getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
    await getIt(visitor);
    await dialog();
    await visitor.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
    expect(downloads()).toHaveLength(0);
  });

  it('[DL-03] [DL-10] [DL-17] only "Download" pays; the file is saved as a blob and the balance follows at once', async () => {
    const visitor = show(sampleNamed('one'));
    await getIt(visitor);
    await visitor.click(within(await dialog()).getByRole('button', { name: 'Download' }));
    await waitFor(() => expect(pressed).toEqual([`blob:one as ${FILE.filename}`]));
    expect(downloads()).toHaveLength(1);
    expect(downloads()[0]?.body).toEqual({ sampleId: 'one', expectedCredits: 1 });
    expect(downloads()[0]?.headers['idempotency-key']).toMatch(UUID);
    expect(screen.queryByRole('alertdialog')).toBeNull();
    // The row now shows the check.
    await screen.findByRole('button', { name: /^Already downloaded - click to download again/ });
  });

  it('the header’s balance changes with the answer, before anything is asked again', async () => {
    let balanceAtDelivery: number | undefined;
    server.on('GET /files/rented-piano.wav', () => {
      balanceAtDelivery = queryClient.getQueryData(query('GET /api/credits').queryKey)?.balance;
      return {};
    });
    const visitor = show(sampleNamed('one'));
    await getIt(visitor);
    await visitor.click(within(await dialog()).getByRole('button', { name: 'Download' }));
    await waitFor(() => expect(balanceAtDelivery).toBe(127));
  });

  it('[DL-04] downloads an owned sample again without a dialog and offers nothing for it', async () => {
    server.on('POST /api/downloads', {
      json: { charged: 0, balance: 128, download: FILE, certificateId: 'c1' },
    });
    const visitor = show(sampleNamed('owned', { owned: true }));
    await getIt(visitor);
    await waitFor(() => expect(pressed).toHaveLength(1));
    expect(downloads()[0]?.body).toEqual({ sampleId: 'owned', expectedCredits: 0 });
    expect(screen.queryByRole('alertdialog')).toBeNull();
  });

  it('[DL-05] sends one payment for a double press', async () => {
    const visitor = show(sampleNamed('twice'));
    const button = screen.getByRole('button', { name: 'Get it' });
    await visitor.dblClick(button);
    await visitor.dblClick(within(await dialog()).getByRole('button', { name: 'Download' }));
    await waitFor(() => expect(pressed).toHaveLength(1));
    expect(downloads()).toHaveLength(1);
  });

  it.each([
    ['an active plan', ACTIVE, 'Your next billing date is 18 December 2026.'],
    ['no plan', NONE, 'Go to Settings to subscribe and get more credits.'],
    [
      'a failed payment',
      { ...ACTIVE, status: 'past_due' },
      'Go to Settings to subscribe and get more credits.',
    ],
  ])(
    '[DL-06] alerts before any dialog when credits are too few, with %s',
    async (_plan, subscription, text) => {
      server.on('GET /api/credits', { json: { balance: 2, lots: [] } });
      server.on('GET /api/subscription', { json: subscription });
      const visitor = show(sampleNamed('dear', { creditCost: 3 }));
      await getIt(visitor);
      const alert = await screen.findByRole('alertdialog', { name: 'Insufficient Credits' });
      expect(alert.textContent).toContain('You have 2 credits remaining.');
      expect(alert.textContent).toContain(text);
      expect(downloads()).toHaveLength(0);
    },
  );

  it('[DL-07] believes the server when it says that credits are too few', async () => {
    server.on('POST /api/downloads', {
      status: 402,
      json: {
        code: 'InsufficientCredits',
        title: 'No',
        balance: 0,
        missing: 1,
        nextBillingDate: '2026-12-18T00:00:00Z',
      },
    });
    const visitor = show(sampleNamed('one'));
    await getIt(visitor);
    await visitor.click(within(await dialog()).getByRole('button', { name: 'Download' }));
    const alert = await screen.findByRole('alertdialog', { name: 'Insufficient Credits' });
    expect(alert.textContent).toContain(
      'You have 0 credits remaining. Your next billing date is 18 December 2026.',
    );
    expect(pressed).toHaveLength(0);
  });

  it('[DL-08] shows a changed price, asks again, and pays under a new key', async () => {
    server.on('POST /api/downloads', ({ body }) =>
      (body as { expectedCredits: number }).expectedCredits === 2
        ? { status: 201, json: { charged: 2, balance: 126, download: FILE, certificateId: 'c1' } }
        : { status: 409, json: { code: 'PriceChanged', title: 'No', priceCredits: 2, expectedCredits: 1 } },
    );
    const visitor = show(sampleNamed('moved'));
    await getIt(visitor);
    await visitor.click(within(await dialog()).getByRole('button', { name: 'Download' }));
    await screen.findByText(/The price changed from 1 Credit to 2 Credits\. Nothing was charged\./);
    expect(pressed).toHaveLength(0);
    await visitor.click(within(await dialog()).getByRole('button', { name: 'Download' }));
    await waitFor(() => expect(pressed).toHaveLength(1));
    const [first, second] = downloads().map(({ headers }) => headers['idempotency-key']);
    expect(second).not.toBe(first);
  });

  it.each([
    ['list', 'Failed to process purchase. Please try again.'],
    ['swipe', 'Failed to purchase/download. Please try again.'],
    ['creator', 'Failed to purchase/download. Please try again.'],
  ] as const)(
    '[DL-09] says on %s that the purchase failed, and deducts nothing by another way',
    async (place, text) => {
      server.on('POST /api/downloads', refused('InternalError'));
      const visitor = show(sampleNamed(`broken-${place}`), place);
      await getIt(visitor);
      await visitor.click(within(await dialog()).getByRole('button', { name: 'Download' }));
      const alert = await screen.findByRole('alertdialog', { name: 'Error' });
      expect(alert.textContent).toContain(text);
      expect(
        server.requests.filter(({ method, path }) => method === 'POST' && path !== '/api/downloads'),
      ).toEqual([]);
    },
  );

  it('[ERR-04] [DL-05] repeats a payment whose answer was lost, under the same key', async () => {
    server.on('POST /api/downloads', { status: 503, json: { code: 'ServiceUnavailable', title: 'No' } });
    const visitor = show(sampleNamed('lost'));
    await getIt(visitor);
    await visitor.click(within(await dialog()).getByRole('button', { name: 'Download' }));
    await screen.findByRole('alertdialog', { name: 'Error' });
    await visitor.click(screen.getByRole('button', { name: 'OK' }));
    server.on('POST /api/downloads', {
      status: 201,
      json: { charged: 1, balance: 127, download: FILE, certificateId: 'c1' },
    });
    await getIt(visitor);
    await visitor.click(within(await dialog()).getByRole('button', { name: 'Download' }));
    await waitFor(() => expect(pressed).toHaveLength(1));
    const used = downloads().map(({ headers }) => headers['idempotency-key']);
    expect(used.length).toBeGreaterThanOrEqual(4);
    expect(new Set(used).size).toBe(1);
  });

  it('[DL-10] falls back to a direct link when the bytes cannot be read', async () => {
    server.on('GET /files/rented-piano.wav', () => Promise.reject(new TypeError('cross-origin')));
    const visitor = show(sampleNamed('one', { owned: true }));
    await getIt(visitor);
    await waitFor(() => expect(pressed).toEqual([`${FILE.url} as ${FILE.filename}`]));
    // The page cannot know whether the file arrived.
    expect(await screen.findByText('Handed to your browser')).toBeTruthy();
    expect(screen.queryByText('Downloaded')).toBeNull();
    await visitor.click(screen.getByRole('button', { name: /^Try again/ }));
    await waitFor(() => expect(pressed).toHaveLength(2));
  });

  it('[DL-400] gives up a file that stops coming, says so, and downloads it again at a press', async () => {
    jest.useFakeTimers();
    const visitor = userEvent.setup({ advanceTimers: jest.advanceTimersByTime });
    server.on('GET /files/rented-piano.wav', { stalls: true });
    show(sampleNamed('stalled', { owned: true }));
    await getIt(visitor);
    await act(() => jest.advanceTimersByTimeAsync(10));
    await getIt(visitor);
    expect(screen.getByText('This download is still in progress.')).toBeTruthy();
    expect(screen.getByText('Downloading', { selector: 'span' })).toBeTruthy();
    expect(downloads()).toHaveLength(1);
    await act(() => jest.advanceTimersByTimeAsync(SILENCE_LIMIT_MS));
    await screen.findByText('Download failed');
    server.on('GET /files/rented-piano.wav', {});
    await visitor.click(screen.getByRole('button', { name: /^Try again/ }));
    await screen.findByText('Downloaded');
    expect(screen.queryByText('Download failed')).toBeNull();
    expect(pressed).toEqual([`blob:one as ${FILE.filename}`]);
    jest.useRealTimers();
  });

  it('[DL-401] can leave a payment that gets no answer, and learns its outcome later', async () => {
    let answer: () => void = () => undefined;
    const bought = { charged: 1, balance: 127, download: FILE, certificateId: 'c1' };
    server.on(
      'POST /api/downloads',
      () => new Promise((resolve) => (answer = () => resolve({ status: 201, json: bought }))),
    );
    const visitor = show(sampleNamed('slow'));
    await getIt(visitor);
    await visitor.click(within(await dialog()).getByRole('button', { name: 'Download' }));
    await visitor.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
    expect(document.body.textContent).toContain(
      'You will see here whether Rented piano, left hand was bought.',
    );
    await act(async () => answer());
    expect(await screen.findByText(/1 credit spent, 127 left/)).toBeTruthy();
    expect(pressed).toHaveLength(1);
  });

  it('[DL-401] a payment that was left closes no other dialog, and does not ask again by itself', async () => {
    let answer: () => void = () => undefined;
    const changed = {
      status: 409,
      json: { code: 'PriceChanged', title: 'No', priceCredits: 2, expectedCredits: 1 },
    };
    server.on('POST /api/downloads', () => new Promise((resolve) => (answer = () => resolve(changed))));
    const visitor = show(sampleNamed('first'));
    await getIt(visitor);
    await visitor.click(within(await dialog()).getByRole('button', { name: 'Download' }));
    await visitor.click(within(await dialog()).getByRole('button', { name: 'Close' }));
    act(() => void askForPrice({ ...QUESTION, id: 'second', title: 'Second' }));
    await act(async () => answer());
    expect(await screen.findByText('Not bought')).toBeTruthy();
    expect((await dialog()).textContent).toContain('Second');
  });

  it.each([
    ['MIDI', { hasMidi: true }, ACTIVE, 'Comes with its MIDI file, in one ZIP.'],
    [
      'stems without a plan',
      { hasMidi: false, hasStems: true },
      NONE,
      'Its stems need an active Studio plan',
    ],
    [
      'stems in Studio',
      { hasStems: true },
      { ...ACTIVE, plan: 'studio' },
      'its MIDI file and its stems archive',
    ],
  ] as const)('[DL-402] says before the payment what comes with it: %s', async (_, extras, plan, text) => {
    server.on('GET /api/subscription', { json: plan });
    const visitor = show(sampleNamed('whole', extras));
    await getIt(visitor);
    const box = await dialog();
    await waitFor(() => expect(box.textContent).toContain(text));
  });

  it('[DL-402] brings a sample with further files as one ZIP, and names what is left out', async () => {
    const leftOut = [{ sampleId: 'whole', title: 'Felt', what: 'stems', reason: 'needs-studio' }];
    const bought = { charged: 1, balance: 127, download: FILE, certificateId: 'c1', leftOut };
    server.on('POST /api/downloads', { status: 201, json: { ...bought, attached: ['midi'] } });
    server.on('POST /api/library/archives', { status: 201, json: { ...ARCHIVE, leftOut } });
    server.on('GET /api/library/archives/t1', { json: { status: 'sent' } });
    const visitor = show(sampleNamed('whole'));
    await getIt(visitor);
    await visitor.click(within(await dialog()).getByRole('button', { name: 'Download' }));
    expect(await screen.findByText(/Not included: the stems of Felt \(Studio plan only\)/)).toBeTruthy();
    expect(pressed).toEqual([`${ARCHIVE.url} as ${ARCHIVE.filename}`]);
    expect(server.seen('POST /api/library/archives')[0]?.body).toEqual({
      sampleIds: ['whole'],
      name: 'Wren Abbott - Rented piano, left hand',
    });
    // Without permission for the extras, only the file arrives.
    server.on('POST /api/downloads', { status: 200, json: { ...bought, charged: 0, attached: [] } });
    await getIt(visitor);
    await waitFor(() => expect(pressed.at(-1)).toBe(`blob:one as ${FILE.filename}`));
    expect(document.body.textContent).toContain('the stems of Felt (Studio plan only)');
  });

  it('[DL-10] says "Download failed" when the paid file is not there, and that trying again is free', async () => {
    server.on('GET /files/rented-piano.wav', { status: 404 });
    const visitor = show(sampleNamed('gone'));
    await getIt(visitor);
    await visitor.click(within(await dialog()).getByRole('button', { name: 'Download' }));
    await screen.findByText('Download failed');
    expect(screen.getByText('Trying again is free.')).toBeTruthy();
    await visitor.click(screen.getByRole('button', { name: /^Try again/ }));
    await waitFor(() => expect(downloads()).toHaveLength(2));
    expect(downloads()[1]?.body).toEqual({ sampleId: 'gone', expectedCredits: 0 });
  });

  it('[DL-14] offers nothing for the creator’s own sample', async () => {
    signedInAs({ ...NOOR, id: 'wren' });
    const visitor = show(sampleNamed('own'));
    await getIt(visitor);
    await waitFor(() => expect(downloads()[0]?.body).toEqual({ sampleId: 'own', expectedCredits: 0 }));
  });
});

describe('downloading a pack', () => {
  const pack: PackDetail = {
    id: 'pack-1',
    title: 'Rented Piano',
    slug: 'rented-piano',
    creator: sampleNamed('x').creator,
    genre: 'Lofi',
    mood: 'Nostalgic',
    sampleCount: 3,
    artworkUrl: null,
    description: '',
    publishedAt: '2026-01-01T00:00:00Z',
    totalCostCredits: 6,
    packCostCredits: null,
    samples: [
      sampleNamed('a', { creditCost: 1, owned: true }),
      sampleNamed('b', { creditCost: 2 }),
      sampleNamed('c', { creditCost: 3 }),
    ],
  };
  function Whole({ of = pack }: { of?: PackDetail }) {
    const { downloadPack } = useDownload();
    return (
      <button type="button" onClick={() => void downloadPack(of)}>
        Get it
      </button>
    );
  }

  const items = ['a', 'b', 'c'].map((sampleId) => ({
    sampleId,
    charged: 0,
    certificateId: `c-${sampleId}`,
    download: { ...FILE, filename: `${sampleId}.wav` },
  }));
  const archive = {
    ...ARCHIVE,
    leftOut: [{ sampleId: 'a', title: 'Felt', what: 'stems', reason: 'needs-studio' }],
  };
  const buy = async () => {
    server.on('POST /api/packs/pack-1/downloads', {
      status: 201,
      json: { charged: 5, balance: 123, items },
    });
    renderAt(
      '/pack',
      <Suspense>
        <Whole />
        <DownloadHost />
      </Suspense>,
    );
    const visitor = userEvent.setup();
    await getIt(visitor);
    const box = await dialog();
    expect(within(box).getByText('5 Credits')).toBeTruthy();
    expect(box.textContent).toContain('2 samples by Wren Abbott');
    await visitor.click(within(box).getByRole('button', { name: 'Download' }));
  };

  it('[AUTH-421] a pack from an answer for guests, owned as a whole, arrives without a dialog', async () => {
    server.on('POST /api/packs/pack-1/downloads', { json: { charged: 0, balance: 128, items } });
    server.on('POST /api/library/archives', { status: 201, json: ARCHIVE });
    server.on('GET /api/library/archives/t1', { json: { status: 'sent' } });
    const guestPack = { ...pack, packCostCredits: 4, samples: ['a', 'b', 'c'].map(forGuests) };
    renderAt(
      '/pack',
      <Suspense>
        <Whole of={guestPack} />
        <DownloadHost />
      </Suspense>,
    );
    await getIt(userEvent.setup());
    await waitFor(() => expect(pressed).toEqual([`${ARCHIVE.url} as ${ARCHIVE.filename}`]));
    expect(server.seen('POST /api/packs/pack-1/downloads').map(({ body }) => body)).toEqual([
      { expectedCredits: 0 },
    ]);
    expect(screen.queryByRole('alertdialog')).toBeNull();
  });

  it('[DL-15, DL-18] asks the price of what is not owned yet, and has one archive fetched for all of it', async () => {
    const steps = [
      { shown: 'Ready', status: 'waiting' },
      { shown: 'Ready', status: 'sending' },
      { shown: 'Downloading', status: 'sending' },
      { shown: 'Downloading', status: 'sent' },
    ];
    let given = 0;
    server.on('POST /api/library/archives', { status: 201, json: archive });
    server.on('GET /api/library/archives/t1', async () => {
      const { shown, status } = steps[given]!;
      await screen.findByText(shown);
      // The page does not say "Downloaded" before the browser has the file.
      expect(document.body.textContent).not.toContain('Downloaded');
      given += 1;
      return { json: { status } };
    });
    await buy();
    await waitFor(() => expect(pressed).toEqual([`${archive.url} as ${archive.filename}`]));
    expect(server.seen('POST /api/packs/pack-1/downloads')[0]?.body).toEqual({ expectedCredits: 5 });
    expect(server.seen('POST /api/library/archives')[0]?.body).toEqual({
      sampleIds: ['a', 'b', 'c'],
      name: 'Rented Piano',
    });
    expect((await screen.findByText('Downloaded')).closest('div')?.textContent).toBe(
      'Rented PianoDownloaded5 credits spent, 123 left. Not included: the stems of Felt (Studio plan only).',
    );
    expect(given).toBe(steps.length);
  });

  it('[DL-18] says so when the archive is broken off, and that trying again is free', async () => {
    server.on('POST /api/library/archives', { status: 201, json: archive });
    server.on('GET /api/library/archives/t1', { json: { status: 'broken' } });
    await buy();
    await screen.findByText('Download failed');
    expect(screen.getByText('Trying again is free.')).toBeTruthy();
    expect(document.body.textContent).not.toContain('Downloaded');
  });

  it('[DL-403] says that the archive’s status is not answered, goes on asking, and shows it once it is', async () => {
    server.on('POST /api/library/archives', { status: 201, json: archive });
    server.on('GET /api/library/archives/t1', refused('InternalError'));
    await buy();
    expect(
      await screen.findByText('The progress is unknown. Your browser continues the download.'),
    ).toBeTruthy();
    server.on('GET /api/library/archives/t1', { json: { status: 'sending' } });
    await screen.findByText('Downloading');
    expect(screen.queryByText('The progress is unknown. Your browser continues the download.')).toBeNull();
    server.on('GET /api/library/archives/t1', { json: { status: 'sent' } });
    expect(await screen.findByText('Downloaded')).toBeTruthy();
    expect(server.seen('POST /api/packs/pack-1/downloads')).toHaveLength(1);
  });

  it('[DL-730] keeps a ready archive that the browser did not take, and hands it over again at a press', async () => {
    server.on('POST /api/library/archives', { status: 201, json: archive });
    server.on('GET /api/library/archives/t1', { json: { status: 'waiting' } });
    await buy();
    expect(await screen.findByText('Ready')).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: /^Save/ }));
    expect(pressed).toHaveLength(2);
    server.on('GET /api/library/archives/t1', refused('NotFound'));
    expect(await screen.findByText('Handed to your browser')).toBeTruthy();
  });
});
