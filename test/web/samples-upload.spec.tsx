import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Route, Routes } from 'react-router-dom';
import { creatorQuery } from '../../web/src/api/account.js';
import { queryClient } from '../../web/src/api/query-client.js';
import type { OwnPack } from '../../application/publishing/contract.js';
import PackEditorScreen from '../../web/src/screens/pack-editor/pack-editor-screen.js';
import { signOut } from '../../web/src/session/session.js';
import { settleAlert } from '../../web/src/ui/overlays/alerts.js';
import { dismissToast } from '../../web/src/ui/overlays/toast.js';
import { ownPack, ownSample } from './support/packs.js';
import { pageWith } from './support/page.js';
import { NOOR, renderAt, signedInAs } from './support/render.js';
import { creatorWith, refused, StubServer } from './support/server.js';
import { FakeUpload, takeUploads } from './support/upload.js';

const PackEditorPage = pageWith('pack-editor', PackEditorScreen);

const PACK = '/api/creator/packs/pack-1';
let server: StubServer;
let pack: OwnPack;
let creatorStatus: string;

// Uploads continue between a test's own steps, as in a browser, so React must not warn about each.
beforeAll(() => void Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: false }));

beforeEach(() => {
  takeUploads();
  pack = ownPack({ samples: [ownSample('a')], defaultCreditCost: 2 });
  creatorStatus = 'approved';
  server = new StubServer({
    'GET /api/creator': () => creatorWith({ status: creatorStatus }),
    'GET /api/creator/packs/second-helping': () => ({ json: pack }),
    'PUT /api/creator/packs/:id/uploads/:uploadId': { json: { parts: null } },
    'DELETE /api/creator/packs/:id/uploads/:uploadId': { status: 204 },
    'GET /api/creator/packs': () => ({ json: { items: [pack], nextCursor: null } }),
    'POST /api/auth/sign-out': { status: 204 },
  });
  signedInAs({ ...NOOR, isCreator: true });
  URL.createObjectURL = () => 'blob:audio';
  URL.revokeObjectURL = () => undefined;
});

afterEach(async () => {
  act(() => {
    settleAlert(false);
    dismissToast();
  });
  for (const button of screen.queryAllByRole('button', { name: /^Dismiss / })) fireEvent.click(button);
  cleanup();
  await signOut();
});

function open() {
  return renderAt(
    '/creator-pack/second-helping',
    <Routes>
      <Route path="/creator-pack/:slug" element={<PackEditorPage />} />
      <Route path="/discover" element={<p>Discover</p>} />
    </Routes>,
  );
}
const shown = (text: string) => waitFor(() => expect(document.body.textContent).toContain(text));
const wav = (name = 'upright_walk.wav') => new File(['RIFF'], name, { type: 'audio/wav' });
const drop = async (...files: File[]) => {
  const input = await screen.findByLabelText('Audio files');
  await act(async () => void fireEvent.change(input, { target: { files } }));
};

/** Replaces the browser's audio element by one that reports a duration, or an error for null. */
function hearAudio(seconds: number | null): void {
  globalThis.Audio = class extends EventTarget {
    duration = seconds ?? Number.NaN;
    preload = '';
    set src(_: string) {
      queueMicrotask(() => this.dispatchEvent(new Event(seconds === null ? 'error' : 'loadedmetadata')));
    }
  } as unknown as typeof Audio;
}

