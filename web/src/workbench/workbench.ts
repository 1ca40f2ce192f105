import type { Sample } from '../../../application/catalogue/contract.js';
import { BEAT_STEP, LANE_BOUNDS, LANES_LIMIT } from '../../../application/library/values.js';
import { newKey } from '../api/transport/idempotency-key.js';
import { deviceNow } from '../clock.js';
import { held } from '../held.js';
import { currentProject, newProject } from '../project/project.js';
import { type Bench, type Lane, loopOnBar, type OwnFile } from './song.js';

/** Changes of one control within this time are undone together, and so are all while a pointer holds it. */
const GESTURE_MS = 1_000;
const UNDO_STEPS = 100;

interface History {
  bench: Bench | null;
  past: readonly Bench[];
  future: readonly Bench[];
}

const EMPTY: History = { bench: null, past: [], future: [] };
const history = held<History>(EMPTY);
let gesture: { tag: string; atMs: number; hold: object | undefined } | undefined;
/** The press of a pointer that has not been released yet. */
let hold: object | undefined;

/** The workbench on screen; null before one is open. */
export const currentBench = (): Bench | null => history.get().bench;
export const onBenchChange = history.subscribe;
export const useBench = (): Bench | null => history.use().bench;
export const useHistory = history.use;

const solos = held<ReadonlySet<string>>(new Set());
/** The ids of the lanes that play solo. This choice is not saved. */
export const { get: soloNow, subscribe: onSoloChange, use: useSolo } = solos;

const trial = held<Sample | null>(null);
/** A suggestion that is heard together with the lanes. */
export const { get: trialNow, set: hearTrial, subscribe: onTrialChange, use: useTrial } = trial;

const focus = held<string | null>(null);
/** The id of the lane that shows its fields, and that keyboard shortcuts change. */
export const { get: focusedLane, set: focusLane, use: useFocusedLane } = focus;

/** A new workbench, in the tempo and key of the open project. */
export const newBench = (name = 'My workbench'): Bench => ({
  ...newProject({ ...currentProject(), id: undefined, name }),
  lanes: [],
});

/** Shows a workbench, with nothing to undo or redo. */
export function showBench(bench: Bench | null): void {
  gesture = undefined;
  solos.set(new Set());
  trial.set(null);
  focus.set(null);
  history.set({ ...EMPTY, bench });
}

/** Replaces the samples of lanes by those that the account returned, which show whether the account owns them. */
export function showSamples(lanes: readonly Pick<Lane, 'sampleId' | 'sample'>[]): void {
  const { bench } = history.get();
  if (!bench) return;
  const samples = new Map(lanes.map(({ sampleId, sample }) => [sampleId, sample]));
  const shown = bench.lanes.map((lane) => ({ ...lane, sample: samples.get(lane.sampleId) ?? lane.sample }));
  history.set({ ...history.get(), bench: { ...bench, lanes: shown } });
}

/**
 * Changes the workbench, as a step that can be undone. @param tag names the control, so that its changes within
 * `GESTURE_MS`, or while a pointer holds it, are one step
 */
export function change(part: Partial<Bench>, tag?: string): void {
  const { bench, past } = history.get();
  if (!bench) return;
  const atMs = deviceNow();
  const isHeld = hold !== undefined && hold === gesture?.hold;
  const goesOn = tag !== undefined && tag === gesture?.tag && (isHeld || atMs - gesture.atMs < GESTURE_MS);
  gesture = tag === undefined ? undefined : { tag, atMs, hold };
  const steps = goesOn ? past : [...past, bench].slice(-UNDO_STEPS);
  history.set({ bench: { ...bench, ...part }, past: steps, future: [] });
}

/** Makes the changes of one control one step until the pointer is released. */
export function holdGesture(): void {
  const pressed = {};
  hold = pressed;
  const release = () => {
    if (hold === pressed) hold = undefined;
  };
  for (const name of ['pointerup', 'pointercancel']) window.addEventListener(name, release, { once: true });
}

export function undo(): void {
  const { bench, past, future } = history.get();
  const before = past.at(-1);
  gesture = undefined;
  if (bench && before) history.set({ bench: before, past: past.slice(0, -1), future: [bench, ...future] });
}

export function redo(): void {
  const { bench, past, future } = history.get();
  const [after, ...rest] = future;
  gesture = undefined;
  if (bench && after) history.set({ bench: after, past: [...past, bench], future: rest });
}

/** The numbers of a lane that a listener sets. */
export type Amount = keyof typeof LANE_BOUNDS;

