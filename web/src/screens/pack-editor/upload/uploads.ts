import type * as z from 'zod';
import type { OwnPack, OwnSample, OwnSampleAnswer } from '../../../../../application/publishing/contract.js';
import { packsChanged } from '../../../api/changes.js';
import { api, problemOf } from '../../../api/api.js';
import { ApiProblem } from '../../../api/transport/http.js';
import { newKey } from '../../../api/transport/idempotency-key.js';
import { ownPackQuery } from '../../../api/creator.js';
import { queryClient } from '../../../api/query-client.js';
import { onSessionEvent } from '../../../session/session.js';
import { fetchPart } from '../../../shell/lazy-with-preload.js';
import { byName, hashFile, titleOf } from './audio-files.js';
import { deliver, sentName, giveUp } from './deliver.js';
import {
  advance,
  allArrived,
  allUploads,
  arrivedIn,
  change,
  claimPack,
  filesOf,
  forgetUploads,
  isPaused,
  isSameFile,
  leftOverOf,
  listedAs,
  pace,
  setState,
  withLeftOver,
  type Attachments,
  type ListedUpload,
  type Upload,
  type UploadMeta,
} from './upload-store.js';
import { putSample } from '../sample-files.js';
import { changeInHand, packInHand, reloadPack, write } from '../write-pack.js';

export const UPLOAD_ERROR = 'Error uploading audio file. Please try again.';
const AT_ONCE = 3;
/** HTTP statuses after which a retry of the same file would fail again. */
const FINAL = new Set([403, 404, 409, 410, 413, 415, 422]);
const PHASE_POLL_MS = 700;
const LOST_RETRY_MS = 5_000;

type Target = Pick<OwnPack, 'id' | 'slug' | 'title'>;

/** A file to upload into a pack, with its facts and attachments. */
export interface QueuedSound {
  file: File;
  meta?: UploadMeta;
  attachments?: Attachments;
  /** The sample that the file has become already. Only attachments that it lacks are then uploaded. */
  sample?: Parts | undefined;
}

/** Queues files for a pack, in the order of their names. A file that a reload interrupted resumes under its former id. */
export const addUploads = (pack: Target, chosen: readonly File[], meta: UploadMeta = {}): Promise<void> =>
  addSounds(
    pack,
    chosen.map((file) => ({ file, meta })),
  );

/**
 * Queues sounds with attachments, as `addUploads` queues files.
 * @param folder the folder that the creator chose; null for single files
 */
export async function addSounds(
  pack: Target,
  chosen: readonly QueuedSound[],
  folder: string | null = null,
): Promise<void> {
  const isAttachment = ({ file }: QueuedSound) =>
    leftOverOf(pack.id).some((listed) => listed.belongsTo && isSameFile(listed, file));
  const loose = chosen.filter(isAttachment).map(({ file }) => file);
  const sounds = chosen
    .filter(({ file }) => !loose.includes(file))
    .sort((a, b) => byName(titleOf(a.file.name), titleOf(b.file.name)));
  const check = await fetchPart(() => import('./file-check.js'));
  const refusals = await Promise.all(
    sounds.map(({ file }) => check?.refusalOf(file).catch(() => 'The file could not be read.')),
  );
  const files = sounds.map(({ file }) => file);
  if (files.some(({ webkitRelativePath }) => webkitRelativePath))
    void import('./folders.js').then(({ rememberFolders }) => rememberFolders(pack.id, files));
  claimPack(pack.id);
  // On pages without the editor, only the pack says which files arrived before a reload.
  if (leftOverOf(pack.id).length > 0)
    await queryClient.ensureQueryData(ownPackQuery(pack.slug)).catch(() => undefined);
  const queued = allUploads().filter(({ packId }) => packId === pack.id);
  const interrupted = new Interrupted(pack.id);
  const begun = { packId: pack.id, slug: pack.slug, packTitle: pack.title, folder, ...NEW };
  const added = sounds.flatMap(({ file, meta = {}, attachments = {}, sample }, index): Upload[] => {
    const refusal = refusals[index] ?? null;
    const former = interrupted.take(file);
    const sound: Upload = {
      ...begun,
      id: former?.id ?? newKey(),
      isResumed: former !== undefined,
      file,
      meta: { ...former?.meta, ...meta },
      attachments: { ...attachments, ...interrupted.attachmentsOf(former, loose) },
      state: refusal ? 'refused' : 'waiting',
      reason: refusal,
    };
    const uploads = sample ? attachmentsOf(sound, sample) : [sound];
    filesOf(attachments).forEach(([, attached]) => interrupted.take(attached));
    // Skips files that are queued already, because they may be chosen again while they are still being uploaded.
    return uploads.filter((upload) => {
      const other = queued.find((each) => isSame(each, upload));
      if (other?.state === 'failed') change(other.id, AGAIN);
      return !other;
    });
  });
  for (const file of loose) {
    const { id, belongsTo } = interrupted.find(file) ?? {};
    if (!id || !belongsTo) continue;
    const { sampleId, soundId, part } = belongsTo;
    const sound = allUploads().find((upload) => upload.id === soundId);
    if (!sampleId && !sound) continue;
    interrupted.take(file);
    if (sound) change(sound.id, { attachments: { ...sound.attachments, [part]: file } });
    else if (
      sampleId &&
      !hasPart(
        packInHand(pack.slug)?.samples.find((each) => each.id === sampleId),
        part,
      )
    )
      added.push({ ...begun, id, file, belongsTo: { sampleId, part } });
  }
  setState({ uploads: [...allUploads(), ...added], ...withLeftOver(pack.id, interrupted.listed) });
  startNext();
}

