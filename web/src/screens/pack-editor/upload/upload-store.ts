import { useSyncExternalStore } from 'react';
import type * as z from 'zod';
import type { UploadProgress } from '../../../../../application/publishing/contract.js';
import {
  listedAs,
  readManifest,
  writeManifest,
  type ListedUpload,
  type UploadMeta,
} from './upload-manifest.js';

type Phase = z.infer<typeof UploadProgress>['phase'];

/**
 * A file to upload into a pack. A failed or duplicate one stays until it is sent or dismissed, a refused one until it
 * is dismissed: sending it again would change nothing.
 */
export interface Upload {
  id: string;
  packId: string;
  slug: string;
  file: File;
  meta: UploadMeta;
  state: 'waiting' | 'running' | 'failed' | 'duplicate' | 'refused';
  /** What the server does with it, once it reports that. */
  phase: Phase;
  /** The progress of the present phase, 0 to 1. */
  share: number;
  /** What is wrong with the file, or the server's sentence about a failure. */
  reason: string | null;
  /** The connection was lost: it goes on by itself. */
  isLost: boolean;
  /** SHA-256, once known. */
  hash: string | null;
  /** The samples of the pack with the same content. */
  duplicate: string | null;
  /** The creator wants it twice. */
  isWanted: boolean;
}

interface Store {
  uploads: readonly Upload[];
  paused: boolean;
  /** By pack: uploads that a reload interrupted and that were not chosen again yet. */
  leftOver: ReadonlyMap<string, readonly ListedUpload[]>;
}

let store: Store = { uploads: [], paused: false, leftOver: new Map() };
const listeners = new Set<() => void>();

/** Files that the pack has already, or cannot have, are not missing after a reload. */
const isMissing = ({ state }: Upload): boolean => state !== 'duplicate' && state !== 'refused';

/** Changes a part, replaces the lists that changed, and notifies all subscribers. */
export function setState(part: Partial<Store>): void {
  const packs = new Set([...store.uploads, ...(part.uploads ?? [])].map(({ packId }) => packId));
  const before = store.uploads.filter(isMissing).length;
  store = { ...store, ...part };
  if (part.leftOver || store.uploads.filter(isMissing).length !== before)
    [...packs, ...store.leftOver.keys()].forEach(keepList);
  listeners.forEach((listener) => listener());
}

function keepList(packId: string): void {
  const listed = store.uploads
    .filter((upload) => upload.packId === packId && isMissing(upload))
    .map(({ id, file, meta }) => listedAs(id, file, meta));
  writeManifest(packId, [...listed, ...leftOverOf(packId)]);
}

/** The interrupted uploads of a pack; read from storage when the pack is first opened. */
export function leftOverOf(packId: string): readonly ListedUpload[] {
  const known = store.leftOver.get(packId);
  if (known) return known;
  const kept = readManifest(packId);
  store = { ...store, leftOver: new Map(store.leftOver).set(packId, kept) };
  return kept;
}

export function change(id: string, part: Partial<Upload>): void {
  setState({ uploads: store.uploads.map((upload) => (upload.id === id ? { ...upload, ...part } : upload)) });
}

/** All uploads, of every pack. */
export const allUploads = (): readonly Upload[] => store.uploads;

export const isPaused = (): boolean => store.paused;

/** Replaces what is left over of a pack. */
export const withLeftOver = (packId: string, leftOver: readonly ListedUpload[]): Pick<Store, 'leftOver'> => ({
  leftOver: new Map(store.leftOver).set(packId, leftOver),
});

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The files on their way into a pack, in the order they were chosen. */
export function useUploads(packId: string | undefined): readonly Upload[] {
  const all = useSyncExternalStore(subscribe, () => store.uploads);
  return all.filter((upload) => upload.packId === packId);
}

/** Whether uploads are paused, and the interrupted uploads of a pack. */
export function useUploadLine(packId: string): { paused: boolean; leftOver: readonly ListedUpload[] } {
  const paused = useSyncExternalStore(subscribe, () => store.paused);
  const leftOver = useSyncExternalStore(subscribe, () => leftOverOf(packId));
  return { paused, leftOver };
}
