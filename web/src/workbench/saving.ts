import type { Sample } from '../../../application/catalogue/contract.js';
import type {
  SharedWorkbench,
  Workbench,
  WorkbenchContent,
} from '../../../application/library/workbenches/contract.js';
import { WORKBENCHES_LIMIT } from '../../../application/library/values.js';
import { api } from '../api/api.js';
import { invalidate } from '../api/query-client.js';
import { ApiProblem } from '../api/transport/http.js';
import { newKey } from '../api/transport/idempotency-key.js';
import { businessNow } from '../clock.js';
import { held } from '../held.js';
import { keep, kept } from '../kept.js';
import { GUEST_WORKBENCHES, newProject } from '../project/project.js';
import { pickOf } from '../picks/picks.js';
import type { WorkbenchExport } from '../session/after-sign-in.js';
import { isSignedIn, onSessionEvent } from '../session/session.js';
import { notifyOf, toast } from '../ui/overlays/toast.js';
import { type Bench, samplesOf } from './song.js';
import {
  addSample,
  change,
  currentBench,
  FULL_TEXT,
  newBench,
  onBenchChange,
  showBench,
  showSamples,
} from './workbench.js';

/** The storage key of the id of the workbench that was open last. */
const OPEN_KEY = 'workbench';
const SAVE_PAUSE_MS = 800;

/** `gone`: another tab or device deleted the workbench. `stale`: another tab or device changed it. */
export type Saving =
  | { status: 'new' | 'sending' | 'gone' | 'stale' }
  | { status: 'saved'; at: string }
  | { status: 'failed'; error: unknown };

/**
 * Where the workbench on screen is kept: in the account or, for a guest, in the browser. Changes of a `shared`
 * workbench, opened by a link, are not kept.
 */
export type Place = 'account' | 'browser' | 'shared';

type Opening = { status: 'loading' | 'missing' | 'open' } | { status: 'failed'; error: unknown };

interface Kept {
  saving: Saving;
  place: Place;
  opening: Opening;
  shareUrl: string | null;
}

const state = held<Kept>({
  saving: { status: 'new' },
  place: 'browser',
  opening: { status: 'loading' },
  shareUrl: null,
});
export const useKept = state.use;
const set = (part: Partial<Kept>): void => state.set({ ...state.get(), ...part });

/** The version that was read or written last; null before the first save. */
let version: number | null = null;
/** The content that was read or written last, as JSON. */
let sent = '';

/** The content of a workbench that is saved. Lanes with the listener's own files are left out. */
export const contentOf = ({ name, tempo, key, timeSignature, lanes }: Bench): WorkbenchContent => ({
  name,
  tempo,
  key,
  timeSignature,
  lanes: lanes.flatMap(({ sampleId, gainDb, pan, mute, semitones, offsetBeats, loopBeats }) =>
    sampleId === null ? [] : { sampleId, gainDb, pan, mute, semitones, offsetBeats, loopBeats },
  ),
});

const textOf = (bench: Bench): string => JSON.stringify(contentOf(bench));

type Saved = Pick<Workbench, 'id' | 'version' | 'updatedAt' | 'shareUrl' | keyof WorkbenchContent>;

const benchOf = ({ name, tempo, key, timeSignature, lanes }: SharedWorkbench | Saved, id: string): Bench => ({
  ...newProject({ id, name, tempo, key, timeSignature }),
  lanes: lanes.map((lane) => ({ ...lane, id: newKey() })),
});

export function guestBenches(): Saved[] {
  const stored = kept(GUEST_WORKBENCHES);
  return Array.isArray(stored) ? (stored as Saved[]) : [];
}

function keepForGuest(benches: Saved[]): void {
  keep(GUEST_WORKBENCHES, benches.length > 0 ? benches : null);
}

const refusal = (status: number, code: string) =>
  new ApiProblem({ type: '', title: 'The workbench changed', status, code });

/** Where workbenches are kept. `write` makes a new one if `version` is null. */
const STORES = {
  account: {
    read: (id: string): Promise<Saved> => api('GET /api/workbenches/:id', { params: { id } }),
    list: async () => (await api('GET /api/workbenches')).items,
    write: (bench: Bench): Promise<Saved> => {
      const [{ id }, body, keepalive] = [bench, contentOf(bench), true];
      return version === null
        ? api('POST /api/workbenches', { body: { id, ...body }, keepalive })
        : api('PUT /api/workbenches/:id', { params: { id }, body, ifMatch: version, keepalive });
    },
    remove: (id: string) => api('DELETE /api/workbenches/:id', { params: { id } }),
  },
  browser: {
    read: async (id: string): Promise<Saved> => {
      const found = guestBenches().find((each) => each.id === id);
      if (!found) throw refusal(404, 'NotFound');
      return found;
    },
    list: async () => guestBenches(),
    write: async (bench: Bench): Promise<Saved> => {
      const all = guestBenches();
      const before = all.find(({ id }) => id === bench.id);
      if (version !== null && before?.version !== version)
        throw before ? refusal(409, 'StaleVersion') : refusal(404, 'NotFound');
      const saved: Saved = {
        ...bench,
        lanes: bench.lanes.flatMap(({ sampleId, ...lane }) =>
          sampleId === null ? [] : { ...lane, sampleId },
        ),
        version: (version ?? 0) + 1,
        shareUrl: null,
        updatedAt: new Date(businessNow()).toISOString(),
      };
      keepForGuest([saved, ...all.filter((each) => each !== before)].slice(0, WORKBENCHES_LIMIT));
      return saved;
    },
    remove: async (id: string) => keepForGuest(guestBenches().filter((each) => each.id !== id)),
  },
} as const;