/** The interrupted uploads of a pack, without those whose files were chosen again. */
class Interrupted {
  listed: readonly ListedUpload[];

  constructor(packId: string) {
    this.listed = leftOverOf(packId);
  }

  find(file: File): ListedUpload | undefined {
    return this.listed.find((listed) => isSameFile(listed, file));
  }

  take(file: File): ListedUpload | undefined {
    const former = this.find(file);
    this.listed = this.listed.filter((listed) => listed !== former);
    return former;
  }

  /**
   * Returns those of the chosen files that are attachments of an interrupted sound, and removes them from
   * `listed`.
   */
  attachmentsOf(sound: ListedUpload | undefined, files: readonly File[]): Attachments {
    const own = files.flatMap((file) => {
      const belongsTo = this.find(file)?.belongsTo;
      return sound && belongsTo?.soundId === sound.id ? [[belongsTo.part, file] as const] : [];
    });
    own.forEach(([, file]) => this.take(file));
    return Object.fromEntries(own);
  }
}

const isSame = (a: Upload, b: Upload): boolean =>
  a.belongsTo?.sampleId === b.belongsTo?.sampleId && isSameFile(listedAs(a.id, a.file), b.file);

type Parts = Pick<OwnSample, 'id' | 'hasMidi' | 'hasStems'>;

const hasPart = (sample: Parts | undefined, part: keyof Attachments): boolean | undefined =>
  part === 'midi' ? sample?.hasMidi : sample?.hasStems;

/**
 * Returns the uploads of the attachments that the sample lacks. They are sent after the sound, because their
 * requests contain the id of the sample.
 */
const attachmentsOf = (sound: Upload, sample: Parts): Upload[] =>
  filesOf(sound.attachments)
    .filter(([part]) => !hasPart(sample, part))
    .map(([part, file]) => ({
      ...sound,
      ...NEW,
      id: newKey(),
      belongsTo: { sampleId: sample.id, part },
      file,
    }));

export const isOpen = ({ state }: Upload): boolean => state === 'waiting' || state === 'running';

const AGAIN = { state: 'waiting', phase: 'receiving', share: 0, reason: null } as const;
/** The fields of an upload that has not begun. */
const NEW = {
  ...AGAIN,
  belongsTo: null,
  meta: {},
  attachments: {},
  hash: null,
  duplicate: null,
  isWanted: false,
  isResumed: false,
} as const;

/** Retries a failed upload under the same id, so that the server adds the sample only once. */
export function retryUpload(id: string): void {
  change(id, AGAIN);
  startNext();
}

