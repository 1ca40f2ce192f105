import { useSyncExternalStore } from 'react';
import type * as z from 'zod';
import type { SampleMeta, UploadProgress } from '../../../../../application/publishing/contract.js';

export type UploadMeta = Omit<z.infer<typeof SampleMeta>, 'uploadId'>;

/** Identifies a file after a reload, which loses the file itself. */
interface ListedUpload {
  id: string;
  name: string;
  sizeBytes: number;
  modifiedAtMs: number;
  meta: UploadMeta;
}

/** @param place a pack, or a file of a sample */
const keyOf = (place: string): string => `offcut.uploads.${place}`;

export const listedAs = (id: string, file: File, meta: UploadMeta = {}): ListedUpload => ({
  id,
  name: file.name,
  sizeBytes: file.size,
  modifiedAtMs: file.lastModified,
  meta,
});

/** The uploads into a place when the visitor left the page. */
export function readManifest(place: string): ListedUpload[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(place)) ?? '[]');
    return Array.isArray(kept) ? (kept as ListedUpload[]) : [];
  } catch {
    return [];
  }
}

/** Keeps the list over a reload. Uploads also work without browser storage. */
export function writeManifest(place: string, listed: readonly ListedUpload[]): void {
  try {
    if (listed.length === 0) localStorage.removeItem(keyOf(place));
    else localStorage.setItem(keyOf(place), JSON.stringify(listed));
  } catch {
    console.warn('The list of uploads could not be stored. A reload loses it.');
  }
}

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
  /** The phase of the server's work, once it reports that. */
  phase: Phase;
  /** The progress of the current phase, 0 to 1. */
  share: number;
  /** The problem of the file, or the server's message about a failure. */
  reason: string | null;
  /** The connection was lost; the upload resumes by itself. */
  isLost: boolean;
  /** SHA-256, once it is computed. */
  hash: string | null;
  /** The name of a sample with the same content. */
  duplicate: string | null;
  /** The creator uploads it in spite of the duplicate. */
  isWanted: boolean;
}

interface Store {
  uploads: readonly Upload[];
  paused: boolean;
  /** By pack: uploads that a reload interrupted and that the creator has not chosen again. */
  leftOver: ReadonlyMap<string, readonly ListedUpload[]>;
}

let store: Store = { uploads: [], paused: false, leftOver: new Map() };
const listeners = new Set<() => void>();

/** Duplicate and refused files need not be chosen again after a reload. */
const isMissing = ({ state }: Upload): boolean => state !== 'duplicate' && state !== 'refused';

/** Changes a part of the state, stores the lists that changed, and notifies all subscribers. */
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

/** The interrupted uploads of a pack, read from storage when the pack is first opened. */
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

export const allUploads = (): readonly Upload[] => store.uploads;

export const isPaused = (): boolean => store.paused;

export const withLeftOver = (packId: string, leftOver: readonly ListedUpload[]): Pick<Store, 'leftOver'> => ({
  leftOver: new Map(store.leftOver).set(packId, leftOver),
});

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The uploads of a pack, in the order in which they were chosen. */
export function useUploads(packId: string | undefined): readonly Upload[] {
  const all = useSyncExternalStore(subscribe, () => store.uploads);
  return all.filter((upload) => upload.packId === packId);
}

export function useUploadLine(packId: string): { paused: boolean; leftOver: readonly ListedUpload[] } {
  const paused = useSyncExternalStore(subscribe, () => store.paused);
  const leftOver = useSyncExternalStore(subscribe, () => leftOverOf(packId));
  return { paused, leftOver };
}
