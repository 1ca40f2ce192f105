import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Route, Routes } from 'react-router-dom';
import type { OwnPack } from '../../application/publishing/contract.js';
import { restoreTape } from '../../web/src/creators/unfinished-uploads.js';
import PackEditorScreen from '../../web/src/screens/pack-editor/pack-editor-screen.js';
import { formatLeft, Pace } from '../../web/src/screens/pack-editor/upload/pace.js';
import { forgetUploads, keepPlaces } from '../../web/src/screens/pack-editor/upload/upload-store.js';
import { addSounds, setPaused } from '../../web/src/screens/pack-editor/upload/uploads.js';
import { signOut } from '../../web/src/session/session.js';
import { dismissToast } from '../../web/src/ui/overlays/toast.js';
import { ownPack, ownSample } from './support/packs.js';
import { pageWith } from './support/page.js';
import { NOOR, renderAt, signedInAs } from './support/render.js';
import { creatorWith, StubServer } from './support/server.js';
import { FakeUpload, takeUploads } from './support/upload.js';

const PackEditorPage = pageWith('pack-editor', PackEditorScreen);

let pack: OwnPack;
let packs = 0;
let server: StubServer;
const orders = () =>
  server
    .seen('PUT /api/creator/packs/:id/order')
    .map(({ body }) => (body as { sampleIds: string[] }).sampleIds);

const { setInterval: every } = window;
/** How often the tape looks whether bytes move. */
const LOOK_MS = 1_000;

beforeEach(() => {
  // The tape may look while Jest goes from one step of a test to the next, where React expects no update.
  jest
    .spyOn(window, 'setInterval')
    .mockImplementation((run, ms) => every(ms === LOOK_MS ? () => act(run as () => void) : run, ms));
  takeUploads();
  pack = ownPack({ id: `pack-${(packs += 1)}`, samples: [ownSample('a', { name: 'Tape hiss' })] });
  server = new StubServer({
    'GET /api/creator': creatorWith(),
    'GET /api/creator/packs/second-helping': () => ({ json: pack }),
    'PUT /api/creator/packs/:id/uploads/:uploadId': { json: { parts: null } },
    'DELETE /api/creator/packs/:id/uploads/:uploadId': { status: 204 },
    'GET /api/creator/packs': () => ({ json: { items: [pack], nextCursor: null } }),
    'PUT /api/creator/packs/:id/order': () => ({ json: pack }),
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
const sent = (count: number) => waitFor(() => expect(FakeUpload.all).toHaveLength(count));
const shown = (text: string) => waitFor(() => expect(document.body.textContent).toContain(text));
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));
const answered = new Set<FakeUpload>();
const onTheirWay = () => FakeUpload.all.filter((upload) => !answered.has(upload));

/** This browser remembers the pack of interrupted uploads, as after a reload. */
function remember({ userId }: { userId: string }): void {
  const unfinished = { packId: pack.id, slug: pack.slug, title: pack.title, userId, sampleIds: [] };
  localStorage.setItem('offcut.unfinished-uploads', JSON.stringify([unfinished]));
  act(restoreTape);
}

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
    await waitFor(() => expect(onTheirWay().length).toBeGreaterThan(0));
    await take();
  }
}
beforeEach(() => answered.clear());

it('sends 40 files three at a time, each once', async () => {
  open();
  await drop(...Array.from({ length: 40 }, (_, n) => file(`take ${n}.wav`)));
  await sent(3);
  await shown('0 of 40');
  await takeAll(40);
  const names = FakeUpload.all.map((upload) => (upload.form.get('audio') as File).name);
  expect(new Set(names).size).toBe(40);
  await shown('All files are uploaded.');
  expect(localStorage.getItem(`offcut.uploads.${pack.id}`)).toBeNull();
});

it('[UPL-803] asks whether a folder with folders becomes packs, or is added to the open pack', async () => {
  const inFolder = (path: string) =>
    Object.defineProperty(file(path.slice(path.lastIndexOf('/') + 1)), 'webkitRelativePath', { value: path });
  open();
  await drop(inFolder('Tapes/one.wav'));
  await sent(1);
  await drop(inFolder('Tapes/a/two.wav'));
  await userEvent.click(await screen.findByRole('button', { name: 'Add to this pack' }));
  await sent(2);
  await drop(inFolder('Tapes/a/three.wav'), inFolder('Tapes/b/four.wav'));
  await userEvent.click(await screen.findByRole('button', { name: 'Make packs' }));
  await screen.findByRole('dialog', { name: 'Packs of “Tapes”' });
  expect(screen.getByRole('list', { name: 'Packs' }).children).toHaveLength(2);
  expect(FakeUpload.all).toHaveLength(2);
  await press('Cancel');
  await take();
});

