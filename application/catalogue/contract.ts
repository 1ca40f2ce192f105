import * as z from 'zod';
import { KINDS } from '../../domain/shared/kind.js';
import { ORIGINS } from '../../domain/shared/origin.js';
import { BALANCES, DESCRIPTORS, SOUND_VERSION } from '../../domain/catalogue/sound/facts.js';
import { GENRES, INSTRUMENTS, KEYS, MOODS, SCALES, genreFrom } from '../../domain/catalogue/vocabulary.js';
import { Id, IsoTime, page, pageQuery, exactText, soughtText, namedObject } from '../shared/contract.js';
import {
  COST_MAX_CREDITS,
  COST_MIN_CREDITS,
  FACET_LIMIT,
  FEATURED_COLLECTIONS_LIMIT,
  HISTOGRAM_BARS,
  LENGTH_MAX_SECONDS,
  PROJECT_TEMPO_MAX,
  PROJECT_TEMPO_MIN,
  projectFrom,
  SEARCH_LIMIT,
  SUGGESTIONS_LIMIT,
  TEMPO_MAX_BPM,
  TEMPO_MIN_BPM,
  WAVEFORM_BARS,
} from './values.js';

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
  /** The creator allows training generative models with their sounds. */
  aiTraining: z.boolean(),
});

export type CreatorRef = z.infer<typeof CreatorRef>;

export const PackCard = namedObject('PackCard', {
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
});
export type PackCard = z.infer<typeof PackCard>;

export const Sample = namedObject('Sample', {
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
  kind: z.enum(KINDS),
  /** How the sound was made, as its creator states it; null if not stated. */
  origin: z.enum(ORIGINS).nullable(),
  /** The lossy preview, at most 60 s; null if the sample has no audio. */
  previewUrl: z.string().nullable(),
  /** The waveform of the preview: 50 levels from 0 to 100. */
  waveform: z.array(z.int()).length(WAVEFORM_BARS),
  saved: z.boolean().optional(),
  owned: z.boolean().optional(),
  /** False if it cannot be bought. Absent in lists of what is on sale. */
  onSale: z.boolean().optional(),
});
export type Sample = z.infer<typeof Sample>;

/** A sample with its original file's facts. */
export const SampleDetail = Sample.extend({
  /** The format of the original, such as `wav`. */
  format: z.string(),
  sizeBytes: z.int(),
  sampleRateHz: z.int(),
  channels: z.int(),
  /** False if only its owners and its creator see it. */
  onSale: z.boolean(),
  /** The certificate of the viewer's licence. Absent for others. */
  certificateId: Id.optional(),
}).meta({ id: 'SampleDetail' });
export type SampleDetail = z.infer<typeof SampleDetail>;

export const PackDetail = PackCard.extend({
  samples: z.array(Sample),
  /** The sum of the prices of the samples. */
  totalCostCredits: z.int(),
  /**
   * The price of the whole pack, if that is below the sum. A buyer who owns some of the samples pays less in
   * proportion, rounded up.
   */
  packCostCredits: z.int().nullable(),
  /** The viewer has saved the pack itself. Absent for visitors. */
  saved: z.boolean().optional(),
  /** Only before the release: when the pack is published; null if that is not decided. `publishedAt` then has no meaning. */
  releaseAt: IsoTime.nullable().optional(),
}).meta({ id: 'PackDetail' });
export type PackDetail = z.infer<typeof PackDetail>;

export const PacksQuery = z.object({
  sort: z.enum(['samples', 'new', 'popular']).default('samples'),
  genre: GenreLabel.optional(),
  ...pageQuery,
});
export type PacksQuery = z.infer<typeof PacksQuery>;
export const PackPage = page(PackCard);
export type PackPage = z.infer<typeof PackPage>;

const several = <Item extends z.ZodType>(item: Item) =>
  z.preprocess(
    (value) => (value === undefined ? [] : Array.isArray(value) ? value : [value]),
    z.array(item).max(FACET_LIMIT),
  );

const Seconds = z.coerce.number().min(0).max(LENGTH_MAX_SECONDS);
export const YesNo = z.enum(['true', 'false']).transform((answer) => answer === 'true');

