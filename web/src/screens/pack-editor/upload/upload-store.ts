import type * as z from 'zod';
import type { SampleMeta, UploadProgress } from '../../../../../application/publishing/contract.js';
import { showTape, UNFINISHED_KEY } from '../../../creators/unfinished-uploads.js';
import { held } from '../../../held.js';
import { keep, kept } from '../../../kept.js';
import { newKey } from '../../../api/transport/idempotency-key.js';
import { currentSession } from '../../../session/session.js';
import { Pace } from './pace.js';

export type UploadMeta = Omit<z.infer<typeof SampleMeta>, 'uploadId'>;

/**
 * The facts of an upload that the browser stores. They identify the file when the creator chooses it again after a
 * reload.
 */
export interface ListedUpload {
  id: string;
  name: string;
  sizeBytes: number;
  modifiedAtMs: number;
  meta: UploadMeta;
  /**
   * What an attachment belongs to: its sample, or the upload of a sound that is not a sample yet. Absent for sounds.
   */
  belongsTo?: { sampleId?: string; soundId?: string; part: keyof Attachments };
}

/**
 * The key of a list in the browser's storage.
 * @param place the id of a pack, or the id of a sample followed by `.audio`, `.stems` or `.midi`
 */
const keyOf = (place: string): string => `offcut.uploads.${place}`;

export const listedAs = (id: string, file: File, meta: UploadMeta = {}): ListedUpload => ({
  id,
  name: file.name,
  sizeBytes: file.size,
  modifiedAtMs: file.lastModified,
  meta,
});

/** Reads from storage the uploads that were not finished when the creator left the page. */
export function readManifest(place: string): ListedUpload[] {
  const listed = kept(keyOf(place));
  return Array.isArray(listed) ? listed : [];
}

export const writeManifest = (place: string, listed: readonly ListedUpload[]): void =>
  keep(keyOf(place), listed.length > 0 ? listed : null);

export const isSameFile = (listed: ListedUpload, file: File): boolean =>
  listed.name === file.name && listed.sizeBytes === file.size && listed.modifiedAtMs === file.lastModified;

type Phase = z.infer<typeof UploadProgress>['phase'];

/** Files to attach to a sample once the sample exists. */
export interface Attachments {
  midi?: File | undefined;
  stems?: File | undefined;
}

export const filesOf = ({ midi, stems }: Attachments): (readonly [part: keyof Attachments, file: File])[] => [
  ...(midi ? [['midi', midi] as const] : []),
  ...(stems ? [['stems', stems] as const] : []),
];

/**
 * A file to upload into a pack. Failed and duplicate files stay until they are sent or dismissed. A refused file
 * stays until it is dismissed, because a retry would change nothing.
 */
export interface Upload {
  id: string;
  packId: string;
  slug: string;
  packTitle: string;
  /** The folder that the creator chose; null for single files. */
  folder: string | null;
  /** The sample that the file is attached to; null if the file becomes a sample. */
  belongsTo: { sampleId: string; part: keyof Attachments } | null;
  file: File;
  meta: UploadMeta;
  attachments: Attachments;
  state: 'waiting' | 'running' | 'failed' | 'duplicate' | 'refused';
  /** The phase of the upload: `receiving` until the server reports a later one. */
  phase: Phase;
  /** The progress of the current phase, 0 to 1. */
  share: number;
  /** Why the upload failed or was refused. */
  reason: string | null;
  /** The SHA-256 of the file once it was read; empty if the browser cannot compute it. */
  hash: string | null;
  /** The name of a sample or a queued file that has the same content; null if there is none. */
  duplicate: string | null;
  /** Whether the creator pressed "Upload anyway" for a duplicate. */
  isWanted: boolean;
  /** Whether a reload interrupted the upload. The server may then have the file already. */
  isResumed: boolean;
}

/**
 * A file that became a sample, or an attachment that the sample now has. It stays in the store until the tape closes.
 */
export interface Arrived {
  packId: string;
  /** The sample that the file became. Null for an attachment, and once the creator has ordered the pack by hand. */
  sampleId: string | null;
  bytes: number;
}

/** A pack with unfinished uploads. The browser stores it, so that the uploads can continue after a reload. */
export interface UnfinishedPack {
  packId: string;
  slug: string;
  title: string;
  /** The creator who started the uploads. Other users of this browser must not see the pack. */
  userId: string;
  /** The folder that the creator chose; absent for single files. */
  folder?: string | null;
  /** The samples that arrived so far. They are later sorted together with the samples that follow. */
  sampleIds: readonly string[];
}

export function unfinishedPacks(): readonly UnfinishedPack[] {
  const packs = kept(UNFINISHED_KEY);
  return Array.isArray(packs) ? packs : [];
}

/** Stores an unfinished pack, or removes it. @param pack null if the pack has no uploads left to continue */
function keepUnfinished(packId: string, pack: UnfinishedPack | null): void {
  const packs = [...unfinishedPacks().filter((other) => other.packId !== packId), ...(pack ? [pack] : [])];
  keep(UNFINISHED_KEY, packs.length > 0 ? packs : null);
}

interface Store {
  uploads: readonly Upload[];
  arrived: readonly Arrived[];
  paused: boolean;
  /** Whether the connection was lost. The uploads then wait, and resume when the connection is back. */
  isLost: boolean;
  /** Uploads that a reload interrupted and that the creator has not chosen again, by pack id. */
  leftOver: Map<string, readonly ListedUpload[]>;
}

const EMPTY: Omit<Store, 'leftOver'> = { uploads: [], arrived: [], paused: false, isLost: false };
const store = held<Store>({ ...EMPTY, leftOver: new Map() });

/** Measures the speed of the uploads. */
export const pace = new Pace();