export function uploadAnyway(id: string): void {
  change(id, { ...AGAIN, isWanted: true });
  startNext();
}

function dropUpload(id: string): void {
  setState({ uploads: allUploads().filter((upload) => upload.id !== id) });
}

/** Controllers that cancel the requests of running uploads, by upload id. */
const cancels = new Map<string, AbortController>();

/** Cancels an upload, or removes one that stopped. */
export function dismissUpload({ id, packId }: Pick<Upload, 'id' | 'packId'>): void {
  dropUpload(id);
  cancels.get(id)?.abort();
  giveUp(packId, id);
}

/** Cancels waiting, running and failed uploads. Keeps samples that arrived, duplicates and refused files. */
export const cancelAll = (): void =>
  allUploads()
    .filter(({ state }) => state === 'waiting' || state === 'running' || state === 'failed')
    .forEach(dismissUpload);

// Uploads end when the creator signs out, because the next person at this browser must not send them.
onSessionEvent((event) => {
  if (event !== 'signed-out') return;
  cancels.forEach((cancel) => cancel.abort());
  forgetUploads();
});

const stopped = (wanted: 'refused' | 'duplicate'): Upload[] =>
  allUploads().filter(({ state }) => state === wanted);

export const dismissAll = (state: 'refused' | 'duplicate'): void => stopped(state).forEach(dismissUpload);

export const uploadDuplicates = (): void => stopped('duplicate').forEach(({ id }) => uploadAnyway(id));

export function forgetLeftOver(packId: string): void {
  for (const { id } of leftOverOf(packId)) giveUp(packId, id);
  setState(withLeftOver(packId, []));
}

/** While paused, no upload starts; uploads in progress finish. */
export function setPaused(paused: boolean): void {
  pace.reset(performance.now());
  setState({ paused });
  startNext();
}

export function retryAll(): void {
  setState({
    uploads: allUploads().map((upload) => (upload.state === 'failed' ? { ...upload, ...AGAIN } : upload)),
  });
  startNext();
}

// While files wait or upload, the browser asks before any page of the site is closed, because uploads continue while
// the creator visits other pages.
if (typeof window !== 'undefined')
  window.addEventListener('beforeunload', (event) => {
    if (allUploads().some(isOpen)) event.preventDefault();
  });

/** Whether waiting uploads are held until the connection is back, so that they do not fail one after the other. */
let isHeld = false;
let heldTimer: ReturnType<typeof setTimeout> | undefined;

function holdUploads(): void {
  isHeld = true;
  pace.reset(performance.now());
  setState({ isLost: true });
  clearTimeout(heldTimer);
  heldTimer = setTimeout(release, LOST_RETRY_MS);
}

/**
 * Marks the connection as restored, but not while uploads are held: late progress of an old request does not prove
 * that the connection is back.
 */
function showConnected(): void {
  if (!isHeld) setState({ isLost: false });
}

/** Starts the held uploads again. `isLost` stays true until bytes move. */
function release(): void {
  // Does nothing while the browser is offline. The event `online` calls this function again.
  if (!navigator.onLine) return;
  isHeld = false;
  startNext();
}

if (typeof window !== 'undefined') {
  window.addEventListener('offline', () => {
    if (allUploads().some(isOpen)) holdUploads();
  });
  // Delays the restart, because a running upload may notice only after this event that its connection was lost.
  window.addEventListener('online', () => setTimeout(release));
}

function startNext(): void {
  if (isPaused() || isHeld) return;
  const running = allUploads().filter(({ state }) => state === 'running').length;
  const next = allUploads().find(({ state }) => state === 'waiting');
  if (!next || running >= AT_ONCE) return;
  if (running === 0) pace.reset(performance.now());
  change(next.id, { state: 'running' });
  void run(next).finally(() => {
    settle(next);
    startNext();
  });
  startNext();
}

/**
 * Polls the server for the phases that follow the transfer. The browser measures the progress of the transfer itself.
 * @returns a function that stops the polling
 */
