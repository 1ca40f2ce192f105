import type * as z from 'zod';
import type { SampleMeta } from '../../../../../application/publishing/contract.js';

export type UploadMeta = Omit<z.infer<typeof SampleMeta>, 'uploadId'>;

/** Identifies a file after a reload, which loses the file itself. */
export interface ListedUpload {
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

/** Whether a file is the one that was listed. */
export const isSameFile = (listed: ListedUpload, file: File): boolean =>
  listed.name === file.name && listed.sizeBytes === file.size && listed.modifiedAtMs === file.lastModified;
