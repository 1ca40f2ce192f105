import * as z from 'zod';
import {
  keyOf,
  genreFrom,
  INSTRUMENTS,
  MOODS,
  type Genre,
  type Instrument,
  type Mood,
  type MusicalKey,
} from '../../domain/catalogue/vocabulary.js';
import { KINDS, type Kind } from '../../domain/shared/kind.js';
import { ORIGINS, type Origin } from '../../domain/shared/origin.js';
import { keyOfFileUrl, percentDecoded } from '../storage/layout.js';
import { AUDIO_LIMIT_MS, AUDIO_NAME, COST_MAX_CREDITS, COST_MIN_CREDITS } from './values.js';
import { exactText } from '../shared/contract.js';
import { jsonOf } from '../shared/text.js';

/** A sample in a `pack.json`. The file may name fields differently, for example `displayName` for `title`. */
export interface ListedFile {
  title?: string;
  /** 0 means that the sample has no tempo, even if its file name contains one. */
  bpm?: number;
  /** Null means that the sample has no key, even if its file name contains one. */
  key?: MusicalKey | null;
  instruments?: string[];
  creditCost?: number;
  isRoyaltyFree?: boolean;
  kind?: Kind;
  previewStartMs?: number;
  origin?: Origin;
  stems?: string;
  midi?: string;
}

/** The fields of a `pack.json`. Fields that the file leaves out are undefined. */
export interface ListedPack {
  name?: string;
  creator?: string;
  creatorId?: string;
  genre?: Genre;
  mood?: Mood;
  description?: string;
  /** `unpublished` without a publication date is read as `draft`. */
  status: 'draft' | 'published' | 'unpublished';
  createdAt?: Date;
  publishedAt?: Date;
  coverImage?: string;
  defaultCreditCost?: number;
  packCreditCost?: number;
  entries: ListedFile[];
  /** Finds an entry by the `fileKey` of its file name, or of its title unless another file has that key. */
  samples: Map<string, ListedFile>;
}

const text = exactText().trim().min(1).optional().catch(undefined);
const number = z.number().or(exactText().trim().min(1).pipe(z.coerce.number())).optional().catch(undefined);

const Listed = z.looseObject({
  title: text,
  displayName: text,
  name: text,
  file: text,
  filename: text,
  src: text,
  url: text,
  fileUrl: text,
  key: z.null().or(text),
  keySignature: text,
  stems: text,
  midi: text,
  bpm: number,
  creditCost: number,
  instruments: z.array(exactText()).optional().catch(undefined),
  isRoyaltyFree: z.boolean().optional().catch(undefined),
  previewStartMs: z.int().min(0).max(AUDIO_LIMIT_MS).optional().catch(undefined),
  kind: z.enum(KINDS).optional().catch(undefined),
  origin: z.enum(ORIGINS).optional().catch(undefined),
});

const PackJson = z.object({
  name: text,
  creator: text,
  creatorId: text,
  genre: text,
  mood: text,
  description: text,
  status: text,
  publishedAt: text,
  created: text,
  coverImage: text,
  defaultCreditCost: number,
  packCreditCost: z.int().min(1).max(1_000_000).optional().catch(undefined),
  samples: z.array(z.union([exactText(), Listed])).catch([]),
});

/** Returns the key that matches files with entries: the file name in lower case, without folder and extension. */
export function fileKey(address: string): string {
  const path = keyOfFileUrl(address) ?? address;
  // In a URL `#` starts a fragment. In a file name it is a sharp, as in `F#`.
  const last = path.replace(path.includes('://') ? /[?#].*$/ : /\?.*$/, '').replace(/^.*[/\\]/, '');
  return percentDecoded(last)
    .replace(/\.[A-Za-z0-9]{1,5}$/, '')
    .toLowerCase();
}

/** Reads the text of a `pack.json`. @returns undefined if it is not a JSON object */
export function readPackJson(json: string): ListedPack | undefined {
  const parsed = PackJson.safeParse(jsonOf(json));
  if (!parsed.success) return undefined;
  const { genre, mood, status, publishedAt, created, defaultCreditCost, samples, ...said } = parsed.data;
  return {
    ...said,
    genre: genre === undefined ? undefined : genreFrom(genre),
    mood: MOODS.find((known) => known.toLowerCase() === mood?.toLowerCase()),
    status:
      status === 'published'
        ? 'published'
        : status === 'unpublished' && publishedAt
          ? 'unpublished'
          : 'draft',
    createdAt: timeOf(created),
    publishedAt: timeOf(publishedAt),
    defaultCreditCost: costOf(defaultCreditCost),
    ...samplesOf(samples),
  };
}

function timeOf(text: string | undefined): Date | undefined {
  const at = new Date(text ?? Number.NaN);
  return at.getTime() > 0 ? at : undefined;
}

type Entry = Partial<z.infer<typeof Listed>>;

/**
 * Maps file keys to entries. If one entry's title and another entry's file give the same key, the key belongs to the
 * entry with the file.
 */
function samplesOf(list: ReadonlyArray<string | Entry>): Pick<ListedPack, 'entries' | 'samples'> {
  const samples = new Map<string, ListedFile>();
  const listed = list.map((entry) => (typeof entry === 'string' ? { name: entry } : entry));
  const described = listed.map((entry) => ({ entry, sample: sampleOf(entry) }));
  const set = (path: string | undefined, sample: ListedFile): void => {
    if (path && !samples.has(fileKey(path))) samples.set(fileKey(path), sample);
  };
  for (const { entry, sample } of described)
    for (const path of [entry.file, entry.filename, entry.src, entry.url, entry.fileUrl]) set(path, sample);
  for (const { entry, sample } of described) for (const path of [entry.name, sample.title]) set(path, sample);
  return { entries: described.map(({ sample }) => sample), samples };
}

function sampleOf(entry: Entry): ListedFile {
  const key = keyOf(entry.key ?? entry.keySignature);
  const hasNoKey = entry.key === null && entry.keySignature === undefined;
  return {
    title: entry.title ?? entry.displayName ?? entry.name?.replace(AUDIO_NAME, ''),
    bpm: entry.bpm !== undefined && entry.bpm >= 0 && entry.bpm <= 400 ? Math.round(entry.bpm) : undefined,
    key: hasNoKey ? null : key,
    instruments: entry.instruments,
    creditCost: costOf(entry.creditCost),
    isRoyaltyFree: entry.isRoyaltyFree,
    kind: entry.kind,
    previewStartMs: entry.previewStartMs,
    origin: entry.origin,
    stems: entry.stems,
    midi: entry.midi,
  };
}

const costOf = (credits: number | undefined): number | undefined =>
  credits === undefined
    ? undefined
    : Math.max(COST_MIN_CREDITS, Math.min(COST_MAX_CREDITS, Math.round(credits)));

/** Formats a duration as m:ss. Returns at least 0:01, because readers take 0:00 as unknown. */
export function minutesAndSeconds(durationMs: number): string {
  const seconds = Math.max(1, Math.round(durationMs / 1_000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

export const instrumentsAmong = (words: readonly string[] = []): Instrument[] => [
  ...new Set(
    words.flatMap(
      (word) => INSTRUMENTS.find((known) => known.toLowerCase() === word.trim().toLowerCase()) ?? [],
    ),
  ),
];
