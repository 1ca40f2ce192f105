import { useSyncExternalStore } from 'react';
import type * as z from 'zod';
import type {
  OwnPack,
  OwnSampleAnswer,
  SampleMeta,
  UploadProgress,
} from '../../../../application/publishing/contract.js';
import { sendAppEvent } from '../../api/events.js';
import { ApiProblem, api } from '../../api/http.js';
import { newKey } from '../../api/idempotency-key.js';
import { sendFile } from './send-file.js';
import { changeInHand, packInHand, reloadPack } from './write-pack.js';

export const UPLOAD_ERROR = 'Error uploading audio file. Please try again.';
const AT_ONCE = 2;
const PHASE_POLL_MS = 700;

type Phase = z.infer<typeof UploadProgress>['phase'];
export type UploadMeta = Omit<z.infer<typeof SampleMeta>, 'uploadId'>;

/** A file on its way into a pack. A failed one stays until it is retried or put away. */
export interface Upload {
  id: string;
  packId: string;
  slug: string;
  file: File;
  meta: UploadMeta;
  state: 'waiting' | 'running' | 'failed';
  /** What the server does with it, once it tells. */
  phase: Phase;
  /** Of the present phase, 0 to 1. */
  share: number;
  /** What the server said about a failure. */
  reason: string | null;
}

let uploads: readonly Upload[] = [];
const listeners = new Set<() => void>();

function put(next: readonly Upload[]): void {
  uploads = next;
  listeners.forEach((listener) => listener());
}

function change(id: string, part: Partial<Upload>): void {
  put(uploads.map((upload) => (upload.id === id ? { ...upload, ...part } : upload)));
}

/** Puts a file in line for a pack. */
export function addUpload(pack: Pick<OwnPack, 'id' | 'slug'>, file: File, meta: UploadMeta = {}): void {
  const upload: Upload = {
    id: newKey(),
    packId: pack.id,
    slug: pack.slug,
    file,
    meta,
    state: 'waiting',
    phase: 'receiving',
    share: 0,
    reason: null,
  };
  put([...uploads, upload]);
  startNext();
}

/** Sends a failed one again, under the same id: what did arrive is not added twice. */
export function retryUpload(id: string): void {
  change(id, { state: 'waiting', phase: 'receiving', share: 0, reason: null });
  startNext();
}

/** Forgets a failed one. */
export function dropUpload(id: string): void {
  put(uploads.filter((upload) => upload.id !== id));
}

function startNext(): void {
  const running = uploads.filter(({ state }) => state === 'running').length;
  const [next] = uploads.filter(({ state }) => state === 'waiting');
  if (!next || running >= AT_ONCE) return;
  change(next.id, { state: 'running' });
  void run(next).finally(startNext);
  startNext();
}

/** Follows the server's phases; the sending itself is seen here first. */
function followPhases(id: string): () => void {
  const timer = setInterval(() => {
    void api.get<z.infer<typeof UploadProgress>>(`/api/creator/uploads/${id}`).then(
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
    const samples = pack.samples.some(({ id }) => id === sample.id)
      ? pack.samples
      : [...pack.samples, sample];
    return { ...pack, samples, sampleCount: samples.length, version: Math.max(pack.version, version) };
  });
}

async function run({ id, packId, slug, file, meta }: Upload): Promise<void> {
  const body = new FormData();
  body.append('meta', JSON.stringify({ ...meta, uploadId: id }));
  body.append('audio', file, file.name);
  const stop = followPhases(id);
  try {
    // Without If-Match: files added side by side do not contradict one another.
    const answer = await sendFile<z.infer<typeof OwnSampleAnswer>>({
      method: 'POST',
      path: `/api/creator/packs/${encodeURIComponent(packId)}/samples?uploadId=${id}`,
      body,
      onProgress: (share) => change(id, { phase: 'receiving', share }),
    });
    if (packInHand(slug)) addInHand(slug, answer);
    dropUpload(id);
    if (packInHand(slug)?.status === 'published') sendAppEvent('packs-invalidated', undefined);
    // The order and counts are the server's.
    if (!uploads.some((upload) => upload.packId === packId && upload.state !== 'failed'))
      void reloadPack(slug);
  } catch (error) {
    const said =
      error instanceof ApiProblem && error.status >= 400 && error.status < 500 ? error.message : null;
    change(id, { state: 'failed', reason: said });
  } finally {
    stop();
  }
}

/** The files on their way into a pack, in the order they were chosen. */
export function useUploads(packId: string | undefined): readonly Upload[] {
  const all = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => uploads,
  );
  return all.filter((upload) => upload.packId === packId);
}