const store = () => STORES[state.get().place === 'account' ? 'account' : 'browser'];

let timer: ReturnType<typeof setTimeout> | undefined;
let working: Promise<boolean> | undefined;

/** Saves unsaved changes. Resolves false if they could not be saved, or if the workbench is a shared one. */
export function saveNow(): Promise<boolean> {
  clearTimeout(timer);
  working ??= saveAll().finally(() => (working = undefined));
  return working;
}

function accept(saved: Saved, text: string): void {
  ({ version } = saved);
  sent = text;
  keep(OPEN_KEY, saved.id);
  set({ saving: { status: 'saved', at: saved.updatedAt }, shareUrl: saved.shareUrl });
}

async function saveAll(): Promise<boolean> {
  for (;;) {
    const bench = currentBench();
    if (!bench || state.get().place === 'shared') return false;
    const text = textOf(bench);
    if (text === sent) return true;
    set({ saving: { status: 'sending' } });
    try {
      const saved = await store().write(bench);
      // The listener opened another workbench meanwhile.
      if (currentBench()?.id !== bench.id) return true;
      accept(saved, text);
      void invalidate('GET /api/workbenches');
    } catch (error) {
      const [code, status] = error instanceof ApiProblem ? [error.code, error.status] : [];
      const elsewhere = code === 'StaleVersion' ? 'stale' : status === 404 ? 'gone' : undefined;
      const saving = elsewhere ? { status: elsewhere } : { status: 'failed', error };
      if (currentBench()?.id === bench.id) set({ saving: saving as Saving });
      return false;
    }
  }
}

onBenchChange(() => {
  const bench = currentBench();
  const { saving, place } = state.get();
  if (!bench || place === 'shared' || saving.status === 'stale' || saving.status === 'gone') return;
  if (textOf(bench) === sent) return;
  clearTimeout(timer);
  timer = setTimeout(() => void saveNow(), SAVE_PAUSE_MS);
});
const savePending = () => void (currentBench() && saveNow());
window.addEventListener('pagehide', savePending);
window.addEventListener('online', savePending);

/** Replaces the workbench on screen by the one that another tab or device saved. */
export async function loadTheirs(): Promise<void> {
  const bench = currentBench();
  if (!bench) return;
  await store()
    .read(bench.id)
    .then((theirs) => {
      const next = benchOf(theirs, bench.id);
      accept(theirs, textOf(next));
      change(next);
    }, notifyOf('The other version could not be loaded'));
}

/** Overwrites what another tab or device saved. A workbench that was deleted is saved as a new one. */
export async function keepMine(): Promise<void> {
  const bench = currentBench();
  if (!bench) return;
  if (state.get().saving.status === 'gone') {
    version = null;
    set({ saving: { status: 'sending' }, shareUrl: null });
    change({ id: newKey() });
  } else
    await store()
      .read(bench.id)
      .then((theirs) => {
        ({ version } = theirs);
      }, notifyOf('It was not saved'));
  await saveNow();
}

function show(bench: Bench, part: Partial<Kept>): void {
  version = null;
  sent = textOf(bench);
  set({ saving: { status: 'new' }, shareUrl: null, opening: { status: 'open' }, ...part });
  showBench(bench);
}

const isMissing = (error: unknown): boolean =>
  error instanceof ApiProblem && (error.status === 404 || error.status === 400);

/** @param wanted the id in the address; without an id, reads the workbench that was open last, else the newest */
async function read(wanted: string | undefined): Promise<Saved | undefined> {
  const { read: readOne, list } = store();
  const last = kept(OPEN_KEY);
  if (wanted !== undefined) return readOne(wanted);
  if (typeof last === 'string') {
    const found = await readOne(last).catch((error: unknown) => {
      if (!isMissing(error)) throw error;
    });
    if (found) return found;
  }
  const [newest] = await list();
  return newest && readOne(newest.id);
}

/** The opening in progress that was asked for last. */
let opens: { wanted: string | undefined; ended: Promise<void> } | undefined;

/** Opens a workbench of the listener; a new one if there is none. */
export function openWorkbench(wanted?: string): Promise<void> {
  if (wanted !== undefined && opens?.wanted === wanted) return opens.ended;
  const own = { wanted, ended: Promise.resolve() };
  opens = own;
  own.ended = open(wanted, () => opens === own).finally(() => {
    if (opens === own) opens = undefined;
  });
  return own.ended;
}

