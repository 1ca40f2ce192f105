import * as z from 'zod';
import { GENRES, INSTRUMENTS, KEYS, MOODS, genreFrom } from '../../domain/catalogue/vocabulary.js';
import { Id, IsoTime, page, pageQuery } from '../shared/contract.js';

export {
  GENRES,
  INSTRUMENTS,
  KEYS,
  MOODS,
  NOTES,
  enharmonicKeys,
  genreFrom,
} from '../../domain/catalogue/vocabulary.js';
export type { Genre, Instrument, Mood, MusicalKey, Note } from '../../domain/catalogue/vocabulary.js';

export const TEMPO_MIN_BPM = 0;
export const TEMPO_MAX_BPM = 200;
export const FACET_LIMIT = 3;
export const SEARCH_LIMIT = 50;
export const PREVIEW_LIMIT_MS = 60_000;
export const WAVEFORM_BARS = 50;

export const GenreLabel = z.preprocess(
  (value) => (typeof value === 'string' ? (genreFrom(value) ?? value) : value),
  z.enum(GENRES),
);
export const MoodLabel = z.enum(MOODS);
export const InstrumentLabel = z.enum(INSTRUMENTS);
export const KeyLabel = z.enum(KEYS as [string, ...string[]]);

export const CreatorRef = z.object({
  id: Id,
  handle: z.string(),
  displayName: z.string(),
  avatarUrl: z.string().nullable(),
  verified: z.boolean(),
});

export const PackCard = z
  .object({
    id: Id,
    title: z.string(),
    slug: z.string(),
    creator: CreatorRef,
    genre: z.string(),
    mood: z.string(),
    sampleCount: z.int(),
    artworkUrl: z.string().nullable(),
    description: z.string(),
    publishedAt: IsoTime.nullable(),
  })
  .meta({ id: 'PackCard' });
export type PackCard = z.infer<typeof PackCard>;

export const Sample = z
  .object({
    id: Id,
    title: z.string(),
    creator: CreatorRef,
    pack: z.object({ id: Id, title: z.string(), slug: z.string() }),
    artworkUrl: z.string().nullable(),
    /** Length of the original. */
    durationMs: z.int(),
    /** 0 when unknown. */
    bpm: z.int(),
    key: z.string().nullable(),
    mood: z.string(),
    genre: z.string(),
    instruments: z.array(z.string()),
    creditCost: z.int(),
    hasStems: z.boolean(),
    hasMidi: z.boolean(),
    isRoyaltyFree: z.boolean(),
    /** The lossy preview, at most 60 s; null when the sample has no audio. */
    previewUrl: z.string().nullable(),
    /** 50 bars, 0–100, over the preview. */
    waveform: z.array(z.int()).length(WAVEFORM_BARS),
    saved: z.boolean().optional(),
    owned: z.boolean().optional(),
  })
  .meta({ id: 'Sample' });
export type Sample = z.infer<typeof Sample>;

export const PackDetail = PackCard.extend({ samples: z.array(Sample), totalCostCredits: z.int() }).meta({
  id: 'PackDetail',
});
export type PackDetail = z.infer<typeof PackDetail>;

export const PacksQuery = z.object({
  sort: z.enum(['samples', 'new', 'popular']).default('samples'),
  genre: GenreLabel.optional(),
  ...pageQuery,
});
export const PackPage = page(PackCard);

const several = <Item extends z.ZodType>(item: Item) =>
  z.preprocess(
    (value) => (value === undefined ? [] : Array.isArray(value) ? value : [value]),
    z.array(item).max(FACET_LIMIT),
  );

export const SamplesQuery = z
  .object({
    q: z.string().trim().max(200).default(''),
    bpmMin: z.coerce.number().int().min(TEMPO_MIN_BPM).max(TEMPO_MAX_BPM).default(TEMPO_MIN_BPM),
    bpmMax: z.coerce.number().int().min(TEMPO_MIN_BPM).max(TEMPO_MAX_BPM).default(TEMPO_MAX_BPM),
    key: KeyLabel.optional(),
    mood: several(MoodLabel),
    genre: several(GenreLabel),
    instrument: several(InstrumentLabel),
    mode: z.enum(['search', 'collection']).default('search'),
    collection: z.string().max(200).optional(),
    sort: z.enum(['relevance', 'new', 'popular', 'title']).default('relevance'),
    ...pageQuery,
  })
  .refine((query) => query.bpmMin <= query.bpmMax, {
    path: ['bpmMin'],
    message: 'bpmMin must not be above bpmMax',
  });
export type SamplesQuery = z.infer<typeof SamplesQuery>;

export const Facets = z.object({
  key: z.record(z.string(), z.int()),
  mood: z.record(z.string(), z.int()),
  genre: z.record(z.string(), z.int()),
  instrument: z.record(z.string(), z.int()),
});
export const SamplePage = z
  .object({ items: z.array(Sample), total: z.int(), facets: Facets, nextCursor: z.string().nullable() })
  .meta({ id: 'SamplePage' });
export type SamplePage = z.infer<typeof SamplePage>;

export const SuggestionsQuery = z.object({ q: z.string().trim().max(200).default('') });
export const Suggestion = z.object({
  kind: z.enum(['sample', 'pack', 'creator', 'genre']),
  label: z.string(),
  href: z.string(),
});
export const Suggestions = z.object({ items: z.array(Suggestion).max(5) });
export type Suggestion = z.infer<typeof Suggestion>;

/** Rows of the Sounds page, each at most 12 packs. */
export const SoundsPage = z.object({
  newReleases: z.array(PackCard),
  popularThisWeek: z.array(PackCard),
  trendingGenres: z.array(PackCard),
  featuredCollections: z.array(PackCard),
});
export type SoundsPage = z.infer<typeof SoundsPage>;

export const DiscoverPage = z.object({
  rareFinds: z.array(PackCard),
  trending: z.array(Sample).max(10),
  hotPicks: z.array(Sample).max(10),
  trendingDiscoveries: z.array(PackCard),
});
export type DiscoverPage = z.infer<typeof DiscoverPage>;