it('pauses before the next file and goes on', async () => {
  open();
  await drop(file('1.wav'), file('2.wav'), file('3.wav'), file('4.wav'));
  await sent(3);
  await press('Pause uploads');
  await take();
  await shown('Paused.');
  await shown('3 of 4');
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

it('[UPL-843] takes two quick presses as one', async () => {
  open();
  await drop(...['a', 'b', 'c', 'd', 'e'].map((name) => file(`${name}.wav`)));
  await sent(3);
  await userEvent.dblClick(screen.getByRole('button', { name: 'Pause uploads' }));
  await shown('Paused.');
  await press('Cancel B');
  // The row of C is where the row of B was.
  fireEvent.click(screen.getByRole('button', { name: 'Cancel C' }), { detail: 2 });
  expect(FakeUpload.all.map(({ isAborted }) => isAborted)).toEqual([false, true, false]);
  await press('Resume uploads');
  await sent(4);
});

it('[UPL-844] does not queue a file twice that is chosen again, and retries it if it failed', async () => {
  open();
  await drop(file('1.wav'));
  await sent(1);
  await drop(file('1.wav'), file('2.wav'));
  await sent(2);
  await shown('0 of 2');
  const [first] = FakeUpload.all;
  await act(async () => first?.answer(500, { code: 'InternalError', title: 'Wrong' }));
  await shown('1 file failed.');
  await drop(file('1.wav'));
  await sent(3);
  await shown('0 of 2');
  expect(FakeUpload.all[2]?.meta().uploadId).toBe(first?.meta().uploadId);
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

it('[UPL-794] lists after a reload what is not uploaded yet, and goes on under the former ids', async () => {
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
  remember({ userId: NOOR.id });
  open();
  await shown('2 files not uploaded into Second Helping when you left the page');
  expect(screen.getByTitle('kept.wav gone.wav')).toBeTruthy();
  await drop(file('kept.wav'));
  await sent(1);
  expect(FakeUpload.all[0]?.meta()).toMatchObject({ bpm: 93, uploadId: 'former-id' });
  await take();
  await shown('1 file not uploaded into');
  await press('Dismiss them');
  expect(localStorage.getItem(`offcut.uploads.${pack.id}`)).toBeNull();
});

it('[UPL-846] sends no file again that arrived before a reload, on other pages than the editor too', async () => {
  const digest = async (_: string, bytes: ArrayBuffer) => bytes;
  Object.defineProperty(crypto, 'subtle', { value: { digest }, configurable: true });
  pack.samples.push(ownSample('b', { sha256: digestOf('there.wav') }));
  const listed = { id: 'x', name: 'kept.wav', sizeBytes: 8, modifiedAtMs: 1_700_000_000_000, meta: {} };
  localStorage.setItem(`offcut.uploads.${pack.id}`, JSON.stringify([listed]));
  renderAt('/dashboard', <p>Another page</p>);
  remember({ userId: NOOR.id });
  const again = await screen.findByLabelText('Files for Second Helping');
  fireEvent.change(again, { target: { files: [file('there.wav'), file('kept.wav')] } });
  await shown('1 duplicate not uploaded.');
  await sent(1);
  expect(FakeUpload.all[0]?.meta().uploadId).toBe('x');
  await take();
});

it('[UPL-793] [UPL-846] sorts a file with the others that arrived although a reload lost its answer', async () => {
  const digest = async (_: string, bytes: ArrayBuffer) => bytes;
  Object.defineProperty(crypto, 'subtle', { value: { digest }, configurable: true });
  const [first, second] = ['1', '2'].map((name) =>
    ownSample(name, { name, filename: `${name}.wav`, sha256: digestOf(`${name}.wav`) }),
  );
  pack.samples.push(first!);
  const listed = (name: string) => ({
    id: name,
    name,
    sizeBytes: 5,
    modifiedAtMs: 1_700_000_000_000,
    meta: {},
  });
  localStorage.setItem(`offcut.uploads.${pack.id}`, JSON.stringify(['1.wav', '2.wav'].map(listed)));
  remember({ userId: NOOR.id });
  open();
  await drop(file('1.wav'), file('2.wav'));
  await sent(1);
  await shown('1 of 2');
  pack = { ...pack, samples: [...pack.samples.slice(0, -1), second!, first!] };
  await act(async () => FakeUpload.all[0]?.answer(201, { sample: second, version: 9 }));
  await shown('All files are uploaded.');
  expect(FakeUpload.all[0]?.meta().uploadId).toBe('2.wav');
  await waitFor(() => expect(orders()).toEqual([['a', '1', '2']]));
});

it('[UPL-830] lists attachments after a reload, and sends those that the sample lacks', async () => {
  const attachments = { midi: file('hiss.mid'), stems: file('hiss.zip') };
  const sound = { file: file('hiss.wav'), attachments };
  const listed = () =>
    (JSON.parse(localStorage.getItem(`offcut.uploads.${pack.id}`) ?? '[]') as { name: string }[]).map(
      ({ name }) => name,
    );
  const reload = (): void => {
    act(forgetUploads);
    FakeUpload.all.forEach((upload) => answered.add(upload));
    cleanup();
    open();
    act(restoreTape);
  };
  const attached = (part: string) => `/api/creator/packs/${pack.id}/samples/hiss/${part}`;
  const paths = () => FakeUpload.all.map(({ path }) => path);
  open();
  await act(() => addSounds(pack, [sound], 'Tapes'));
  await sent(1);
  expect(listed()).toEqual(['hiss.wav', 'hiss.mid', 'hiss.zip']);
  const sample = ownSample('hiss', { hasMidi: false, hasStems: false });
  await act(async () => FakeUpload.all[0]?.answer(201, { sample, version: 9 }));
  await sent(3);
  expect(listed()).toEqual(['hiss.mid', 'hiss.zip']);

  reload();
  await shown('2 files of the folder “Tapes” not uploaded when you left the page: hiss.mid, hiss.zip');
  // The server took the MIDI file, but its answer was lost.
  const known = { ...sample, hasMidi: true };
  await act(() => addSounds(pack, [{ ...sound, sample: known }], 'Tapes'));
  await sent(4);
  expect(paths().slice(3)).toEqual([attached('stems')]);
  expect(listed()).toEqual(['hiss.zip']);

  reload();
  pack = ownPack({ id: pack.id, samples: [known] });
  await shown('1 file of the folder “Tapes” not uploaded when you left the page: hiss.zip');
  await drop(attachments.stems);
  await sent(5);
  expect(paths().slice(4)).toEqual([attached('stems')]);
  await act(async () =>
    FakeUpload.all[4]?.answer(200, { sample: { ...known, hasStems: true }, version: 10 }),
  );
  await shown('All files are uploaded.');
  expect(listed()).toEqual([]);
});

it('[UPL-831] keeps the attachments of a sound that is chosen again without them', async () => {
  const [sound, midi, stems] = [file('hum.wav'), file('hum.mid'), file('hum.zip')];
  open();
  await act(() => addSounds(pack, [{ file: sound, attachments: { midi, stems } }], 'Tapes'));
  await sent(1);
  act(forgetUploads);
  FakeUpload.all.forEach((upload) => answered.add(upload));
  act(restoreTape);
  await drop(sound, midi);
  await sent(2);
  expect(FakeUpload.all[1]?.meta().uploadId).toBe(FakeUpload.all[0]?.meta().uploadId);
  const sample = ownSample('hum', { hasMidi: false, hasStems: false });
  pack = ownPack({ id: pack.id, samples: [sample] });
  await act(async () => FakeUpload.all[1]?.answer(201, { sample, version: 9 }));
  await sent(3);
  await act(async () =>
    FakeUpload.all[2]?.answer(200, { sample: { ...sample, hasMidi: true }, version: 10 }),
  );
  await shown('1 file of the folder “Tapes” not uploaded when you left the page: hum.zip');
  await drop(stems);
  await sent(4);
  expect(FakeUpload.all.slice(2).map(({ path }) => path)).toEqual(
    ['midi', 'stems'].map((part) => `/api/creator/packs/${pack.id}/samples/hum/${part}`),
  );
  FakeUpload.all.forEach((upload) => answered.add(upload));
  await act(async () =>
    FakeUpload.all[3]?.answer(200, { sample: { ...sample, hasStems: true }, version: 11 }),
  );
  await shown('All files are uploaded.');
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

it('[UPL-840] groups many duplicates in one row', async () => {
  const letters = ['b', 'c', 'd', 'e'];
  pack.samples.push(...letters.map((id) => ownSample(id, { name: `Take ${id}`, sha256: digestOf(id) })));
  open();
  await drop(...letters.map((letter, n) => file(`${n}.wav`, letter)));
  await shown('4 recordings are here already. They were not uploaded.');
  expect(screen.getByRole('list', { name: 'Uploads' }).children).toHaveLength(1);
  await press('Dismiss duplicates');
  await waitFor(() => expect(screen.queryByText(/here already/)).toBeNull());
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

it('[UPL-790] shows the progress by bytes, also on pages without the editor', async () => {
  open();
  await drop(file('long.wav', 'x'.repeat(90)), file('short.wav', 'y'.repeat(10)));
  await sent(2);
  const [long, short] = FakeUpload.all as [FakeUpload, FakeUpload];
  act(() => long.progress(45, 90));
  const uploaded = () => screen.getByRole('progressbar', { name: 'Uploaded' });
  await waitFor(() => expect(uploaded().getAttribute('aria-valuenow')).toBe('45'));
  answered.add(short);
  await act(async () => short.answer(201, { sample: ownSample('short'), version: 9 }));
  await waitFor(() => expect(uploaded().getAttribute('aria-valuenow')).toBe('55'));
  cleanup();
  renderAt('/dashboard', <p>Another page</p>);
  expect(uploaded().getAttribute('aria-valuenow')).toBe('55');
  expect(screen.getByRole('region', { name: 'Uploads' }).textContent).toContain('1 of 2');
  await take();
});

it('[UPL-790] computes speed and remaining time from the bytes of the last seconds', () => {
  const pace = new Pace();
  pace.add(1_000, 0);
  expect(pace.bytesPerSecond()).toBeNull();
  pace.add(4_000, 2_000);
  expect(pace.bytesPerSecond()).toBe(2_000);
  // The first transfers are too old to count.
  pace.add(500, 16_900);
  pace.add(500, 20_000);
  expect(pace.bytesPerSecond()).toBeCloseTo(161.3, 1);
  pace.reset(0);
  expect(pace.bytesPerSecond()).toBeNull();
  expect([3, 41, 130, 7_000].map(formatLeft)).toEqual(['5 s left', '45 s left', '3 min left', '2 h left']);
});

it('[UPL-847] says that it waits, in place of an old speed, while no byte moves', async () => {
  open();
  await drop(file('long.wav', 'x'.repeat(90)));
  await sent(1);
  const clock = jest.spyOn(performance, 'now');
  const began = performance.now();
  const move = (bytes: number, seconds: number) => {
    clock.mockReturnValue(began + seconds * 1_000);
    act(() => FakeUpload.all[0]?.progress(bytes, 90));
  };
  move(10, 0);
  move(30, 3);
  await shown('10 s left at 1 kB/s');
  clock.mockReturnValue(began + 9_000);
  await shown('Waiting for the connection');
  move(60, 10);
  await shown('left at');
  await take();
  await shown('All files are uploaded.');
  clock.mockReturnValue(began + 3_600_000);
  await drop(file('later.wav'));
  await shown('Measuring the speed');
  await sent(2);
  clock.mockReturnValue(began + 3_609_000);
  await shown('Waiting for the connection');
  clock.mockRestore();
  await take();
});

it('[UPL-847] says that files are checked while others wait and no byte is sent', async () => {
  open();
  await drop(...Array.from({ length: 4 }, (_, n) => file(`${n}.wav`)));
  await sent(3);
  await shown('Measuring the speed');
  act(() => FakeUpload.all.forEach((upload) => upload.progress(8, 8)));
  await shown('Checking the files');
  await takeAll(4);
});

it('[UPL-791] shows a lost connection once, and lets all files wait for it', async () => {
  open();
  await drop(...Array.from({ length: 5 }, (_, n) => file(`${n}.wav`)));
  await sent(3);
  act(() => void window.dispatchEvent(new Event('offline')));
  // An answer that was already on its way does not end the state.
  await act(async () => FakeUpload.all[0]?.answer(201, { sample: ownSample('first'), version: 9 }));
  await shown('1 of 5');
  act(() => FakeUpload.all.slice(1).forEach((upload) => upload.progress(1, 2)));
  expect(document.body.textContent).toContain('Connection lost.');
  act(() => FakeUpload.all.slice(1).forEach((upload) => upload.lose()));
  await shown('Connection lost. The upload starts again when the connection is back.');
  expect(screen.queryByText('Error uploading', { exact: false })).toBeNull();
  expect(screen.queryByRole('alert')).toBeNull();
  expect(FakeUpload.all).toHaveLength(3);
  FakeUpload.all.forEach((upload) => answered.add(upload));
  act(() => void window.dispatchEvent(new Event('online')));
  await takeAll(7);
  await shown('5 of 5');
  expect(screen.queryByText(/Connection lost/)).toBeNull();
});

it('[UPL-792] cancels one upload or all, and keeps what arrived', async () => {
  open();
  await drop(file('a.wav'), file('b.wav'), file('c.wav'), file('d.wav'));
  await sent(3);
  await userEvent.click(await screen.findByRole('button', { name: 'Cancel B' }));
  await sent(4);
  expect(FakeUpload.all.map(({ isAborted }) => isAborted)).toEqual([false, true, false, false]);
  answered.add(FakeUpload.all[0] as FakeUpload);
  await act(async () => FakeUpload.all[0]?.answer(201, { sample: ownSample('a'), version: 9 }));
  await shown('1 of 3');
  await press('Unfold the upload tape');
  await press('Cancel all');
  await userEvent.click(await screen.findByRole('button', { name: 'Cancel uploads' }));
  expect(FakeUpload.all.map(({ isAborted }) => isAborted)).toEqual([false, true, true, true]);
  await shown('1 of 1');
  expect(server.seen('DELETE /api/creator/packs/:id/uploads/:uploadId')).toHaveLength(3);
  expect(localStorage.getItem(`offcut.uploads.${pack.id}`)).toBeNull();
});

it('[UPL-793] sorts what arrived by name, unless the creator ordered it meanwhile', async () => {
  const idOf = (name: string) => name.replaceAll(/\W/g, '-');
  const arriveLastFirst = async (names: string[]) => {
    const from = FakeUpload.all.length;
    await drop(...names.map((name) => file(name)));
    await sent(from + names.length);
    expect(FakeUpload.all.slice(from).map((upload) => (upload.form.get('audio') as File).name)).toEqual(
      names.toSorted((a, b) => parseInt(a.slice(5), 10) - parseInt(b.slice(5), 10)),
    );
    for (const upload of FakeUpload.all.slice(from).reverse()) {
      answered.add(upload);
      const { name } = upload.form.get('audio') as File;
      const sample = ownSample(idOf(name), { name, ordinal: 10 + pack.samples.length });
      pack = { ...pack, samples: [...pack.samples, sample] };
      await act(async () => upload.answer(201, { sample, version: 9 }));
    }
  };
  open();
  await arriveLastFirst(['take 10.wav', 'take 9.wav']);
  await waitFor(() => expect(orders()).toEqual([['a', idOf('take 9.wav'), idOf('take 10.wav')]]));
  const held = file('take 11.wav');
  await drop(held);
  await sent(3);
  act(() => keepPlaces(pack.id));
  await take();
  await shown('3 of 3');
  expect(orders()).toHaveLength(1);
});

it('[UPL-794] keeps interrupted uploads from other people, and those of another open tab', async () => {
  const listedFile = { id: 'x', name: 'kept.wav', sizeBytes: 1, modifiedAtMs: 1, meta: {} };
  localStorage.setItem(`offcut.uploads.${pack.id}`, JSON.stringify([listedFile]));
  const locks = { query: () => Promise.resolve({ held: [{ name: `offcut-uploads-${pack.id}` }] }) };
  renderAt('/dashboard', <p>Another page</p>);
  remember({ userId: 'somebody-else' });
  await act(async () => undefined);
  expect(screen.queryByRole('region', { name: 'Uploads' })).toBeNull();
  cleanup();
  Object.defineProperty(navigator, 'locks', { value: locks, configurable: true });
  renderAt('/dashboard', <p>Another page</p>);
  remember({ userId: NOOR.id });
  await act(async () => undefined);
  expect(screen.queryByRole('region', { name: 'Uploads' })).toBeNull();
  cleanup();
  Object.defineProperty(navigator, 'locks', { value: undefined, configurable: true });
  renderAt('/dashboard', <p>Another page</p>);
  await shown('1 file not uploaded into Second Helping when you left the page');
});
