import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { keyOf, INSTRUMENTS, type Instrument } from '../../domain/catalogue/vocabulary.js';
import { parseFileName } from '../../domain/publishing/file-name.js';
import {
  fileKey,
  instrumentsAmong,
  readPackJson,
  type ListedPack,
} from '../../application/publishing/pack-json.js';
import { AUDIO_NAME } from '../../application/publishing/values.js';
import { readTags } from '../../adapters/vendors/audio/tags.js';

/** Audio formats that cannot be sold. The import reports such files as failures instead of skipping them. */
const OTHER_AUDIO = new Set(['.wma', '.caf', '.au', '.w64']);
const IMAGES = /^cover\.(png|jpe?g|webp)$/i;
/** Names of files and folders that contain no samples in a bucket of packs. The import skips them. */
const SKIPPED = new Set(['users', 'peaks', '.emptyfolderplaceholder']);

export type FoundFolder = Awaited<ReturnType<typeof readFolder>>;

/** Returns the importable files of a folder and its subfolders, in the order of `pack.json`, then by name. */
export async function readFolder(folder: string) {
  const paths = (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => isWanted(path.slice(folder.length)))
    .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  const extension = (path: string): string => extname(path).toLowerCase();
  const json = paths.find((path) => path === join(folder, 'pack.json'));
  const listed = json === undefined ? undefined : readPackJson(await readFile(json, 'utf8'));
  const cover = listed?.coverImage && fileKey(listed.coverImage);
  return {
    audio: inListedOrder(
      paths.filter((path) => AUDIO_NAME.test(path)),
      listed,
    ),
    /** ZIP archives in a folder `stems`. */
    stems: paths.filter((path) => /[/\\]stems[/\\][^/\\]+\.zip$/i.test(path)),
    midi: paths.filter((path) => /\.midi?$/i.test(path)),
    unsupported: paths.filter((path) => OTHER_AUDIO.has(extension(path))),
    listed,
    /** Whether `pack.json` exists but could not be used. */
    listedUnreadable: json !== undefined && listed === undefined,
    coverPath: paths.find(
      (path) =>
        IMAGES.test(basename(path)) ||
        (cover && /\.(png|jpe?g|webp)$/i.test(path) && fileKey(path) === cover),
    ),
  };
}

function inListedOrder(paths: string[], listed: ListedPack | undefined): string[] {
  const order = listed?.entries ?? [];
  const placeOf = (path: string): number => {
    const sample = listed?.samples.get(fileKey(path));
    return sample ? order.indexOf(sample) : order.length;
  };
  return paths.toSorted((a, b) => placeOf(a) - placeOf(b));
}

/**
 * Returns the attachment of a sample: the file that `pack.json` names for the sample, otherwise the file with the
 * same name as the sample.
 */
export function attachedTo(path: string, kind: 'stems' | 'midi', found: FoundFolder): string | undefined {
  const wanted = fileKey(found.listed?.samples.get(fileKey(path))?.[kind] ?? path);
  return found[kind].find((each) => fileKey(each) === wanted);
}

function isWanted(relativePath: string): boolean {
  const parts = relativePath.split(/[/\\]/).filter(Boolean);
  return parts.every((part) => !part.startsWith('.') && !SKIPPED.has(part.toLowerCase()));
}

export async function sha256Of(path: string): Promise<{ sha256: string; sizeBytes: number }> {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    sizeBytes += chunk.length;
  }
  return { sha256: hash.digest('hex'), sizeBytes };
}

/** Describes a file: from `pack.json` first, then from its name, then from its tags. */
export async function describeFile(path: string, listed: ListedPack | undefined) {
  const said = listed?.samples.get(fileKey(path));
  const named = parseFileName(basename(path));
  const tags = await readTags(path);
  const taggedBpm = tags.bpm && tags.bpm >= 20 && tags.bpm <= 400 ? tags.bpm : undefined;
  const name = (said?.title ?? (named.title === 'Sample' ? tags.title : undefined) ?? named.title).slice(
    0,
    120,
  );
  return {
    name,
    bpm: said?.bpm ?? named.bpm ?? taggedBpm,
    key: said?.key === undefined ? (named.key ?? keyOf(tags.key)) : said.key,
    instruments: instrumentsIn(said?.instruments ?? [name]).slice(0, 10),
    creditCost: said?.creditCost,
    isRoyaltyFree: said?.isRoyaltyFree,
    kind: said?.kind,
    previewStartMs: said?.previewStartMs,
    origin: said?.origin,
  };
}

/** Finds the instruments in each text: the instrument of exactly that name, else all whose names are in the text. */
const instrumentsIn = (words: readonly string[]): Instrument[] => [
  ...new Set(
    words.flatMap((word) => {
      const exact = instrumentsAmong([word]);
      return exact.length > 0 ? exact : INSTRUMENTS.filter((instrument) => mentions(word, instrument));
    }),
  ),
];

const letters = (text: string): string => ` ${text.toLowerCase().replaceAll(/[^a-z0-9]+/g, ' ')} `;
const mentions = (text: string, instrument: Instrument): boolean =>
  letters(text).includes(letters(instrument));
