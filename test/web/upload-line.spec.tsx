import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Route, Routes } from 'react-router-dom';
import type { OwnPack } from '../../application/publishing/contract.js';
import PackEditorScreen from '../../web/src/screens/pack-editor/pack-editor-screen.js';
import { setPaused } from '../../web/src/screens/pack-editor/upload/uploads.js';
import { signOut } from '../../web/src/session/session.js';
import { dismissToast } from '../../web/src/ui/overlays/toast.js';
import { ownPack, ownSample } from './support/packs.js';
import { pageWith } from './support/page.js';
import { NOOR, renderAt, signedInAs } from './support/render.js';
import { StubServer } from './support/server.js';
import { FakeUpload, takeUploads } from './support/upload.js';

const PackEditorPage = pageWith('pack-editor', PackEditorScreen);

let pack: OwnPack;
let packs = 0;

beforeEach(() => {
  takeUploads();
  pack = ownPack({ id: `pack-${(packs += 1)}`, samples: [ownSample('a', { name: 'Tape hiss' })] });
  new StubServer({
    'GET /api/creator': { json: { status: 'approved', reason: null, handle: 'Junie', displayName: 'Junie' } },
    'GET /api/creator/packs/second-helping': () => ({ json: pack }),
    'PUT /api/creator/packs/:id/uploads/:uploadId': { json: { parts: null } },
    'DELETE /api/creator/packs/:id/uploads/:uploadId': { status: 204 },
    'GET /api/creator/packs': () => ({ json: { items: [pack], nextCursor: null } }),
    'POST /api/auth/sign-out': { status: 204 },
  });
  signedInAs({ ...NOOR, isCreator: true });
});

afterEach(async () => {
  act(() => {
    setPaused(false);
    dismissToast();
  });
  cleanup();
  localStorage.clear();
  await signOut();
});

const file = (name: string, content = name): File => {
  const made = new File([content], name, { type: 'audio/wav', lastModified: 1_700_000_000_000 });
  // jsdom's File has no arrayBuffer.
  made.arrayBuffer = async () => new TextEncoder().encode(content).buffer as ArrayBuffer;
  return made;
};
/** The stubbed digest returns the content itself, which also distinguishes contents. */
const digestOf = (text: string): string =>
  [...new TextEncoder().encode(text)].map((byte) => byte.toString(16).padStart(2, '0')).join('');

function open(): void {
  renderAt(
    '/creator-pack/second-helping',
    <Routes>
      <Route path="/creator-pack/:slug" element={<PackEditorPage />} />
    </Routes>,
  );
}
/** Each file is read before it is sent, in separate asynchronous steps. */
const drop = async (...files: File[]) => {
  const input = await screen.findByLabelText('Audio files');
  await act(async () => void fireEvent.change(input, { target: { files } }));
};
/** Rendering rows is slow on a busy machine. */
const PATIENT = { timeout: 10_000 };
const sent = (count: number) => waitFor(() => expect(FakeUpload.all).toHaveLength(count), PATIENT);
const shown = (text: string) => waitFor(() => expect(document.body.textContent).toContain(text), PATIENT);
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));
const answered = new Set<FakeUpload>();
const onTheirWay = () => FakeUpload.all.filter((upload) => !answered.has(upload));

/** The server accepts everything in transit. */
async function take(): Promise<void> {
  for (const upload of onTheirWay()) {
    answered.add(upload);
    const name = (upload.form.get('audio') as File).name;
    await act(async () => upload.answer(201, { sample: ownSample(`${pack.id} ${name}`), version: 9 }));
  }
}

async function takeAll(total: number): Promise<void> {
  while (answered.size < total) {
    await waitFor(() => expect(onTheirWay().length).toBeGreaterThan(0), PATIENT);
    await take();
  }
}
beforeEach(() => answered.clear());

it('sends 40 files three at a time, each once', async () => {
  open();
  await drop(...Array.from({ length: 40 }, (_, n) => file(`take ${n}.wav`)));
  await sent(3);
  await shown('40 files to go.');
  await takeAll(40);
  const names = FakeUpload.all.map((upload) => (upload.form.get('audio') as File).name);
  expect(new Set(names).size).toBe(40);
  await waitFor(() => expect(screen.queryByText(/to go/)).toBeNull());
  expect(localStorage.getItem(`offcut.uploads.${pack.id}`)).toBeNull();
});

it('pauses before the next file and goes on', async () => {
  open();
  await drop(file('1.wav'), file('2.wav'), file('3.wav'), file('4.wav'));
  await sent(3);
  await press('Pause uploads');
  await take();
  await shown('1 file to go, paused.');
  expect(FakeUpload.all).toHaveLength(3);
  await press('Resume uploads');
  await sent(4);
  await take();
});

it('[SMOD-07] goes on by itself when the connection is back, under the same upload ids', async () => {
  open();
  await drop(file('1.wav'), file('2.wav'));
  await sent(2);
  act(() => FakeUpload.all.forEach((upload) => upload.lose()));
  await shown('The upload starts again when the connection is back.');
  act(() => void window.dispatchEvent(new Event('online')));
  await sent(4);
  const ids = FakeUpload.all.map((upload) => upload.meta().uploadId);
  expect(ids.slice(2)).toEqual(ids.slice(0, 2));
  FakeUpload.all.slice(0, 2).forEach((upload) => answered.add(upload));
  await take();
});

