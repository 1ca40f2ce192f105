import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Route, Routes } from 'react-router-dom';
import type { OwnPack } from '../../application/publishing/contract.js';
import PackEditorScreen from '../../web/src/screens/pack-editor/pack-editor-screen.js';
import { signOut } from '../../web/src/session/session.js';
import { settleAlert } from '../../web/src/ui/overlays/alerts.js';
import { dismissToast } from '../../web/src/ui/overlays/toast.js';
import { ownPack, ownSample } from './support/packs.js';
import { pageWith } from './support/page.js';
import { NOOR, renderAt, signedInAs } from './support/render.js';
import { StubServer } from './support/server.js';
import { FakeUpload, takeUploads } from './support/upload.js';

const PackEditorPage = pageWith('pack-editor', PackEditorScreen);

const PACK = '/api/creator/packs/pack-1';
let server: StubServer;
let pack: OwnPack;
let creatorStatus: string;

// Uploads go on between a test's own steps, as they do in a browser: React need not be told of each.
beforeAll(() => void Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: false }));

beforeEach(() => {
  takeUploads();
  pack = ownPack({ samples: [ownSample('a')], defaultCreditCost: 2 });
  creatorStatus = 'approved';
  server = new StubServer({
    'GET /api/creator': () => ({
      json: { status: creatorStatus, reason: null, handle: 'Junie', displayName: 'Junie' },
    }),
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

/** Stands in for the browser's audio element: tells a length, or that it cannot. */
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
  it('[SMOD-03] takes wav, mp3 and m4a only', async () => {
    open();
    await drop(wav('notes.txt'), wav('loop.ogg'));
    await shown('Please upload only .wav, .mp3, or .m4a files');
    expect(FakeUpload.all).toHaveLength(0);
    await drop(
      wav('one.WAV'),
      new File(['x'], 'two.mp3'),
      new File(['y'], 'three.m4a'),
      new File(['z'], 'four.mp3'),
    );
    await waitFor(() => expect(FakeUpload.all).toHaveLength(3), { timeout: 5_000 });
    act(() => FakeUpload.all[0]?.answer(201, { sample: ownSample('one'), version: 8 }));
    await waitFor(() => expect(FakeUpload.all).toHaveLength(4), { timeout: 5_000 });
    act(() =>
      FakeUpload.all.slice(1).forEach((upload) => upload.answer(201, { sample: ownSample('x'), version: 9 })),
    );
  });

  it('[EDIT-21] shows what was stored in the order of the server, whichever answer comes first', async () => {
    open();
    await drop(wav('one.wav'), wav('two.wav'));
    await waitFor(() => expect(FakeUpload.all).toHaveLength(2), { timeout: 5_000 });
    const answer = (at: number, id: string, ordinal: number) =>
      act(() => FakeUpload.all[at]?.answer(201, { sample: ownSample(id, { ordinal }), version: 9 }));
    // No answer to the question that follows the last file: what is shown is what the answers said.
    server.on('GET /api/creator/packs/second-helping', () => new Promise<never>(() => undefined));
    answer(1, 'third', 3);
    answer(0, 'second', 2);
    await shown('Sound second');
    expect(document.body.textContent).toMatch(/Sound a.*Sound second.*Sound third/);
  });

  it('shows how far a file is, then the sample, sent under an upload id', async () => {
    open();
    await drop(wav());
    const bar = await screen.findByRole('progressbar');
    act(() => FakeUpload.all[0]?.progress(3, 4));
    expect(bar.getAttribute('aria-valuenow')).toBe('75');
    const [upload] = FakeUpload.all;
    const id = upload?.meta().uploadId;
    expect(upload?.path).toBe(`${PACK}/samples?uploadId=${String(id)}`);
    expect(upload?.form.get('audio')).toMatchObject({ name: 'upright_walk.wav' });
    pack = ownPack({ samples: [ownSample('a'), ownSample('b', { name: 'Upright walk' })], version: 8 });
    act(() => upload?.answer(201, { sample: pack.samples[1], version: 8 }));
    await screen.findByText('Upright walk');
    expect(screen.queryByRole('progressbar')).toBeNull();
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
    await screen.findByRole('progressbar');
    await waitFor(() => expect(FakeUpload.all).toHaveLength(1));
    drawn.length = 0;
    for (let step = 1; step <= 10; step += 1) act(() => FakeUpload.all[0]?.progress(step, 20));
    expect(screen.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('50');
    expect(drawn).toEqual([]);
    act(() => FakeUpload.all[0]?.answer(201, { sample: ownSample('b'), version: 8 }));
  });

  it('[SMOD-07] keeps a failure with a Retry, which sends the same upload id again', async () => {
    open();
    await drop(wav());
    await waitFor(() => expect(FakeUpload.all).toHaveLength(1));
    act(() => FakeUpload.all[0]?.lose());
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

  it('[SMOD-03] [SMOD-07] says why the server refused the content of a file', async () => {
    open();
    await drop(wav());
    await waitFor(() => expect(FakeUpload.all).toHaveLength(1));
    act(() =>
      FakeUpload.all[0]?.answer(415, {
        code: 'UnsupportedAudioType',
        title: 'Please upload only .wav, .mp3, or .m4a files',
      }),
    );
    await shown('Please upload only .wav, .mp3, or .m4a files');
    expect(screen.getByRole('button', { name: 'Retry' })).toBeTruthy();
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

  it('[SMOD-04] reads the length, and says when it cannot', async () => {
    hearAudio(17.4);
    await openSheet();
    await userEvent.upload(screen.getByLabelText('Audio file'), wav());
    await shown('0:17');
    hearAudio(null);
    await userEvent.upload(screen.getByLabelText('Audio file'), wav('broken.wav'));
    await shown('Error reading audio file duration');
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

  it('[WEB-23] sends only what was changed here, and shows what somebody else changed meanwhile', async () => {
    await openSheet();
    await userEvent.clear(screen.getByLabelText('BPM'));
    await userEvent.type(screen.getByLabelText('BPM'), '101');
    pack = ownPack({ version: 8, samples: [ownSample('a', { name: 'Renamed elsewhere' }), ownSample('b')] });
    server.on(`PATCH ${PACK}/samples/a`, {
      status: 409,
      json: { code: 'StaleVersion', title: 'Somebody was faster' },
    });
    await userEvent.click(screen.getByRole('button', { name: 'Save sample' }));
    await screen.findByRole('alertdialog', { name: 'Somebody changed this pack' });
    await userEvent.click(screen.getByRole('button', { name: 'OK' }));
    await waitFor(() =>
      expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('Renamed elsewhere'),
    );
    expect(screen.getByLabelText<HTMLInputElement>('BPM').value).toBe('101');
    saveAs();
    await userEvent.click(screen.getByRole('button', { name: 'Save sample' }));
    await shown('Updated');
    const request = server.seen(`PATCH ${PACK}/samples/a`).at(-1);
    expect(request?.body).toEqual({ bpm: 101 });
    expect(request?.headers['if-match']).toBe('"8"');
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
    expect(document.querySelector('.edit-extras .tag')?.textContent).toBe('MIDI');
  });
});