describe('dropping files', () => {
  it('[SMOD-03] [SMOD-440] names each file of another kind in a row of its own, with its kind and no retry', async () => {
    open();
    const midi = 'MThd\0\0\0';
    await drop(
      new File(['notes'], 'notes.txt'),
      new File(['caff'], 'loop.caf'),
      new File(['.snd'], 'loop.au'),
      new File([midi], 'loop.mid'),
      new File([midi], 'really midi.wav'),
      new File(['RIFF\0\0\0\0WAVE'], 'really wav.txt'),
    );
    for (const text of [
      'notes.txt|This audio file cannot be read. Please upload WAV, AIFF, FLAC, MP3, Ogg, Opus, M4A or AAC files.',
      'loop.caf|This is a CAF file. Please',
      'loop.au|This is an AU file. Please',
      'loop.mid|This is a MIDI file. Please',
      'really midi.wav|This is a MIDI file named .wav. Please',
    ]) {
      const [name = '', reason = ''] = text.split('|');
      const row = (await screen.findByText(name)).closest('li');
      expect(row?.textContent).toContain(reason);
    }
    await shown('5 files refused.');
    expect(screen.queryByRole('button', { name: /Retry/ })).toBeNull();
    await waitFor(() => expect(FakeUpload.all).toHaveLength(1));
    act(() => FakeUpload.all.splice(0)[0]?.answer(201, { sample: ownSample('zero'), version: 8 }));
    await userEvent.click(screen.getByRole('button', { name: 'Dismiss refused files' }));
    expect(document.body.textContent).not.toContain('loop.caf');
    await drop(
      wav('one.WAV'),
      new File(['fLaC'], 'two.wav'),
      new File(['FORM\0\0\0\0AIFFCOMM'], 'three'),
      new File(['z'], 'four.m4a'),
    );
    await waitFor(() => expect(FakeUpload.all).toHaveLength(3));
    act(() => FakeUpload.all[0]?.answer(201, { sample: ownSample('one'), version: 8 }));
    await waitFor(() => expect(FakeUpload.all).toHaveLength(4));
    act(() =>
      FakeUpload.all.slice(1).forEach((upload) => upload.answer(201, { sample: ownSample('x'), version: 9 })),
    );
  });

  it('[EDIT-21] shows what was stored in the order of the server, whichever answer comes first', async () => {
    open();
    await drop(wav('one.wav'), wav('two.wav'));
    await waitFor(() => expect(FakeUpload.all).toHaveLength(2));
    const answer = (at: number, id: string, ordinal: number) =>
      act(() => FakeUpload.all[at]?.answer(201, { sample: ownSample(id, { ordinal }), version: 9 }));
    // The request after the last file gets no answer, so the page shows the results of the uploads.
    server.on('GET /api/creator/packs/second-helping', () => new Promise<never>(() => undefined));
    answer(1, 'third', 3);
    answer(0, 'second', 2);
    await shown('Sound second');
    expect(document.body.textContent).toMatch(/Sound a.*Sound second.*Sound third/);
  });

  it('shows how far a file is, then the sample, sent under an upload id', async () => {
    open();
    await drop(wav());
    const bar = await screen.findByRole('progressbar', { name: /walk$/ });
    await waitFor(() => expect(FakeUpload.all).toHaveLength(1));
    act(() => FakeUpload.all[0]?.progress(3, 4));
    expect(bar.getAttribute('aria-valuenow')).toBe('75');
    const [upload] = FakeUpload.all;
    const id = upload?.meta().uploadId;
    expect(upload?.path).toBe(`${PACK}/samples?uploadId=${String(id)}`);
    expect(upload?.form.get('audio')).toMatchObject({ name: 'upright_walk.wav' });
    pack = ownPack({ samples: [ownSample('a'), ownSample('b', { name: 'Upright walk' })], version: 8 });
    act(() => upload?.answer(201, { sample: pack.samples[1], version: 8 }));
    await screen.findByText('Upright walk');
    expect(screen.queryByRole('progressbar', { name: /walk$/ })).toBeNull();
  });

  it('[WEB-07] draws no sample again while a file is on its way', async () => {
    const drawn: string[] = [];
    const samples = Array.from({ length: 60 }, (_, at) => {
      const read = {
        get: () => (drawn.push(`s${at}`), Array.from({ length: 50 }, () => 50)),
        enumerable: true,
      };
      return Object.defineProperty(ownSample(`s${at}`, { name: `Sound ${at}` }), 'waveform', read);
    });
    pack = ownPack({ samples });
    open();
    await screen.findByText('Sound 59');
    await drop(wav());
    await screen.findByRole('progressbar', { name: /walk$/ });
    await waitFor(() => expect(FakeUpload.all).toHaveLength(1));
    drawn.length = 0;
    for (let step = 1; step <= 10; step += 1) act(() => FakeUpload.all[0]?.progress(step, 20));
    expect(screen.getByRole('progressbar', { name: /walk$/ }).getAttribute('aria-valuenow')).toBe('50');
    expect(drawn).toEqual([]);
    act(() => FakeUpload.all[0]?.answer(201, { sample: ownSample('b'), version: 8 }));
  });

  it('[SMOD-07] keeps a failure with a Retry, which sends the same upload id again', async () => {
    open();
    await drop(wav());
    await waitFor(() => expect(FakeUpload.all).toHaveLength(1));
    act(() => FakeUpload.all[0]?.answer(500, { code: 'InternalError', title: 'Something went wrong' }));
    await shown('Error uploading audio file. Please try again.');
    expect(document.querySelector('[src^="blob:"]')).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
    await waitFor(() => expect(FakeUpload.all).toHaveLength(2));
    expect(FakeUpload.all[1]?.meta().uploadId).toBe(FakeUpload.all[0]?.meta().uploadId);
    act(() =>
      FakeUpload.all[1]?.answer(201, { sample: ownSample('b', { name: 'Upright walk' }), version: 8 }),
    );
    await screen.findByText('Upright walk');
  });

  it('[SMOD-03] [SMOD-440] says why the server refused the content of a file, and offers no retry', async () => {
    open();
    await drop(wav());
    await waitFor(() => expect(FakeUpload.all).toHaveLength(1));
    act(() =>
      FakeUpload.all[0]?.answer(415, {
        code: 'UnsupportedAudioType',
        title: 'The server says which files it takes',
      }),
    );
    await shown('The server says which files it takes');
    expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull();
    expect(document.body.textContent).not.toContain('Please try again');
  });

  it('[ACC-440] learns of an approval while it is open', async () => {
    creatorStatus = 'applied';
    signedInAs({ ...NOOR, isCreator: false });
    const expiresAt = Math.floor(Date.now() / 1000) + 3_600;
    server.on('GET /api/auth/session', { json: { user: { ...NOOR, isCreator: true }, expiresAt } });
    open();
    await shown('We are reviewing your application.');
    const [query] = queryClient.getQueryCache().findAll({ queryKey: creatorQuery.queryKey });
    const interval = creatorQuery.refetchInterval as (of: unknown) => number | false;
    expect(interval(query)).toBe(10_000);
    creatorStatus = 'approved';
    await act(() => queryClient.refetchQueries(creatorQuery));
    expect(interval(query)).toBe(false);
    expect(await screen.findByLabelText('Audio files')).toBeTruthy();
    await waitFor(() => expect(server.seen('GET /api/auth/session')).toHaveLength(1));
  });

  it('[ACC-02] [ACC-04] offers no upload before approval, but says what is needed', async () => {
    creatorStatus = 'none';
    open();
    await shown('Creator Access Required');
    await shown('contact support');
    expect(screen.queryByLabelText('Audio files')).toBeNull();
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Add Sample' }).disabled).toBe(true);
    await userEvent.click(screen.getByRole('link', { name: 'Back to Discover' }));
    await shown('Discover');
  });
});

