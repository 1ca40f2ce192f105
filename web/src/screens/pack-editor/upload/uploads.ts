import type * as z from 'zod';
import type { OwnPack, OwnSampleAnswer } from '../../../../../application/publishing/contract.js';
import { packsChanged } from '../../../api/changes.js';
import { api, problemOf } from '../../../api/api.js';
import { ApiProblem } from '../../../api/transport/http.js';
import { newKey } from '../../../api/transport/idempotency-key.js';
import { hashFile } from './audio-files.js';
import { deliver, giveUp } from './deliver.js';
import {
  allUploads,
  change,
  isPaused,
  isSameFile,
  leftOverOf,
  setState,
  withLeftOver,
  type Upload,
  type UploadMeta,
} from './upload-store.js';
import { changeInHand, packInHand, reloadPack } from '../write-pack.js';

export const UPLOAD_ERROR = 'Error uploading audio file. Please try again.';
const AT_ONCE = 3;
/** Statuses of refusals that a retry of the same file cannot change. */
const FINAL = new Set([403, 404, 409, 410, 413, 415, 422]);
const PHASE_POLL_MS = 700;
const LOST_RETRY_MS = 5_000;

/** Queues files for a pack. A file that a reload interrupted resumes under its former id. */
export async function addUploads(
  pack: Pick<OwnPack, 'id' | 'slug'>,
  files: readonly File[],
  meta: UploadMeta = {},
): Promise<void> {
  const { refusalOf } = await import('./file-check.js');
  const refusals = await Promise.all(
    files.map((file) => refusalOf(file).catch(() => 'The file could not be read.')),
  );
  if (files.some(({ webkitRelativePath }) => webkitRelativePath))
    void import('./folders.js').then(({ rememberFolders }) => rememberFolders(pack.id, files));
  let leftOver = leftOverOf(pack.id);
  const added = files.map((file, index): Upload => {
    const refusal = refusals[index] ?? null;
    const former = leftOver.find((listed) => isSameFile(listed, file));
    leftOver = leftOver.filter((listed) => listed !== former);
    return {
      id: former?.id ?? newKey(),
      packId: pack.id,
      slug: pack.slug,
      file,
      meta: { ...former?.meta, ...meta },
      state: refusal ? 'refused' : 'waiting',
      phase: 'receiving',
      share: 0,
      reason: refusal,
      isLost: false,
      hash: null,
      duplicate: null,
      isWanted: false,
    };
  });
  setState({ uploads: [...allUploads(), ...added], ...withLeftOver(pack.id, leftOver) });
  startNext();
}

const AGAIN = { state: 'waiting', phase: 'receiving', share: 0, reason: null, isLost: false } as const;

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

export function dismissUpload({ id, packId }: Pick<Upload, 'id' | 'packId'>): void {
  dropUpload(id);
  giveUp(packId, id);
}

const stoppedOf = (packId: string, state: 'refused' | 'duplicate'): Upload[] =>
  allUploads().filter((upload) => upload.packId === packId && upload.state === state);

export const dismissAll = (packId: string, state: 'refused' | 'duplicate'): void =>
  stoppedOf(packId, state).forEach(dismissUpload);

export const uploadDuplicates = (packId: string): void =>
  stoppedOf(packId, 'duplicate').forEach(({ id }) => uploadAnyway(id));

export function forgetLeftOver(packId: string): void {
  for (const { id } of leftOverOf(packId)) giveUp(packId, id);
  setState(withLeftOver(packId, []));
}

/** While paused, no upload starts; uploads in progress finish. */
export function setPaused(paused: boolean): void {
  setState({ paused });
  startNext();
}

/** Retries every failed upload, or only those that lost the connection. */
export function retryAll(packId?: string, { lostOnly = false } = {}): void {
  const isMeant = (upload: Upload): boolean =>
    upload.state === 'failed' &&
    (packId === undefined || upload.packId === packId) &&
    (upload.isLost || !lostOnly);
  setState({
    uploads: allUploads().map((upload) => (isMeant(upload) ? { ...upload, ...AGAIN } : upload)),
  });
  startNext();
}

