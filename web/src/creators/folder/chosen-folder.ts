import { MANIFEST_NAME, manifestText } from '../../../../application/publishing/folder/manifest.js';
import {
  type FolderPlan,
  isSameTitle,
  planFolder,
  type PlannedPack,
} from '../../../../application/publishing/folder/plan.js';
import type { OwnPackCard } from '../../../../application/publishing/contract.js';
import { AUDIO_NAME } from '../../../../application/publishing/values.js';
import { api } from '../../api/api.js';
import { keep, kept } from '../../kept.js';
import { refusalOf } from '../../screens/pack-editor/upload/file-check.js';

/** A folder that the creator chose, and the packs that it would become. */
export interface ChosenFolder {
  /** Empty if several folders were dropped together. */
  name: string;
  /** The files by their path below the folder. */
  files: ReadonlyMap<string, File>;
  hasManifest: boolean;
  plan: FolderPlan;
}

const pathOf = ({ webkitRelativePath, name }: File): string => webkitRelativePath || name;

/**
 * Reads the manifest, and the first bytes of each sound to check its format. The plan leaves out sounds that cannot be
 * read. @throws if the manifest cannot be read
 */
export async function readChosen(chosen: readonly File[]): Promise<ChosenFolder> {
  const tops = new Set(chosen.map((file) => (pathOf(file).includes('/') ? pathOf(file).split('/')[0] : '')));
  const [only = ''] = tops;
  const name = tops.size === 1 ? only : '';
  const below = (file: File): string => (name === '' ? pathOf(file) : pathOf(file).slice(name.length + 1));
  const files = new Map(chosen.map((file) => [below(file), file]));
  const listed = await Promise.all(
    [...files].map(async ([path, file]) => {
      const refusal = AUDIO_NAME.test(path)
        ? await refusalOf(file).catch(() => 'The file could not be read.')
        : null;
      return { path, sizeBytes: file.size, refusal: refusal ?? undefined };
    }),
  );
  const manifest = files.get(MANIFEST_NAME);
  const text = manifest && manifestText(new Uint8Array(await manifest.arrayBuffer()));
  return { name, files, hasManifest: manifest !== undefined, plan: planFolder(name, listed, text) };
}

/** What the creator chose for a pack of the plan. */
export interface Choice {
  title: string;
  /** The genre, like the mood, is empty until the creator chooses it. */
  genre: string;
  mood: string;
  wanted: boolean;
}

/** The choices for a pack that this browser remembers, in case the creator chooses the folder again after a reload. */
export interface Remembered extends Omit<Choice, 'wanted'> {
  packId?: string;
  hasCover?: boolean;
}

const keyOf = (userId: string, folder: string): string => `offcut.folder.${userId}.${folder}`;

/** Returns what this browser remembers of the packs of a folder, by the key of each pack. */
export function rememberedOf(userId: string, folder: string): Record<string, Remembered | undefined> {
  const found = kept(keyOf(userId, folder));
  return typeof found === 'object' ? (found as Record<string, Remembered>) : {};
}

export const remember = (userId: string, folder: string, key: string, pack: Remembered): void =>
  keep(keyOf(userId, folder), { ...rememberedOf(userId, folder), [key]: pack });

/** Returns all packs of the creator. @throws ApiProblem */
export async function allOwnPacks(): Promise<OwnPackCard[]> {
  const packs: OwnPackCard[] = [];
  for (let cursor: string | undefined = ''; cursor !== undefined;) {
    const page: { items: OwnPackCard[]; nextCursor: string | null } = await api('GET /api/creator/packs', {
      query: { limit: 100, ...(cursor && { cursor }) },
    });
    packs.push(...page.items);
    cursor = page.nextCursor ?? undefined;
  }
  return packs;
}

/**
 * Returns the creator's pack to which the sounds belong: the pack that was made from the same folder under this title
 * earlier, or else a pack with the same title.
 */
export function ownPackFor(
  own: readonly OwnPackCard[],
  title: string,
  before: Remembered | undefined,
): OwnPackCard | undefined {
  const made = before?.title === title ? own.find(({ id }) => id === before.packId) : undefined;
  return made ?? own.find((pack) => isSameTitle(pack.title, title));
}

export const firstChoice = (pack: PlannedPack, before: Remembered | undefined): Choice => ({
  title: before?.title ?? pack.title,
  genre: before?.genre ?? pack.genre ?? '',
  mood: before?.mood ?? pack.mood ?? '',
  wanted: true,
});