describe('a pack on sale', () => {
  const sold = {
    status: 'published',
    publishedAt: '2026-01-01T00:00:00Z',
    samples: [ownSample('a')],
  } as const;
  const dated = { releaseAt: '2027-01-01T00:00:00Z', samples: [ownSample('a')] };

  it.each([
    ['on sale', sold],
    ['with a date', dated],
  ])('[LAW-731] asks for the origin of what is dropped on a pack %s, before it is sent', async (_, more) => {
    pack = ownPack({ ...more, samples: [ownSample('a')] });
    open();
    await drop(wav());
    const dialog = await screen.findByRole('dialog', { name: 'Add 1 sound' });
    await userEvent.click(within(dialog).getByRole('button', { name: 'Add to Pack' }));
    expect(within(dialog).getByText('Choose an origin')).toBeTruthy();
    expect(FakeUpload.all).toHaveLength(0);
    await userEvent.selectOptions(within(dialog).getByLabelText('Origin'), 'recorded');
    await userEvent.click(within(dialog).getByRole('button', { name: 'Add to Pack' }));
    await waitFor(() => expect(FakeUpload.all).toHaveLength(1));
    const { body } = FakeUpload.all[0] as FakeUpload;
    expect(JSON.parse(String((body as FormData).get('meta')))).toMatchObject({ origin: 'recorded' });
    expect(screen.queryByRole('dialog', { name: 'Add 1 sound' })).toBeNull();
  });

  it('[LAW-731] needs the origin in the sheet "Add Sample"', async () => {
    hearAudio(2);
    pack = ownPack({ ...sold, samples: [ownSample('a')] });
    open();
    await screen.findByLabelText('Audio files');
    await userEvent.click(screen.getByRole('button', { name: 'Add Sample' }));
    const sheet = await screen.findByRole('dialog', { name: 'Add Sample' });
    await userEvent.type(within(sheet).getByLabelText('Name'), 'Upright walk');
    await userEvent.type(within(sheet).getByLabelText('BPM'), '88');
    fireEvent.change(within(sheet).getByLabelText('Audio file'), { target: { files: [wav()] } });
    const add = within(sheet).getByRole('button', { name: 'Add Sample' });
    await userEvent.click(add);
    await within(sheet).findByText('Choose an origin');
    expect(FakeUpload.all).toHaveLength(0);
    await userEvent.selectOptions(within(sheet).getByLabelText('Origin'), 'licensed');
    await userEvent.click(add);
    await waitFor(() => expect(FakeUpload.all).toHaveLength(1));
  });
});