// On every page, because uploads continue while the creator visits other pages of the site.
if (typeof window !== 'undefined')
  window.addEventListener('beforeunload', (event) => {
    if (allUploads().some(({ state }) => state === 'waiting' || state === 'running')) event.preventDefault();
  });

// Delayed, because a running upload may learn only after this event that its connection was lost.
if (typeof window !== 'undefined')
  window.addEventListener('online', () => setTimeout(() => retryAll(undefined, { lostOnly: true })));

let lostTimer: ReturnType<typeof setTimeout> | undefined;
function retryLostLater(): void {
  clearTimeout(lostTimer);
  lostTimer = setTimeout(() => retryAll(undefined, { lostOnly: true }), LOST_RETRY_MS);
}

function startNext(): void {
  if (isPaused()) return;
  const running = allUploads().filter(({ state }) => state === 'running').length;
  const next = allUploads().find(({ state }) => state === 'waiting');
  if (!next || running >= AT_ONCE) return;
  change(next.id, { state: 'running' });
  void run(next).finally(startNext);
  startNext();
}

/** Polls the server for the phases after the upload. The browser measures the progress of the upload itself. */
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
    // Inserts by ordinal, because the later of two simultaneous uploads may finish first.
    const before = pack.samples.findLastIndex(({ ordinal }) => ordinal < sample.ordinal);
    const samples = pack.samples.some(({ id }) => id === sample.id)
      ? pack.samples
      : pack.samples.toSpliced(before + 1, 0, sample);
    return { ...pack, samples, sampleCount: samples.length, version: Math.max(pack.version, version) };
  });
}

/** The name of a sample with the same content in the pack, or of such a file in the queue. */
function findDuplicate({ id, slug, packId }: Upload, hash: string): string | undefined {
  const there = packInHand(slug)?.samples.find((sample) => sample.sha256 === hash)?.name;
  const inLine = allUploads().find(
    (other) =>
      other.hash === hash && other.packId === packId && other.id !== id && other.state !== 'duplicate',
  );
  return there ?? inLine?.file.name;
}

async function run(upload: Upload): Promise<void> {
  const { id, packId, slug, file, meta } = upload;
  const hash = upload.hash ?? (await hashFile(file)) ?? null;
  const duplicate = hash && !upload.isWanted && findDuplicate(upload, hash);
  if (duplicate) return change(id, { state: 'duplicate', hash, duplicate });
  change(id, { hash });
  let stop = (): void => {};
  try {
    // Without If-Match, because concurrent additions do not conflict.
    const answer = await deliver('POST /api/creator/packs/:id/samples', {
      params: { id: packId },
      query: { uploadId: id },
      uploadId: id,
      file,
      part: 'audio',
      fields: { meta: JSON.stringify({ ...meta, uploadId: id, refuseDuplicate: !upload.isWanted }) },
      onProgress: (share) => change(id, { phase: 'receiving', share }),
      onForm: () => (stop = followPhases(id)),
    });
    if (packInHand(slug)) addInHand(slug, answer);
    dropUpload(id);
    if (packInHand(slug)?.status === 'published') packsChanged();
    // Fetches the order and the counts after the last upload.
    if (!allUploads().some((other) => other.packId === packId && /waiting|running/.test(other.state)))
      void reloadPack(slug);
  } catch (error) {
    const problem = problemOf('POST /api/creator/packs/:id/samples', error);
    if (problem?.code === 'DuplicateAudio' && problem.among === 'pack')
      return change(id, { state: 'duplicate', duplicate: problem.name });
    const status = error instanceof ApiProblem ? error.status : 0;
    const reason = error instanceof ApiProblem && status >= 400 && status < 500 ? error.message : null;
    // The connection is lost if no answer came, or if a proxy answered for a server that is down.
    const isNowhere = error instanceof ApiProblem && error.code === 'BackendNotConfigured';
    const isLost = (status === 0 && !isNowhere) || [502, 503, 504].includes(status);
    change(id, { state: FINAL.has(status) ? 'refused' : 'failed', reason, isLost });
    if (isLost) retryLostLater();
  } finally {
    stop();
  }
}