/** A tempo and, after a comma, a key or nothing: `90,C Minor`, `90,` or `90`. */
const ProjectText = z
  .string()
  .max(30)
  .meta({ examples: ['90,C Minor'] })
  .refine((text) => projectFrom(text) !== undefined, {
    error: `not a tempo from ${PROJECT_TEMPO_MIN} to ${PROJECT_TEMPO_MAX} and a key, such as 90,C Minor`,
  });

/** Bounds of a fact of the sound, such as `20..60`. */
const Range = z
  .string()
  .regex(/^(?:\d{1,2}|100)\.\.(?:\d{1,2}|100)$/)
  .meta({ examples: ['20..60'] })
  .transform((text) => {
    const [min, max] = text.split('..').map(Number) as [number, number];
    return { min, max };
  })
  .refine(({ min, max }) => min <= max, 'min must not be above max')
  .optional();

const filters = {
  bpmMin: z.coerce.number().int().min(TEMPO_MIN_BPM).max(TEMPO_MAX_BPM).default(TEMPO_MIN_BPM),
  bpmMax: z.coerce.number().int().min(TEMPO_MIN_BPM).max(TEMPO_MAX_BPM).default(TEMPO_MAX_BPM),
  key: z
    .enum([...KEYS, ...SCALES])
    .optional()
    .describe('A key, or Major or Minor for any key of the scale'),
  secondsMin: Seconds.optional(),
  secondsMax: Seconds.optional(),
  kind: z.enum(KINDS).optional(),
  hasMidi: YesNo.optional(),
  hasStems: YesNo.optional(),
  creditsMax: z.coerce.number().int().min(COST_MIN_CREDITS).max(COST_MAX_CREDITS).optional(),
  origin: several(z.enum(ORIGINS)).describe('How the sound was made, as its creator states it'),
  fits: ProjectText.optional().describe(
    'Only samples that fit a project of this tempo and key as they are, such as 90,C Minor',
  ),
  owned: YesNo.optional().describe('Whether the viewer owns the sample; needs a session'),
  brightness: Range.describe('From dark, 0, to bright, 100, as min..max'),
  punch: Range.describe('From a soft attack, 0, to a hard one, 100, as min..max'),
  decay: Range.describe('From short, 0, to long, 100, as min..max'),
  noisiness: Range.describe('From a clear pitch, 0, to noise, 100, as min..max'),
  warmth: Range.describe('From no low tones, 0, to only low ones, 100, as min..max'),
  mood: several(MoodLabel),
  genre: several(GenreLabel),
  instrument: several(InstrumentLabel),
  mode: z.enum(['search', 'collection']).default('search'),
};
type Rule<Query> = [(query: Query) => boolean, { path: string[]; message: string }];
const TEMPOS_IN_ORDER: Rule<{ bpmMin: number; bpmMax: number }> = [
  (query) => query.bpmMin <= query.bpmMax,
  { path: ['bpmMin'], message: 'bpmMin must not be above bpmMax' },
];
const LENGTHS_IN_ORDER: Rule<{ secondsMin?: number | undefined; secondsMax?: number | undefined }> = [
  ({ secondsMin = 0, secondsMax = LENGTH_MAX_SECONDS }) => secondsMin <= secondsMax,
  { path: ['secondsMin'], message: 'secondsMin must not be above secondsMax' },
];

export const SamplesQuery = z
  .object({
    q: soughtText(200).trim().default(''),
    ...filters,
    project: ProjectText.optional().describe('The project by which sort=fits orders; fits by default'),
    collection: soughtText(200).optional(),
    sort: z
      .enum(['relevance', 'new', 'popular', 'title', 'tempo', 'length', 'fits'])
      .default('relevance')
      .describe('fits: the samples that the project changes least come first'),
    ...pageQuery,
  })
  .refine(...TEMPOS_IN_ORDER)
  .refine(({ sort, fits, project = fits }) => sort !== 'fits' || project !== undefined, {
    path: ['sort'],
    message: 'sort=fits needs fits or project',
  })
  .refine(...LENGTHS_IN_ORDER);
export type SamplesQuery = z.infer<typeof SamplesQuery>;