describe('the sheet "Add Sample"', () => {
  async function openSheet() {
    open();
    await screen.findByLabelText('Audio files');
    await userEvent.click(screen.getByRole('button', { name: 'Add Sample' }));
    await screen.findByRole('dialog', { name: 'Add Sample' });
  }
  const submit = () =>
    userEvent.click(screen.getAllByRole('button', { name: 'Add Sample' }).at(-1) as HTMLElement);

  it('[SMOD-02] needs name, tempo and audio', async () => {
    await openSheet();
    await submit();
    await shown('Please fill in all required fields');
    await userEvent.type(screen.getByLabelText('Name'), 'Upright walk');
    await userEvent.type(screen.getByLabelText('BPM'), '88.5');
    await submit();
    await shown('Whole number');
    await userEvent.clear(screen.getByLabelText('BPM'));
    await userEvent.type(screen.getByLabelText('BPM'), '88');
    await submit();
    await shown('Please upload an audio file');
    expect(FakeUpload.all).toHaveLength(0);
  });

  it('[SMOD-02] shortens a long file name to a valid name', async () => {
    hearAudio(17.4);
    await openSheet();
    await userEvent.upload(screen.getByLabelText('Audio file'), wav(`${'walk_'.repeat(30)}.wav`));
    await waitFor(() =>
      expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe(
        `W${'walk '.repeat(24).slice(1, -1)}`,
      ),
    );
  });

  it('[SMOD-04] reads the length, and says when it cannot', async () => {
    hearAudio(17.4);
    await openSheet();
    await userEvent.upload(screen.getByLabelText('Audio file'), wav());
    await shown('0:17');
    hearAudio(null);
    await userEvent.upload(screen.getByLabelText('Audio file'), wav('broken.wav'));
    await shown('Error reading audio file duration');
  });

  it('[FMT-704] sends a file that this browser cannot play, and leaves its length to the server', async () => {
    hearAudio(null);
    await openSheet();
    const aiff = new File(['FORM\0\0\0\0AIFFCOMM'], 'Felt keys.aif');
    await userEvent.upload(screen.getByLabelText('Audio file'), aiff);
    await userEvent.type(screen.getByLabelText('BPM'), '88');
    await submit();
    await waitFor(() => expect(FakeUpload.all).toHaveLength(1));
    expect(document.body.textContent).not.toContain('Error reading audio file duration');
  });

  it('[SMOD-05] [SMOD-06] presets the pack’s cost and sends what was entered', async () => {
    hearAudio(17);
    await openSheet();
    expect(screen.getByRole('button', { name: '2 credits', pressed: true })).toBeTruthy();
    expect(screen.getByLabelText<HTMLInputElement>(/Royalty-free/).checked).toBe(true);
    expect([...screen.getByLabelText<HTMLSelectElement>('Key').options]).toHaveLength(35);
    expect(screen.getAllByRole('button', { name: /^Add (?!Sample)/ })).toHaveLength(8);
    await userEvent.upload(screen.getByLabelText('Audio file'), wav());
    await shown('0:17');
    await userEvent.type(screen.getByLabelText('BPM'), '88');
    await userEvent.click(screen.getByRole('button', { name: 'Add Bass' }));
    await userEvent.type(screen.getByLabelText('Instruments'), 'bass{Enter}   {Enter}choir{Enter}');
    await submit();
    await waitFor(() => expect(FakeUpload.all).toHaveLength(1));
    expect(FakeUpload.all[0]?.meta()).toMatchObject({
      name: 'Upright walk',
      bpm: 88,
      key: null,
      instruments: ['Bass', 'Choir'],
      creditCost: 2,
      isRoyaltyFree: true,
      origin: null,
    });
    act(() => FakeUpload.all[0]?.answer(201, { sample: ownSample('b'), version: 8 }));
  });
});

