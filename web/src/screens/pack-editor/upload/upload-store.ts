import type * as z from 'zod';
import type { SampleMeta, UploadProgress } from '../../../../../application/publishing/contract.js';
import { held } from '../../../held.js';
import { keep, kept } from '../../../kept.js';

export type UploadMeta = Omit<z.infer<typeof SampleMeta>, 'uploadId'>;

/** The stored facts of an upload. They identify the file when the creator chooses it again after a reload. */
interface ListedUpload {
  id: string;
  name: string;
  sizeBytes: number;
  modifiedAtMs: number;
  meta: UploadMeta;
}

/** @param place the id of a pack, or the id of a sample and the name of its file */
const keyOf = (place: string): string => `offcut.uploads.${place}`;

export const listedAs = (id: string, file: File, meta: UploadMeta = {}): ListedUpload => ({
  id,
  name: file.name,
  sizeBytes: file.size,
  modifiedAtMs: file.lastModified,
  meta,
});

/** The uploads that were not finished when the visitor left the page. */
export function readManifest(place: string): ListedUpload[] {
  const listed = kept(keyOf(place));
  return Array.isArray(listed) ? listed : [];
}

export const writeManifest = (place: string, listed: readonly ListedUpload[]): void =>
  keep(keyOf(place), listed.length > 0 ? listed : null);

export const isSameFile = (listed: ListedUpload, file: File): boolean =>
  listed.name === file.name && listed.sizeBytes === file.size && listed.modifiedAtMs === file.lastModified;

type Phase = z.infer<typeof UploadProgress>['phase'];

/**
 * A file to upload into a pack. Failed and duplicate files stay until they are sent or dismissed. A refused file
 * stays until it is dismissed, because a retry would change nothing.
 */
export interface Upload {
  id: string;
  packId: string;
  slug: string;
  file: File;
  meta: UploadMeta;
  state: 'waiting' | 'running' | 'failed' | 'duplicate' | 'refused';
  /** `receiving` until the server reports a later phase of its work. */
  phase: Phase;
  /** The progress of the current phase, 0 to 1. */
  share: number;
  /** Why the upload failed or was refused. */
  reason: string | null;
  /** Whether the connection was lost; the upload then resumes by itself. */
  isLost: boolean;
  /** The SHA-256 of the file, once it is computed. */
  hash: string | null;
  /** The name of a sample with the same content. */
  duplicate: string | null;
  /** Whether the creator pressed "Upload anyway". */
  isWanted: boolean;
}

interface Store {
  uploads: readonly Upload[];
  paused: boolean;
  /** By pack: uploads that a reload interrupted and that the creator has not chosen again. */
  leftOver: Map<string, readonly ListedUpload[]>;
}

const store = held<Store>({ uploads: [], paused: false, leftOver: new Map() });

/** Whether the creator must choose the file again after a reload. Duplicate and refused files are dropped then. */
const isMissing = ({ state }: Upload): boolean => state !== 'duplicate' && state !== 'refused';

/** Changes a part of the state, stores the lists that changed, and notifies all subscribers. */
export function setState(part: Partial<Store>): void {
  const before = store.get();
  const { uploads, leftOver } = { ...before, ...part };
  store.set({ ...before, ...part });
  if (!part.leftOver && uploads.filter(isMissing).length === before.uploads.filter(isMissing).length) return;
  const packs = [...before.uploads, ...uploads].map(({ packId }) => packId);
  new Set([...packs, ...leftOver.keys()]).forEach(keepList);
}

function keepList(packId: string): void {
  const listed = allUploads()
    .filter((upload) => upload.packId === packId && isMissing(upload))
    .map(({ id, file, meta }) => listedAs(id, file, meta));
  writeManifest(packId, [...listed, ...leftOverOf(packId)]);
}

/** The interrupted uploads of a pack, read from storage when the pack is first opened. */
export function leftOverOf(packId: string): readonly ListedUpload[] {
  const { leftOver } = store.get();
  const listed = leftOver.get(packId) ?? readManifest(packId);
  leftOver.set(packId, listed);
  return listed;
}

export function change(id: string, part: Partial<Upload>): void {
  setState({ uploads: allUploads().map((upload) => (upload.id === id ? { ...upload, ...part } : upload)) });
}

export const allUploads = (): readonly Upload[] => store.get().uploads;

export const isPaused = (): boolean => store.get().paused;

export const withLeftOver = (packId: string, leftOver: readonly ListedUpload[]): Pick<Store, 'leftOver'> => ({
  leftOver: new Map(store.get().leftOver).set(packId, leftOver),
});

export const useUploads = (packId: string): readonly Upload[] =>
  store.use().uploads.filter((upload) => upload.packId === packId);

export const useUploadLine = (packId: string) => ({
  paused: store.use().paused,
  leftOver: leftOverOf(packId),
});