function followPhases(id: string): () => void {
  const timer = setInterval(() => {
    void api('GET /api/creator/uploads/:uploadId', { params: { uploadId: id } }).then(
      ({ phase, share }) => {
        if (phase !== 'receiving' && phase !== 'failed') change(id, { phase, share });
      },
      () => undefined,
    );
  }, PHASE_POLL_MS);
  return () => clearInterval(timer);
}

function addInHand(slug: string, { sample, version }: z.infer<typeof OwnSampleAnswer>): void {
  changeInHand(slug, (pack) => {
    // Inserts the sample by its ordinal, because the later of two simultaneous uploads may finish first.
    const before = pack.samples.findLastIndex(({ ordinal }) => ordinal < sample.ordinal);
    const samples = pack.samples.some(({ id }) => id === sample.id)
      ? pack.samples
      : pack.samples.toSpliced(before + 1, 0, sample);
    return { ...pack, samples, sampleCount: samples.length, version: Math.max(pack.version, version) };
  });
}

/** The sample of an interrupted upload whose answer was lost. */
const sampleOf = ({ slug, file, packId, isResumed }: Upload, hash: string): OwnSample | undefined =>
  isResumed && hash
    ? packInHand(slug)?.samples.find(
        ({ id, sha256, filename }) =>
          sha256 === hash && filename === sentName(file) && !arrivedIn(packId).includes(id),
      )
    : undefined;

/** The name of a sample in the pack or of a queued file with the same content; undefined if there is none. */
function findDuplicate({ id, slug, packId }: Upload, hash: string): string | undefined {
  const there = packInHand(slug)?.samples.find((sample) => sample.sha256 === hash)?.name;
  const inLine = allUploads().find(
    (other) =>
      other.hash === hash && other.packId === packId && other.id !== id && other.state !== 'duplicate',
  );
  return there ?? inLine?.file.name;
}

/**
 * Returns all sample ids of a pack. Sorts the uploaded samples by name among their own places, and leaves all other
 * samples where they are.
 */
function inOrderOfNames(samples: readonly OwnSample[], arrived: ReadonlySet<string>): string[] {
  const sorted = samples.filter(({ id }) => arrived.has(id)).sort((a, b) => byName(a.name, b.name));
  return samples.map(({ id }) => (arrived.has(id) ? (sorted.shift()?.id ?? id) : id));
}

/** Sorts the uploaded samples by name, because parallel uploads may finish in another order than they started. */
async function sortArrived(
  { packId, slug }: Pick<Upload, 'packId' | 'slug'>,
  arrived: Set<string>,
): Promise<void> {
  await reloadPack(slug);
  const pack = await queryClient.ensureQueryData(ownPackQuery(slug));
  const sampleIds = inOrderOfNames(pack.samples, arrived);
  if (sampleIds.every((id, place) => id === pack.samples[place]?.id)) return;
  const params = { id: packId };
  await write(
    slug,
    (version) =>
      api('PUT /api/creator/packs/:id/order', {
        params,
        body: { sampleIds },
        ifMatch: version ?? pack.version,
      }),
    { replaces: () => null },
  );
  await reloadPack(slug);
}

/**
 * After the last upload of a pack, reloads the pack and sorts the new samples by name. Does nothing if no file
 * arrived.
 */
function settle(upload: Upload): void {
  if (!allArrived().some(({ packId }) => packId === upload.packId)) return;
  if (allUploads().some((other) => other.packId === upload.packId && isOpen(other))) return;
  // Ignores errors: another device may change the pack at the same time. The samples then stay in the order of arrival.
  void sortArrived(upload, new Set(arrivedIn(upload.packId))).catch(() => undefined);
}

/** Sends a sound, and adds the new sample to the editor's copy of the pack. */
async function sendSound({ id, packId, slug, file, meta, isWanted }: Upload, way: Way): Promise<OwnSample> {
  // Sends no If-Match, because concurrent additions do not conflict.
  const answer = await deliver('POST /api/creator/packs/:id/samples', {
    params: { id: packId },
    query: { uploadId: id },
    uploadId: id,
    file,
    part: 'audio',
    fields: { meta: JSON.stringify({ ...meta, uploadId: id, refuseDuplicate: !isWanted }) },
    ...way,
  });
  if (packInHand(slug)) addInHand(slug, answer);
  return answer.sample;
}