describe('the sheet "Edit Sample"', () => {
  async function openSheet() {
    open();
    await screen.findByLabelText('Audio files');
    await userEvent.click(screen.getByRole('button', { name: 'Edit Sound a' }));
    await screen.findByRole('dialog', { name: 'Edit Sample' });
  }
  const saveAs = () => {
    server.on(`PATCH ${PACK}/samples/a`, ({ body }) => ({
      json: { sample: { ...ownSample('a'), ...(body as object) }, version: 8 },
    }));
  };

  it('[SMOD-01] keeps the audio, saves the facts and says "Updated"', async () => {
    saveAs();
    await openSheet();
    await userEvent.clear(screen.getByLabelText('Name'));
    await userEvent.type(screen.getByLabelText('Name'), 'Upright walk in F');
    await userEvent.click(screen.getByRole('button', { name: 'Save sample' }));
    await shown('Updated');
    const [request] = server.seen(`PATCH ${PACK}/samples/a`);
    expect(request?.headers['if-match']).toBe('"7"');
    expect(request?.body).toEqual({ name: 'Upright walk in F' });
    expect(FakeUpload.all).toHaveLength(0);
    expect(document.querySelector('.edit-open')?.textContent).toBe('Upright walk in F');
  });

  it('[KIND-706] names the kind that applies and its reason, and saves another', async () => {
    const kind = { kind: 'one-shot', confidence: 0.9, because: 'decay' } as const;
    pack = ownPack({
      samples: [ownSample('a', { suggestions: { tempo: null, key: null, kind } }), ownSample('b')],
    });
    saveAs();
    await openSheet();
    const field = screen.getByLabelText<HTMLSelectElement>('Kind');
    expect(field.selectedOptions[0]?.textContent).toBe('One-shot. Detected: it dies away, 90 % sure');
    await userEvent.selectOptions(field, 'Loop');
    await userEvent.click(screen.getByRole('button', { name: 'Save sample' }));
    await shown('Updated');
    expect(server.seen(`PATCH ${PACK}/samples/a`)[0]?.body).toEqual({ kind: 'loop' });
  });

  it('[KIND-725] moves the preview of a long sound by bars with the keyboard, and sends one request', async () => {
    const long = ownSample('a', { durationMs: 90_000, bpm: 120 });
    pack = ownPack({ samples: [long, ownSample('b')] });
    const bars = Array.from({ length: 400 }, () => 50);
    server.on(`GET ${PACK}/samples/a/waveform`, () => ({ json: { bars } }));
    server.on(`PUT ${PACK}/samples/a/preview`, ({ body }) => {
      const sample = { ...long, previewStartMs: (body as { startMs: number }).startMs };
      pack = ownPack({ samples: [sample, ownSample('b')], version: 8 });
      return { json: { sample, version: 8 } };
    });
    await openSheet();
    const slider = screen.getByRole<HTMLInputElement>('slider', { name: 'Start of the preview' });
    const send = screen.getByRole<HTMLButtonElement>('button', { name: 'Use this part' });
    expect([slider.max, send.disabled]).toEqual(['15', true]);
    fireEvent.change(slider, { target: { value: '3' } });
    expect(slider.getAttribute('aria-valuetext')).toBe('0:06 to 1:06');
    await userEvent.dblClick(send);
    await shown('The preview has another part now');
    expect(server.seen(`PUT ${PACK}/samples/a/preview`).map(({ body }) => body)).toEqual([
      { startMs: 6_000 },
    ]);
    // A disabled button that has the focus keeps it.
    expect(send.getAttribute('aria-disabled')).toBe('true');
  });

  it('[WEB-23] [EDIT-440] sends only the fields changed here, and merges others changed elsewhere without a question', async () => {
    await openSheet();
    await userEvent.clear(screen.getByLabelText('BPM'));
    await userEvent.type(screen.getByLabelText('BPM'), '101');
    pack = ownPack({ version: 8, samples: [ownSample('a', { name: 'Renamed elsewhere' }), ownSample('b')] });
    let sends = 0;
    server.on(`PATCH ${PACK}/samples/a`, ({ body }) => {
      sends += 1;
      if (sends === 1) return { status: 409, json: { code: 'StaleVersion', title: 'Changed' } };
      const sample = ownSample('a', { name: 'Renamed elsewhere', ...(body as object) });
      return { json: { sample, version: 9 } };
    });
    await userEvent.click(screen.getByRole('button', { name: 'Save sample' }));
    await shown('Updated');
    expect(screen.queryByRole('alertdialog')).toBeNull();
    expect(document.querySelector('.edit-open')?.textContent).toBe('Renamed elsewhere');
    const request = server.seen(`PATCH ${PACK}/samples/a`).at(-1);
    expect(request?.body).toEqual({ bpm: 101 });
    expect(request?.headers['if-match']).toBe('"8"');
  });

  it('[WEB-23] shows a change of the same field elsewhere before it replaces it', async () => {
    await openSheet();
    await userEvent.type(screen.getByLabelText('Name'), ' here');
    pack = ownPack({ version: 8, samples: [ownSample('a', { name: 'Renamed elsewhere' }), ownSample('b')] });
    server.on(`PATCH ${PACK}/samples/a`, {
      status: 409,
      json: { code: 'StaleVersion', title: 'Changed' },
    });
    await userEvent.click(screen.getByRole('button', { name: 'Save sample' }));
    await screen.findByRole('alertdialog', { name: 'This pack changed elsewhere' });
    expect(server.seen(`PATCH ${PACK}/samples/a`)).toHaveLength(1);
  });

  it('[EDIT-09] is saved by Save & Update, which reports what it could not save', async () => {
    const { matchMedia } = window;
    window.matchMedia = (media) => ({ ...matchMedia(media), matches: media.includes('1280') });
    open();
    await userEvent.click(await screen.findByRole('button', { name: 'Edit Sound a' }));
    await screen.findByRole('heading', { name: 'Edit Sample' });
    const name = screen.getByLabelText('Name');
    await userEvent.clear(name);
    await userEvent.type(name, 'By the head');
    server.on(`PATCH ${PACK}/samples/a`, refused('InternalError', { title: 'A secret' }));
    await userEvent.click(screen.getByRole('button', { name: 'Save & Update' }));
    await shown('Error saving changes. Please try again.');
    await shown('“Sound a”: not saved.');
    expect(document.body.textContent).not.toContain('Changes saved');
    saveAs();
    await userEvent.click(screen.getByRole('button', { name: 'Save & Update' }));
    await shown('Changes saved and updated across the site!');
    expect(server.seen(`PATCH ${PACK}/samples/a`).at(-1)?.body).toEqual({ name: 'By the head' });
    window.matchMedia = matchMedia;
  });

  it('[EDIT-901] Save & Update saves a typed price of the pack, too, and names what waits for its own button', async () => {
    const { matchMedia } = window;
    window.matchMedia = (media) => ({ ...matchMedia(media), matches: media.includes('1280') });
    const samples = [ownSample('a', { creditCost: 5 }), ownSample('b', { creditCost: 4 })];
    pack = ownPack({ status: 'published', samples });
    const offers = { items: [], nextCursor: null };
    server.on('GET /api/splits', { json: offers }).on('GET /api/creator/promotions', { json: offers });
    server.on(`PUT ${PACK}/price`, ({ body }) => {
      pack = ownPack({ ...pack, version: 8, priceCredits: (body as { credits: number }).credits });
      return { json: pack };
    });
    open();
    const press = async (name: string) =>
      fireEvent.click(await screen.findByText(name, { selector: 'button, button *' }));
    const type = async (label: string, value: string) =>
      fireEvent.input(await screen.findByLabelText(label), { target: { value } });
    await press('Pack Price');
    await type('Price of the whole pack in credits', '9');
    await press('Save & Update');
    await shown('Pack price: a field needs correcting.');
    expect(document.body.textContent).not.toContain('Changes saved');
    await type('Price of the whole pack in credits', '6');
    await press('Done');
    await screen.findByRole('alertdialog', { name: 'Discard changes?' });
    await press('Cancel');
    await press('Save & Update');
    await shown('Changes saved and updated across the site!');
    expect(server.seen(`PUT ${PACK}/price`).map(({ body }) => body)).toEqual([{ credits: 6 }]);
    for (const [button, field, reason] of [
      ['Splits', 'Part in %', 'New split: press “Offer a part” to offer it.'],
      ['Codes', 'How many people', 'New code: press “Make the code” to make it.'],
    ] as const) {
      await press(button);
      await type(field, '7');
      await press('Save & Update');
      await shown(reason);
      await press('Done');
      await press('Discard');
    }
    window.matchMedia = matchMedia;
  });

  it('[SMOD-442] asks before a file on sale is replaced, names the same recording in the pack, and undoes it', async () => {
    const digest = async (_: string, bytes: ArrayBuffer) => bytes;
    Object.defineProperty(crypto, 'subtle', { value: { digest }, configurable: true });
    const hex = (text: string) =>
      [...text].map((letter) => letter.charCodeAt(0).toString(16).padStart(2, '0')).join('');
    const samples = [
      ownSample('a', { sha256: hex('old') }),
      ownSample('b', { name: 'Twin', sha256: hex('twin') }),
    ];
    pack = ownPack({ status: 'published', samples });
    await openSheet();
    const replace = (content: string) =>
      userEvent.upload(screen.getByLabelText('New audio file'), new File([content], 'next.wav'));
    await replace('old');
    await shown('This is the file that the sample has already');
    await replace('twin');
    const question = await screen.findByRole('alertdialog', { name: 'Replace the file?' });
    expect(question.textContent).toContain('The pack has this recording already, as “Twin”.');
    expect(question.textContent).toContain('from now on “next.wav” is sold instead');
    await userEvent.click(within(question).getByRole('button', { name: 'Cancel' }));
    expect(FakeUpload.all).toHaveLength(0);
    await replace('twin');
    const again = await screen.findByRole('alertdialog', { name: 'Replace the file?' });
    await userEvent.click(within(again).getByRole('button', { name: 'Replace' }));
    await waitFor(() => expect(FakeUpload.all).toHaveLength(1));
    act(() =>
      FakeUpload.all[0]?.answer(200, { sample: ownSample('a', { filename: 'next.wav' }), version: 8 }),
    );
    server.on(`POST ${PACK}/samples/a/audio/undo`, {
      json: { sample: ownSample('a', { filename: 'former.wav' }), version: 9 },
    });
    await userEvent.click(await screen.findByRole('button', { name: 'Undo' }));
    await shown('The former file is back');
    await shown('former.wav');
    expect(server.seen(`POST ${PACK}/samples/a/audio/undo`)[0]?.headers['if-match']).toBe('"8"');
    Reflect.deleteProperty(crypto, 'subtle');
  });

  it('takes tempo and key from what was heard, halves and doubles', async () => {
    saveAs();
    await openSheet();
    const bpm = screen.getByLabelText<HTMLInputElement>('BPM');
    await userEvent.click(screen.getByRole('button', { name: /Detected 92 BPM\s*90% sure/ }));
    expect(bpm.value).toBe('92');
    await userEvent.click(screen.getByRole('button', { name: '½× the tempo' }));
    expect(bpm.value).toBe('46');
    await userEvent.click(screen.getByRole('button', { name: '2× the tempo' }));
    expect(bpm.value).toBe('92');
    await userEvent.click(screen.getByRole('button', { name: /Detected Ab Major\s*70% sure/ }));
    await userEvent.click(screen.getByRole('button', { name: 'Save sample' }));
    await shown('Updated');
    expect(server.seen(`PATCH ${PACK}/samples/a`)[0]?.body).toMatchObject({ bpm: 92, key: 'Ab Major' });
  });

  it('asks before it loses changes', async () => {
    await openSheet();
    await userEvent.type(screen.getByLabelText('Name'), '!');
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    await screen.findByRole('alertdialog', { name: 'Discard changes?' });
    expect(server.seen(`PATCH ${PACK}/samples/a`)).toHaveLength(0);
  });

  it('[WEB-19] asks before a link or back leaves changes behind', async () => {
    const { path } = open();
    await screen.findByLabelText('Audio files');
    await userEvent.click(screen.getByRole('button', { name: 'Edit Sound a' }));
    await screen.findByRole('dialog', { name: 'Edit Sample' });
    await userEvent.type(screen.getByLabelText('Name'), '!');
    const leave = () =>
      fireEvent.click(screen.getByRole('link', { name: 'Creator Dashboard', hidden: true }));
    leave();
    await screen.findByRole('alertdialog', { name: 'Discard changes?' });
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(path()).toBe('/creator-pack/second-helping');
    expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('Sound a!');
    leave();
    await userEvent.click(await screen.findByRole('button', { name: 'Discard' }));
    await waitFor(() => expect(path()).toBe('/dashboard'));
  });

  it('[WEB-19] asks nothing after saving', async () => {
    saveAs();
    const { path } = open();
    await screen.findByLabelText('Audio files');
    await userEvent.click(screen.getByRole('button', { name: 'Edit Sound a' }));
    await userEvent.type(await screen.findByLabelText('Name'), '!');
    await userEvent.click(screen.getByRole('button', { name: 'Save sample' }));
    await shown('Updated');
    await userEvent.click(screen.getByRole('link', { name: 'Creator Dashboard' }));
    await waitFor(() => expect(path()).toBe('/dashboard'));
  });

  it('[SMOD-08] attaches MIDI to the sample', async () => {
    await openSheet();
    const midi = new File(['MThd'], 'walk.mid', { type: 'audio/midi' });
    fireEvent.change(screen.getByLabelText('MIDI file'), { target: { files: [midi] } });
    await waitFor(() => expect(FakeUpload.all).toHaveLength(1));
    const [upload] = FakeUpload.all;
    expect([upload?.method, upload?.path]).toEqual(['PUT', `${PACK}/samples/a/midi`]);
    act(() => upload?.answer(200, { sample: ownSample('a', { hasMidi: true }), version: 8 }));
    await shown('MIDI attached');
    expect(document.querySelector('.tag')?.textContent).toBe('MIDI');
  });
});