export const Facets = z.object({
  key: z.record(z.string(), z.int()),
  mood: z.record(z.string(), z.int()),
  genre: z.record(z.string(), z.int()),
  kind: z.record(z.string(), z.int()),
  hasMidi: z.record(z.string(), z.int()),
  hasStems: z.record(z.string(), z.int()),
  credits: z.record(z.string(), z.int()).describe('By price in credits'),
  origin: z.record(z.string(), z.int()),
  instrument: z.record(z.string(), z.int()),
});
export const SamplePage = z
  .object({
    items: z.array(Sample),
    total: z.int(),
    facets: Facets,
    nextCursor: z.string().nullable(),
    interpretation: z.object({
      dropped: z
        .array(z.string())
        .describe('Words of q that were ignored, because no sample matches all of them'),
    }),
  })
  .meta({ id: 'SamplePage' });
export type SamplePage = z.infer<typeof SamplePage>;

export const Suggestion = z.object({
  kind: z.enum(['sample', 'pack', 'creator', 'genre']),
  label: z.string(),
  href: z.string(),
  why: z.string().optional().describe('The matching field: Title, Pack, Creator, Genre, Mood or Instrument'),
  sampleId: z.string().optional().describe('The sample, if the suggestion is one'),
});
export const Suggestions = z.object({ items: z.array(Suggestion).max(SUGGESTIONS_LIMIT) });
export type Suggestions = z.infer<typeof Suggestions>;
export type Suggestion = z.infer<typeof Suggestion>;

export const DiscoverPage = z.object({
  rareFinds: z.array(PackCard),
  trending: z.array(Sample).max(10),
  hotPicks: z.array(Sample).max(10),
  trendingDiscoveries: z.array(PackCard),
});
export type DiscoverPage = z.infer<typeof DiscoverPage>;

const Pixels = z.coerce.number().int().min(1).max(100_000).optional();
export const OEmbedQuery = z.object({
  url: exactText().min(1).max(2_000).describe('The address of a page of this site'),
  maxwidth: Pixels,
  maxheight: Pixels,
  format: soughtText(20).default('json'),
});
/** The fields are named by oembed.com. */
export const OEmbed = namedObject('OEmbed', {
  version: z.literal('1.0'),
  type: z.literal('rich'),
  title: z.string(),
  author_name: z.string().optional(),
  author_url: z.string().optional(),
  provider_name: z.string(),
  provider_url: z.string(),
  cache_age: z.int().describe('In seconds'),
  thumbnail_url: z.string().optional(),
  thumbnail_width: z.int().optional(),
  thumbnail_height: z.int().optional(),
  html: z.string(),
  width: z.int(),
  height: z.int(),
});

const likenessFields = {
  q: soughtText(200).trim().default(''),
  ...filters,
  balance: z.enum(BALANCES).default('timbre').describe('What counts most when sounds are compared'),
  limit: z.coerce.number().int().min(1).max(SEARCH_LIMIT).default(10),
};
export const SimilarQuery = z
  .object({
    by: z.enum(['sound']).optional().describe('By sound, with the filters; else by key, tempo and labels'),
    ...likenessFields,
  })
  .refine(...TEMPOS_IN_ORDER)
  .refine(...LENGTHS_IN_ORDER);
export const BySound = z
  .object({
    version: z.int().meta({ examples: [SOUND_VERSION] }),
    descriptors: z
      .array(z.number().min(-128).max(127))
      .max(256)
      .meta({ examples: [Array.from({ length: DESCRIPTORS }, () => 0)] }),
    ...likenessFields,
    hasMidi: z.boolean().optional(),
    hasStems: z.boolean().optional(),
    owned: z.boolean().optional(),
  })
  .refine(...TEMPOS_IN_ORDER)
  .refine(...LENGTHS_IN_ORDER)
  .refine(({ version, descriptors }) => version !== SOUND_VERSION || descriptors.length === DESCRIPTORS, {
    path: ['descriptors'],
    message: `descriptors of version ${SOUND_VERSION} are ${DESCRIPTORS} numbers`,
  });
export type BySound = z.infer<typeof BySound>;
export type SoundFilters = Omit<z.infer<typeof SimilarQuery>, 'by'>;
export const SoundVersions = z.object({ versions: z.array(z.int()) });
const Histogram = z.array(z.int()).length(HISTOGRAM_BARS);
/**
 * For each fact and each bar: the number of samples whose value is in this bar, among the samples that pass all
 * other filters.
 */
