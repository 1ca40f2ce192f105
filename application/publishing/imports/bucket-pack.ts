import { buffer } from 'node:stream/consumers';
import type { BucketSource, PackProblem, SourceFile } from './bucket-source.js';
import { AUDIO_KINDS, AUDIO_NAME } from '../../../domain/publishing/audio-kinds.js';
import { isListed } from '../../storage/layout.js';
import { pagesOf } from '../../storage/object-storage.js';
import { fileKey, readPackJson, type ListedFile, type ListedPack } from '../pack-json.js';

const PAGE = { users: 200, packs: 200, samples: 1_000, covers: 100 } as const;
const PACK_JSON_LIMIT_BYTES = 8 * 1024 * 1024;
const IMAGE = /\.(png|jpe?g|webp)$/i;

export interface BucketSample {
  file: SourceFile;
  listed?: ListedFile;
  stems?: SourceFile;
  midi?: SourceFile;
}

export interface BucketPack {
  /** `Users/{creator}/Packs/{folder}`. */
  path: string;
  folder: string;
  listed?: ListedPack;
  /** Sorted as in `pack.json`, then by name for files that `pack.json` does not list. */
  audio: BucketSample[];
  cover?: SourceFile;
  problems: PackProblem[];
}

export const nameOf = (path: string): string => path.replace(/\/$/, '').replace(/^.*\//, '');

export const creatorFolders = (source: BucketSource): AsyncGenerator<string> =>
  foldersIn(source, 'Users/', PAGE.users);

export async function* bucketPacks(source: BucketSource, creator: string): AsyncGenerator<BucketPack> {
  for await (const folder of foldersIn(source, `Users/${creator}/Packs/`, PAGE.packs))
    yield readPack(source, `Users/${creator}/Packs/${folder}`, folder);
}

async function readPack(source: BucketSource, path: string, folder: string): Promise<BucketPack> {
  const problems: PackProblem[] = [];
  const listed = await readListed(source, `${path}/pack.json`, problems);
  const samples = await filesIn(source, `${path}/samples/`, PAGE.samples);
  const covers = await filesIn(source, `${path}/covers/`, PAGE.covers);
  for (const { key } of samples)
    if (!AUDIO_NAME.test(key)) problems.push({ path: key, reason: `is not a ${AUDIO_KINDS} file` });
  const audio = samples.filter(({ key }) => AUDIO_NAME.test(key));
  const attached = {
    stems: (await filesIn(source, `${path}/stems/`, PAGE.samples)).filter(({ key }) => /\.zip$/i.test(key)),
    midi: (await filesIn(source, `${path}/midi/`, PAGE.samples)).filter(({ key }) => /\.midi?$/i.test(key)),
  };
  return {
    path,
    folder,
    ...(listed ? { listed } : {}),
    audio: inListedOrder(path, audio, listed, problems).map((sample) => withAttached(sample, attached)),
    cover: coverOf(path, covers, listed, problems),
    problems,
  } as BucketPack;
}

/** Reads `pack.json`. @returns undefined if it is missing or unreadable; the import continues without it */
async function readListed(
  source: BucketSource,
  key: string,
  problems: PackProblem[],
): Promise<ListedPack | undefined> {
  const at = key.lastIndexOf('/') + 1;
  const page = { prefix: key.slice(0, at), delimiter: '/', limit: PAGE.samples } as const;
  const file = (await source.list(page)).objects.find((each) => each.key === key);
  if (!file) problems.push({ path: key, reason: 'is missing; names come from the files' });
  else if (file.sizeBytes > PACK_JSON_LIMIT_BYTES) problems.push({ path: key, reason: 'is too large' });
  else {
    const text = (await read(source, key)).toString('utf8').replace(/^\uFEFF/, '');
    const listed = readPackJson(text);
    if (listed) return listed;
    problems.push({ path: key, reason: 'cannot be read as JSON; names come from the files' });
  }
  return undefined;
}

export async function read(source: BucketSource, key: string): Promise<Buffer> {
  return buffer((await source.get(key)).body);
}

function inListedOrder(
  path: string,
  audio: SourceFile[],
  listed: ListedPack | undefined,
  problems: PackProblem[],
): BucketSample[] {
  const entries = listed?.entries ?? [];
  const found = audio.map((file) => ({ file, listed: listed?.samples.get(fileKey(file.key)) }));
  const used = new Set(found.map((each) => each.listed));
  for (const entry of entries)
    if (!used.has(entry))
      problems.push({ path, reason: `has no file for the sample ${entry.title ?? 'without a name'}` });
  const place = ({ listed: entry }: (typeof found)[number]): number =>
    entry ? entries.indexOf(entry) : entries.length;
  return found.sort((a, b) => place(a) - place(b)) as BucketSample[];
}

/** Adds the stems and MIDI files of a sample: those that `pack.json` names, or else those named like its audio. */
function withAttached(
  sample: BucketSample,
  attached: Record<'stems' | 'midi', readonly SourceFile[]>,
): BucketSample {
  const find = (kind: 'stems' | 'midi'): Pick<BucketSample, 'stems' | 'midi'> => {
    const wanted = fileKey(sample.listed?.[kind] ?? sample.file.key);
    const file = attached[kind].find(({ key }) => fileKey(key) === wanted);
    return file ? { [kind]: file } : {};
  };
  return { ...sample, ...find('stems'), ...find('midi') };
}

/** Returns the cover that `pack.json` names, or else the newest picture. */
function coverOf(
  path: string,
  covers: SourceFile[],
  listed: ListedPack | undefined,
  problems: PackProblem[],
): SourceFile | undefined {
  const images = covers.filter(({ key }) => IMAGE.test(key));
  const named = listed?.coverImage && fileKey(listed.coverImage);
  // This shop stores covers as `{time}_{sha256}`, but `pack.json` names only the hash.
  const match = images.find(({ key }) => fileKey(key).replace(/^\d+_(?=[0-9a-f]{64}$)/, '') === named);
  const latest = images.toSorted((a, b) => b.lastModified.getTime() - a.lastModified.getTime())[0];
  if (named && !match) {
    const instead = latest ? 'the latest one is used' : 'one is drawn';
    problems.push({
      path,
      reason: `names the cover ${nameOf(listed.coverImage as string)}, which is missing; ${instead}`,
    });
  }
  return match ?? latest;
}

async function* foldersIn(source: BucketSource, prefix: string, limit: number): AsyncGenerator<string> {
  for await (const { prefixes } of pagesOf(source, { prefix, delimiter: '/', limit }))
    for (const name of prefixes.map(nameOf)) if (isListed(prefix, name)) yield name;
}

/** Lists the files below a prefix that ends in `/`, except hidden files. */
export async function filesIn(source: BucketSource, prefix: string, limit: number): Promise<SourceFile[]> {
  const found: SourceFile[] = [];
  for await (const { objects } of pagesOf(source, { prefix, delimiter: '/', limit }))
    found.push(...objects.filter(({ key }) => key !== prefix && isListed(prefix, nameOf(key))));
  return found;
}