async function open(wanted: string | undefined, isLast: () => boolean): Promise<void> {
  if (wanted !== undefined && currentBench()?.id === wanted && state.get().place !== 'shared') return;
  await saveNow();
  set({ opening: { status: 'loading' } });
  const signedIn = await isSignedIn();
  // The guest's workbenches are moved first, so that a visitor who signed in on another site returns to the same
  // workbench.
  if (signedIn) await moveIntoAccount();
  set({ place: signedIn ? 'account' : 'browser' });
  try {
    const saved = await read(wanted);
    if (!isLast()) return;
    const bench = saved ? benchOf(saved, saved.id) : newBench();
    show(bench, {});
    if (saved) accept(saved, textOf(bench));
  } catch (error) {
    if (isLast()) set({ opening: isMissing(error) ? { status: 'missing' } : { status: 'failed', error } });
  }
}

/** Opens the listener's workbench unless one is open or is being opened. */
export async function ensureOpen(): Promise<void> {
  if (currentBench() && state.get().place !== 'shared') return;
  await (opens?.ended ?? openWorkbench());
}

/** Adds a sample to the listener's workbench. */
export async function tryHere(sample: Sample): Promise<void> {
  await ensureOpen();
  if (currentBench() && !addSample(sample))
    toast({ title: 'The workbench is full', description: FULL_TEXT, tone: 'info' });
}

/** Saves the workbench on screen, and begins a new one. */
export async function startAnew(): Promise<void> {
  await saveNow();
  show(newBench(), {});
  keep(OPEN_KEY, null);
}

/** Shows a workbench from a link. */
export function showShared(answer: SharedWorkbench): void {
  clearTimeout(timer);
  show(benchOf(answer, newKey()), { place: 'shared' });
}

/** Keeps a copy of a shared workbench, with the changes that the visitor made. */
export async function copyToMine(): Promise<boolean> {
  const bench = currentBench();
  if (!bench) return false;
  // Samples that left sale cannot be added.
  const copy = { ...bench, id: newKey(), lanes: bench.lanes.filter(({ sample }) => sample) };
  show(copy, { place: (await isSignedIn()) ? 'account' : 'browser' });
  sent = '';
  return saveNow();
}

export function closeShared(): void {
  if (state.get().place === 'shared') showBench(null);
}

/** Deletes the workbench on screen, and opens another. */
export async function deleteBench(): Promise<void> {
  const bench = currentBench();
  if (!bench) return;
  await store().remove(bench.id);
  sent = textOf(bench);
  keep(OPEN_KEY, null);
  void invalidate('GET /api/workbenches');
  await openWorkbench();
}

export async function setShared(isShared: boolean): Promise<void> {
  const bench = currentBench();
  if (!bench || !(await saveNow())) throw new Error('The workbench is not saved.');
  const params = { id: bench.id };
  if (isShared) set({ shareUrl: (await api('POST /api/workbenches/:id/share', { params })).url });
  else {
    await api('DELETE /api/workbenches/:id/share', { params });
    set({ shareUrl: null });
  }
  void invalidate('GET /api/workbenches');
}

let moving: Promise<void> | undefined;

/** Moves the workbenches of a guest into the account. Those that the account refuses stay in the browser. */
export async function moveIntoAccount(): Promise<void> {
  if (guestBenches().length > 0) await (moving ??= moveAll().finally(() => (moving = undefined)));
}

async function moveAll(): Promise<void> {
  for (const bench of guestBenches().toReversed()) {
    const content = contentOf(benchOf(bench, bench.id));
    try {
      const saved = await api('POST /api/workbenches', { body: { id: bench.id, ...content } });
      keepForGuest(guestBenches().filter(({ id }) => id !== bench.id));
      if (currentBench()?.id !== bench.id) continue;
      set({ place: 'account' });
      showSamples(saved.lanes);
      accept(saved, JSON.stringify(content));
    } catch (error) {
      notifyOf(`“${bench.name}” was not moved into your account`)(error);
    }
  }
  void invalidate('GET /api/workbenches');
}

export const exportOf = (
  bench: Bench,
  { format, tagged }: Pick<WorkbenchExport, 'format' | 'tagged'>,
): WorkbenchExport => ({
  id: bench.id,
  title: bench.name,
  picked: samplesOf(bench).map(pickOf),
  format,
  tagged,
});

/**
 * Opens the workbench that a guest wanted to export, after it was moved into the account. Returns undefined if the
 * account refused the workbench.
 */
export async function openMoved(asked: WorkbenchExport): Promise<WorkbenchExport | undefined> {
  await moveIntoAccount();
  await openWorkbench(asked.id);
  const bench = currentBench();
  return bench?.id === asked.id && state.get().place === 'account' ? exportOf(bench, asked) : undefined;
}

onSessionEvent((event) => {
  const { place, saving, opening } = state.get();
  if (place === 'shared' || opening.status !== 'open') return;
  if (event === 'signed-out') {
    clearTimeout(timer);
    keep(OPEN_KEY, null);
    // The next person at this browser must not find the workbench of the person who signed out.
    show(newBench(), { place: 'browser' });
  } else if (event === 'signed-in' && place === 'browser' && saving.status === 'new') void openWorkbench();
});