export const SoundHistograms = z.object({
  brightness: Histogram,
  punch: Histogram,
  decay: Histogram,
  noisiness: Histogram,
  warmth: Histogram,
});
export type SoundHistograms = z.infer<typeof SoundHistograms>;

/**
 * Reasons by sound: `Brighter`, `Longer decay`, `Same decay`, `Higher`, `Same rhythm`. Others: `Same key`, `Same tempo`, `Fits the tempo`
 * (nearly, half or double), `Same genre`, `Also has Piano`.
 */
export const SimilarSamples = z.object({
  items: z
    .array(
      Sample.extend({
        reasons: z.array(z.string()),
        distance: z.number().optional().describe('How far the sounds are apart; only by sound'),
        sound: z
          .object({
            brightness: z.int(),
            punch: z.int(),
            decay: z.int(),
            noisiness: z.int(),
            warmth: z.int(),
          })
          .optional()
          .describe('Facts of the sound, from 0 to 100; only by sound'),
      }),
    )
    .max(SEARCH_LIMIT),
});
export type SimilarSamples = z.infer<typeof SimilarSamples>;

export const SwipeQuery = z.object({
  genre: GenreLabel.optional(),
  /** Ids of samples that were already shown, as repeated parameters or separated by commas. */
  exclude: z.preprocess(
    (value) =>
      value === undefined
        ? []
        : (Array.isArray(value) ? value : [value]).flatMap((part) => String(part).split(',')).filter(Boolean),
    z.array(Id).max(200),
  ),
  limit: z.coerce.number().int().min(1).max(50).default(20),
});
export type SwipeQuery = z.infer<typeof SwipeQuery>;
export const SwipeSamples = z.object({ items: z.array(Sample) });
export type SwipeSamples = z.infer<typeof SwipeSamples>;

export const Collection = namedObject('Collection', {
  id: z.string(),
  name: z.string(),
  description: z.string(),
  samples: z.int(),
  slug: z.string(),
  category: z.enum(['Sounds', 'Artists', 'Genres']),
  artworkUrl: z.string().nullable(),
  updatedAt: IsoTime.nullable(),
  /** In a list of collections, each collection has only its first four packs. */
  packs: z.array(PackCard),
});
export type Collection = z.infer<typeof Collection>;
export const CollectionsQuery = z.object({
  tab: z.enum(['all', 'sounds', 'artists', 'genres']).default('all'),
  ...pageQuery,
});
export type CollectionsQuery = z.infer<typeof CollectionsQuery>;
export const CollectionPage = page(Collection);
export type CollectionPage = z.infer<typeof CollectionPage>;

/** Rows have at most 12 items. A row of one item is left empty, unless it has new releases or chosen collections. */
export const SoundsPage = z.object({
  newReleases: z.array(PackCard),
  popularThisWeek: z.array(PackCard),
  trendingGenres: z.array(Collection),
  featuredCollections: z.array(Collection),
});
export type SoundsPage = z.infer<typeof SoundsPage>;
export const FeaturedSlugs = z.strictObject({
  slugs: z.array(exactText().min(1).max(200)).max(FEATURED_COLLECTIONS_LIMIT),
});
export type FeaturedSlugs = z.infer<typeof FeaturedSlugs>;

export const HomePage = z.object({
  /** The most common key and tempo of the first featured pack; null if it has none. */
  hero: z.object({ key: z.string().nullable(), bpm: z.int().nullable() }),
  topCreators: z.array(CreatorRef.extend({ downloads: z.int(), sampleCount: z.int() })),
  featuredPacks: z.array(PackCard).max(4),
});
export type HomePage = z.infer<typeof HomePage>;

/** A creator with more than this many samples on sale counts as a top seller. */
export const TOP_SELLER_SAMPLES = 100;
export const CreatorProfile = namedObject('CreatorProfile', {
  ...CreatorRef.shape,
  bio: z.string(),
  twitter: z.string(),
  instagram: z.string(),
  tiktok: z.string(),
  youtube: z.string(),
  totalSamples: z.int(),
  totalPacks: z.int(),
  isTopSeller: z.boolean(),
  packs: z.array(PackCard),
  samples: z.array(Sample).max(10),
});
export type CreatorProfile = z.infer<typeof CreatorProfile>;
