import * as z from 'zod';
import { keyOf } from '../../domain/catalogue/key-label.js';
import {
  genreFrom,
  MOODS,
  type Genre,
  type Mood,
  type MusicalKey,
} from '../../domain/catalogue/vocabulary.js';
import { COST_MAX_CREDITS, COST_MIN_CREDITS } from './contract.js';

/** What a `pack.json` says of one sample, whichever names its fields have. */
export interface ListedFile {
  title?: string;
  bpm?: number;
  key?: MusicalKey;
  instruments?: string[];
  creditCost?: number;
  isRoyaltyFree?: boolean;
}

/** A `pack.json` read: what it says and nothing it does not. */
export interface ListedPack {
  name?: string;
  /** The creator's display name. */
  creator?: string;
  genre?: Genre;
  mood?: Mood;
  description?: string;
  /** `unpublished` without a date of publication is a draft. */
  status: 'draft' | 'published' | 'unpublished';
  coverImage?: string;
  defaultCreditCost?: number;
  /** By `fileKey` of the sample's file, or of its title where no file is named. */
  samples: Map<string, ListedFile>;
}

const text = z.string().trim().min(1).optional().catch(undefined);
const number = z.coerce.number().optional().catch(undefined);

const Listed = z.looseObject({
  title: text, displayName: text, name: text, file: text, filename: text, src: text, url: text, fileUrl: text, key: text,
  keySignature: text, bpm: number, creditCost: number, instruments: z.array(z.string()).optional().catch(undefined),
  isRoyaltyFree: z.boolean().optional().catch(undefined),
}); // prettier-ignore

const PackJson = z.looseObject({
  name: text, creator: text, genre: text, mood: text, description: text, status: text, publishedAt: text, coverImage: text,
  defaultCreditCost: number, samples: z.array(z.union([z.string(), Listed])).catch([]),
}); // prettier-ignore

/** How files and entries are matched: the last part of the path, without extension, in lower case. */
export function fileKey(path: string): string {
  const last = path.replace(/[?#].*$/, '').replace(/^.*[/\\]/, '');
  return decoded(last)
    .replace(/\.[A-Za-z0-9]{1,5}$/, '')
    .toLowerCase();
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** @returns undefined when the text is no JSON object */
export function readPackJson(json: string): ListedPack | undefined {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return undefined;
  }
  const parsed = PackJson.safeParse(value);
  if (!parsed.success) return undefined;
  const { name, creator, genre, mood, description, status, publishedAt, coverImage, defaultCreditCost } =
    parsed.data;
  const samples = new Map<string, ListedFile>();
  for (const entry of parsed.data.samples) {
    const listed = typeof entry === 'string' ? { name: entry } : entry;
    const sample = sampleOf(listed);
    // An entry is found by its file and by its title, whichever the files turn out to be called.
    for (const path of [...pathsOf(listed), sample.title])
      if (path && !samples.has(fileKey(path))) samples.set(fileKey(path), sample);
  }
  return {
    name,
    creator,
    genre: genre === undefined ? undefined : genreFrom(genre),
    mood: MOODS.find((known) => known.toLowerCase() === mood?.toLowerCase()),
    description,
    status:
      status === 'published'
        ? 'published'
        : status === 'unpublished' && publishedAt
          ? 'unpublished'
          : 'draft',
    coverImage,
    defaultCreditCost: costOf(defaultCreditCost),
    samples,
  };
}

type Entry = Partial<z.infer<typeof Listed>>;

const pathsOf = (entry: Entry): Array<string | undefined> => [
  entry.file,
  entry.filename,
  entry.src,
  entry.url,
  entry.fileUrl,
  entry.name,
];

function sampleOf(entry: Entry): ListedFile {
  const key = keyOf(entry.key ?? entry.keySignature);
  return {
    title: entry.title ?? entry.displayName ?? entry.name?.replace(/\.(wav|mp3|m4a|aac)$/i, ''),
    bpm: entry.bpm !== undefined && entry.bpm >= 1 && entry.bpm <= 400 ? Math.round(entry.bpm) : undefined,
    key,
    instruments: entry.instruments,
    creditCost: costOf(entry.creditCost),
    isRoyaltyFree: entry.isRoyaltyFree,
  };
}

const costOf = (credits: number | undefined): number | undefined =>
  credits === undefined
    ? undefined
    : Math.max(COST_MIN_CREDITS, Math.min(COST_MAX_CREDITS, Math.round(credits)));