export const AMOUNT_STEPS = {
  gainDb: 0.5,
  pan: 0.01,
  semitones: 1,
  offsetBeats: BEAT_STEP,
  loopBeats: BEAT_STEP,
} as const satisfies Record<Amount, number>;

const laneNow = (id: string): Lane | undefined => currentBench()?.lanes.find((lane) => lane.id === id);

export function changeLane(id: string, part: Partial<Lane>, tag?: string): void {
  const lanes = currentBench()?.lanes.map((lane) => (lane.id === id ? { ...lane, ...part } : lane));
  if (lanes) change({ lanes }, tag && `${id} ${tag}`);
}

/** Sets a number of a lane, rounded to its step and limited to its bounds. */
export function setAmount(id: string, amount: Amount, value: number): void {
  if (!Number.isFinite(value)) return;
  const { min, max } = LANE_BOUNDS[amount];
  const perUnit = 1 / AMOUNT_STEPS[amount];
  const bounded = Math.min(max, Math.max(min, Math.round(value * perUnit) / perUnit));
  if (laneNow(id)?.[amount] !== bounded) changeLane(id, { [amount]: bounded }, amount);
}

export function toggleMute(id: string): void {
  changeLane(id, { mute: !laneNow(id)?.mute });
}

export function toggleSolo(id: string): void {
  const next = new Set(solos.get());
  if (!next.delete(id)) next.add(id);
  solos.set(next);
}

/** Whether a lane does not sound, because it is muted or another lane plays solo. */
export const isQuiet = ({ id, mute }: Lane, solo: ReadonlySet<string>): boolean =>
  mute || (solo.size > 0 && !solo.has(id));

export const isFull = ({ lanes }: Bench): boolean => lanes.length >= LANES_LIMIT;
export const FULL_TEXT = `A workbench has ${LANES_LIMIT} lanes. Remove one first.`;

const AS_RECORDED = { gainDb: 0, pan: 0, mute: false, semitones: 0, offsetBeats: 0, loopBeats: null };

export const laneWith = (sample: Sample, bench: Bench): Lane => ({
  ...AS_RECORDED,
  id: newKey(),
  sampleId: sample.id,
  title: sample.title,
  sample,
  loopBeats: loopOnBar(sample, bench),
});

function addLane(lane: Lane, part: Partial<Bench> = {}): void {
  const lanes = [...(currentBench()?.lanes ?? []), lane];
  change({ ...part, lanes });
  focus.set(lane.id);
}

/**
 * Adds a lane with a sample. The first sample of a new workbench sets its tempo and key, unless a project is open.
 * Returns false if all lanes are taken.
 */
export function addSample(sample: Sample): boolean {
  const { bench, past } = history.get();
  if (!bench || isFull(bench)) return false;
  const isFirst = bench.lanes.length === 0 && past.length === 0 && !currentProject();
  const { tempo, key } = newProject({ tempo: sample.bpm || undefined, key: sample.key });
  const part = isFirst ? { tempo, key } : {};
  addLane(laneWith(sample, { ...bench, ...part }), part);
  return true;
}

export const addOwnFile = (own: OwnFile): void =>
  addLane({ ...AS_RECORDED, id: newKey(), sampleId: null, title: own.file.name, sample: null, own });

/** Puts another sample into a lane. The lane keeps its place, offset, level and pan; its transposition is reset. */
export function swapSample(id: string, sample: Sample): void {
  const bench = currentBench();
  if (!bench) return;
  const { sampleId, title, loopBeats, semitones } = laneWith(sample, bench);
  changeLane(id, { sampleId, title, sample, loopBeats, semitones, own: undefined });
}

/** Removes a lane, and focuses the next one. */
export function removeLane(id: string): void {
  const lanes = currentBench()?.lanes ?? [];
  const at = lanes.findIndex((lane) => lane.id === id);
  const rest = lanes.filter((lane) => lane.id !== id);
  if (solos.get().has(id)) toggleSolo(id);
  change({ lanes: rest });
  focus.set((rest[at] ?? rest.at(-1))?.id ?? null);
}

export function moveLane(id: string, to: number): void {
  const lanes = currentBench()?.lanes ?? [];
  const lane = laneNow(id);
  if (!lane || to < 0 || to >= lanes.length || lanes[to] === lane) return;
  const rest = lanes.filter((each) => each !== lane);
  change({ lanes: rest.toSpliced(to, 0, lane) }, `${id} place`);
}