/**
 * Returns the interrupted uploads of a pack. In the result, attachments of the sound name the sample that the sound has
 * become.
 */
const attachedTo = ({ id: sampleId }: OwnSample, { id, packId }: Upload): ListedUpload[] =>
  leftOverOf(packId).map((listed) =>
    listed.belongsTo?.soundId === id
      ? { ...listed, belongsTo: { sampleId, part: listed.belongsTo.part } }
      : listed,
  );

async function sendAttachment(
  { id, packId, slug, file }: Upload,
  { sampleId, part }: NonNullable<Upload['belongsTo']>,
  { signal, onProgress }: Way,
): Promise<void> {
  const answer = await deliver(`PUT /api/creator/packs/:id/samples/:sampleId/${part}`, {
    params: { id: packId, sampleId },
    uploadId: id,
    file,
    part: 'file',
    onProgress,
    signal,
  });
  putSample(slug, answer);
}

interface Way {
  onProgress: (share: number) => void;
  onSent: () => void;
  signal: AbortSignal;
}

/** Records that a file arrived, and queues the attachments of a sound. @param sample null for an attachment */
function arrive(upload: Upload, sample: OwnSample | null): void {
  const { id, packId, file } = upload;
  // Reads the upload again, because the creator may have chosen attachments during the request.
  const { attachments } = allUploads().find((each) => each.id === id) ?? upload;
  const next = sample ? attachmentsOf({ ...upload, attachments }, sample) : [];
  setState({
    uploads: allUploads().flatMap((each) => (each.id === id ? next : [each])),
    arrived: [...allArrived(), { packId, sampleId: sample?.id ?? null, bytes: file.size }],
    ...(sample && withLeftOver(packId, attachedTo(sample, upload))),
  });
}

async function run(upload: Upload): Promise<void> {
  const { id, slug, file, belongsTo } = upload;
  const cancel = new AbortController();
  cancels.set(id, cancel);
  if (!belongsTo) {
    const hash = upload.hash ?? (await hashFile(file)) ?? '';
    if (cancel.signal.aborted) return;
    const there = sampleOf(upload, hash);
    if (there) return arrive(upload, there);
    const duplicate = hash && !upload.isWanted && findDuplicate(upload, hash);
    if (duplicate) return change(id, { state: 'duplicate', hash, duplicate });
    change(id, { hash });
  }
  let stop = (): void => {};
  const way: Way = {
    onProgress: (share) => {
      advance(id, share);
      showConnected();
    },
    onSent: () => {
      // Called twice if the form is sent again after a new sign-in.
      stop();
      stop = followPhases(id);
    },
    signal: cancel.signal,
  };
  try {
    const sample = belongsTo ? null : await sendSound(upload, way);
    if (belongsTo) await sendAttachment(upload, belongsTo, way);
    arrive(upload, sample);
    showConnected();
    if (packInHand(slug)?.status === 'published') packsChanged();
  } catch (error) {
    if (cancel.signal.aborted) return;
    const problem = problemOf('POST /api/creator/packs/:id/samples', error);
    if (problem?.code === 'DuplicateAudio' && problem.among === 'pack')
      return change(id, { state: 'duplicate', duplicate: problem.name });
    const status = error instanceof ApiProblem ? error.status : 0;
    const reason = error instanceof ApiProblem && status >= 400 && status < 500 ? error.message : null;
    // The connection counts as lost if no answer came, or if a proxy answered that the server is down. A missing
    // configuration of the backend is no lost connection.
    const isNowhere = error instanceof ApiProblem && error.code === 'BackendNotConfigured';
    if ((status === 0 && !isNowhere) || [502, 503, 504].includes(status)) {
      change(id, AGAIN);
      holdUploads();
    } else change(id, { state: FINAL.has(status) ? 'refused' : 'failed', reason });
  } finally {
    stop();
    cancels.delete(id);
  }
}