/**
 * Whether the creator must choose the file again after a reload. Duplicate and refused files are forgotten by a reload.
 */
const isMissing = ({ state }: Upload): boolean => state !== 'duplicate' && state !== 'refused';

/** The stored form of an upload and of the attachments that wait for it. */
const listedWith = ({ id, file, meta, belongsTo, attachments }: Upload): ListedUpload[] => [
  { ...listedAs(id, file, meta), ...(belongsTo && { belongsTo }) },
  ...filesOf(attachments).map(([part, attached]) => ({
    ...listedAs(newKey(), attached),
    belongsTo: { soundId: id, part },
  })),
];

/** Changes a part of the state, stores the lists that changed, and notifies all subscribers. */
export function setState(part: Partial<Store>): void {
  const before = store.get();
  const { uploads, leftOver, arrived } = { ...before, ...part };
  store.set({ ...before, ...part });
  showTape(uploads.length + arrived.length > 0 || [...leftOver.values()].some(({ length }) => length > 0));
  const [missing, were] = [uploads.filter(isMissing), before.uploads.filter(isMissing)];
  const isSameList =
    missing.length === were.length &&
    missing.every(({ id, attachments }, at) => were[at]?.id === id && were[at].attachments === attachments);
  if (!part.leftOver && isSameList) return;
  const packs = new Map([...before.uploads, ...uploads].map((upload) => [upload.packId, upload]));
  new Set([...packs.keys(), ...leftOver.keys()]).forEach((packId) => keepList(packId, packs.get(packId)));
}

function keepList(packId: string, pack: Pick<Upload, 'slug' | 'packTitle' | 'folder'> | undefined): void {
  const listed = allUploads()
    .filter((upload) => upload.packId === packId && isMissing(upload))
    .flatMap(listedWith);
  const all = [...listed, ...leftOverOf(packId)];
  writeManifest(packId, all);
  const { user } = currentSession();
  if (all.length === 0) keepUnfinished(packId, null);
  else if (pack && user)
    keepUnfinished(packId, {
      packId,
      slug: pack.slug,
      title: pack.packTitle,
      userId: user.id,
      folder: pack.folder,
      sampleIds: arrivedIn(packId),
    });
}

/** The interrupted uploads of a pack, read from storage when they are first needed. */
export function leftOverOf(packId: string): readonly ListedUpload[] {
  const { leftOver } = store.get();
  const listed = leftOver.get(packId) ?? readManifest(packId);
  leftOver.set(packId, listed);
  return listed;
}

/** The samples that arrived before a reload, by pack id. */
const arrivedBefore = new Map(unfinishedPacks().map(({ packId, sampleIds }) => [packId, sampleIds]));

/**
 * The uploaded samples of a pack that may still be sorted by name. Leaves out samples that arrived before the
 * creator ordered the pack by hand.
 */
export const arrivedIn = (packId: string): readonly string[] => [
  ...(arrivedBefore.get(packId) ?? []),
  ...store
    .get()
    .arrived.flatMap((file) => (file.packId === packId && file.sampleId !== null ? [file.sampleId] : [])),
];

/** Excludes the uploaded samples of a pack from the sorting by name, because the creator ordered the pack by hand. */
export function keepPlaces(packId: string): void {
  arrivedBefore.delete(packId);
  const { arrived } = store.get();
  setState({ arrived: arrived.map((file) => (file.packId === packId ? { ...file, sampleId: null } : file)) });
}

/** Forgets the files that arrived. The upload tape then closes, unless it still lists other files. */
export function closeTape(): void {
  arrivedBefore.clear();
  setState({ arrived: [] });
}

/** Records the progress of an upload, and counts its new bytes in `pace`. */
export function advance(id: string, share: number): void {
  const upload = allUploads().find((each) => each.id === id);
  if (upload) pace.add(Math.max(0, share - upload.share) * upload.file.size, performance.now());
  change(id, { phase: 'receiving', share });
}

export const change = (id: string, part: Partial<Upload>): void =>
  setState({ uploads: allUploads().map((upload) => (upload.id === id ? { ...upload, ...part } : upload)) });

/** Removes all uploads from memory. The lists in the browser's storage stay, for the next visit of the same creator. */
export function forgetUploads(): void {
  store.set({ ...EMPTY, leftOver: new Map() });
  arrivedBefore.clear();
  showTape(false);
}

export const allUploads = (): readonly Upload[] => store.get().uploads;
export const allArrived = (): readonly Arrived[] => store.get().arrived;

export const isPaused = (): boolean => store.get().paused;

export const withLeftOver = (packId: string, leftOver: readonly ListedUpload[]): Pick<Store, 'leftOver'> => ({
  leftOver: new Map(store.get().leftOver).set(packId, leftOver),
});

export const useUploads = (packId: string): readonly Upload[] =>
  store.use().uploads.filter((upload) => upload.packId === packId);

export const useUploadStore = store.use;

const LOCK = 'offcut-uploads-';
const claimed = new Set<string>();
const locks = (): LockManager | undefined => (navigator as Partial<Navigator>).locks;

/**
 * Holds a lock until this tab closes. The lock shows other tabs that the uploads of the pack belong to this tab and are
 * not interrupted.
 */
export function claimPack(packId: string): void {
  if (claimed.has(packId)) return;
  claimed.add(packId);
  void locks()?.request(LOCK + packId, () => new Promise(() => undefined));
}

/** The packs into which another open tab uploads or has uploaded. */
export async function packsElsewhere(): Promise<ReadonlySet<string>> {
  const { held: taken = [] } = (await locks()?.query()) ?? {};
  const packIds = taken.flatMap(({ name }) => (name?.startsWith(LOCK) ? [name.slice(LOCK.length)] : []));
  return new Set(packIds.filter((packId) => !claimed.has(packId)));
}