it('[SMOD-07] sends again what waits for the answer of a connection that was lost', async () => {
  open();
  await drop(...Array.from({ length: 4 }, (_, n) => file(`${n}.wav`)));
  await sent(3);
  // All bytes were sent, and the browser does not notice that no answer will come.
  act(() => FakeUpload.all.forEach((upload) => upload.upload.dispatchEvent(new Event('load'))));
  const waited = [...FakeUpload.all];
  act(() => void window.dispatchEvent(new Event('online')));
  await sent(6);
  expect(waited.map(({ isAborted }) => isAborted)).toEqual([true, true, true]);
  waited.forEach((upload) => answered.add(upload));
  await takeAll(7);
  const ids = FakeUpload.all.map((upload) => upload.meta().uploadId);
  expect(new Set(ids.slice(3))).toEqual(new Set(ids));
  expect(new Set(ids).size).toBe(4);
});

it('[SMOD-07] sends what the server failed to take only when asked, all at once', async () => {
  open();
  await drop(file('1.wav'), file('2.wav'));
  await sent(2);
  for (const upload of FakeUpload.all)
    await act(async () => upload.answer(500, { code: 'InternalError', title: 'Something went wrong' }));
  await shown('2 files failed.');
  act(() => void window.dispatchEvent(new Event('online')));
  expect(FakeUpload.all).toHaveLength(2);
  await press('Retry all');
  await sent(4);
  FakeUpload.all.slice(0, 2).forEach((upload) => answered.add(upload));
  await take();
});

it('finds what the pack, or the line, has already by content, before it is sent', async () => {
  const digest = async (_: string, bytes: ArrayBuffer) => bytes;
  Object.defineProperty(crypto, 'subtle', { value: { digest }, configurable: true });
  pack = ownPack({ id: pack.id, samples: [ownSample('a', { name: 'Tape hiss', sha256: digestOf('hiss') })] });
  open();
  await drop(file('other name.wav', 'hiss'), file('new.wav', 'new'), file('new again.wav', 'new'));
  await shown('The same recording as Tape hiss. It was not uploaded.');
  await shown('The same recording as new.wav. It was not uploaded.');
  expect(FakeUpload.all).toHaveLength(1);
  // Files that the pack already has are not reported as missing after a reload.
  expect(JSON.parse(String(localStorage.getItem(`offcut.uploads.${pack.id}`)))).toMatchObject([
    { name: 'new.wav' },
  ]);
  await press('Dismiss New again');
  await userEvent.click(screen.getByRole('button', { name: 'Upload anyway' }));
  await sent(2);
  await take();
});

it('lists after a reload what is not uploaded yet, and goes on under the former ids', async () => {
  const listed = (name: string, id: string) => ({
    id,
    name,
    sizeBytes: name.length,
    modifiedAtMs: 1_700_000_000_000,
    meta: { bpm: 93 },
  });
  localStorage.setItem(
    `offcut.uploads.${pack.id}`,
    JSON.stringify([listed('kept.wav', 'former-id'), listed('gone.wav', 'other-id')]),
  );
  open();
  await shown('2 files not uploaded when you left the page');
  const list = screen.getByRole('list', { name: 'Not uploaded yet' });
  expect(
    within(list)
      .getAllByRole('listitem')
      .map((item) => item.textContent),
  ).toEqual(['kept.wav', 'gone.wav']);
  await drop(file('kept.wav'));
  await sent(1);
  expect(FakeUpload.all[0]?.meta()).toMatchObject({ bpm: 93, uploadId: 'former-id' });
  await take();
  await shown('1 file not uploaded when');
  await press('Dismiss them');
  expect(localStorage.getItem(`offcut.uploads.${pack.id}`)).toBeNull();
});

it('takes the server’s word for a recording that is there already, and sends it when it is wanted twice', async () => {
  open();
  await drop(file('copy.wav'));
  await sent(1);
  expect(FakeUpload.all[0]?.meta()).toMatchObject({ refuseDuplicate: true });
  await act(async () =>
    FakeUpload.all[0]?.answer(409, {
      code: 'DuplicateAudio',
      title: 'There already',
      name: 'Tape hiss',
      among: 'pack',
    }),
  );
  await shown('The same recording as Tape hiss. It was not uploaded.');
  await press('Upload anyway');
  await sent(2);
  expect(FakeUpload.all[1]?.meta()).toMatchObject({ refuseDuplicate: false });
  if (FakeUpload.all[0]) answered.add(FakeUpload.all[0]);
  await take();
});

it('[UPL-780] answers all duplicates at once', async () => {
  pack.samples.push(...['b', 'c'].map((id) => ownSample(id, { name: `Take ${id}`, sha256: digestOf(id) })));
  open();
  await drop(file('1.wav', 'b'), file('2.wav', 'c'));
  await shown('2 duplicates not uploaded.');
  await press('Dismiss duplicates');
  await waitFor(() => expect(screen.queryByText(/The same recording as/)).toBeNull());
  expect(FakeUpload.all).toHaveLength(0);
  await drop(file('1.wav', 'b'), file('2.wav', 'c'));
  await shown('2 duplicates not uploaded.');
  await press('Upload duplicates anyway');
  await sent(2);
  expect(FakeUpload.all.map((upload) => upload.meta())).toEqual([
    expect.objectContaining({ refuseDuplicate: false }),
    expect.objectContaining({ refuseDuplicate: false }),
  ]);
  await take();
});

it('[UPL-781] asks before the page is left while files are on their way', async () => {
  const isAsked = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
  open();
  await drop(file('1.wav'));
  await sent(1);
  expect(isAsked()).toBe(true);
  await take();
  await waitFor(() => expect(isAsked()).toBe(false));
});
