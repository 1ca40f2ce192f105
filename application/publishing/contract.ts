import * as z from 'zod';
import { GenreLabel, InstrumentLabel, KeyLabel, MoodLabel } from '../catalogue/contract.js';
import { WAVEFORM_BARS } from '../catalogue/values.js';
import { FLAWS, SUGGESTED_BY } from '../../domain/publishing/audio.js';
import { PACK_SAMPLE_LIMIT } from '../../domain/publishing/pack.js';
import { KIND_REASONS, KINDS } from '../../domain/shared/kind.js';
import { ORIGINS } from '../../domain/shared/origin.js';
import { SAMPLE_STATUSES } from '../../domain/publishing/sample-status.js';
import { bodyText, Id, IsoTime, lineText, page, namedObject } from '../shared/contract.js';
import {
  APPLICATION_LINKS_LIMIT,
  APPLICATION_MAX_LENGTH,
  AUDIO_LIMIT_MS,
  COST_MAX_CREDITS,
  COST_MIN_CREDITS,
  DESCRIPTION_MAX_LENGTH,
  INSTRUMENTS_LIMIT,
  SAMPLE_TEMPO_MAX_BPM,
  TITLE_MAX_LENGTH,
} from './values.js';

const Cost = z.int().min(COST_MIN_CREDITS).max(COST_MAX_CREDITS);
const Title = lineText(TITLE_MAX_LENGTH).min(1, 'Enter a name');
const Description = bodyText(DESCRIPTION_MAX_LENGTH);

export const NewPackBody = z.strictObject({
  name: Title,
  genre: GenreLabel,
  mood: MoodLabel,
  description: Description.default(''),
});
export const PackInfoBody = z.strictObject({
  name: Title.optional(),
  genre: GenreLabel.optional(),
  mood: MoodLabel.optional(),
  description: Description.optional(),
});

const Tempo = z
  .int('Whole number')
  .min(0, 'Whole number')
  .max(SAMPLE_TEMPO_MAX_BPM, `At most ${SAMPLE_TEMPO_MAX_BPM}`);
const Instruments = z.array(InstrumentLabel).max(INSTRUMENTS_LIMIT);

export const SampleChange = z.strictObject({
  name: Title.optional(),
  bpm: Tempo.optional(),
  key: KeyLabel.nullable().optional(),
  instruments: Instruments.optional(),
  creditCost: Cost.optional(),
  isRoyaltyFree: z.boolean().optional(),
  /** Null takes the statement back: the file, the title, the tempo and the length then decide. */
  kind: z.enum(KINDS).nullable().optional(),
  /** How the sound was made. Null takes the statement back. */
  origin: z.enum(ORIGINS).nullable().optional(),
});

export const PreviewBody = z.strictObject({
  /** Where the preview begins in the original: at most its length less 60 s. */
  startMs: z.int().min(0).max(AUDIO_LIMIT_MS),
});
export const SoundOverview = z.object({
  /** The waveform of the whole original: 400 levels from 0 to 100. */
  bars: z.array(z.int()),
});

/** The `meta` part of an upload. Missing fields come from the file name; the audio analysis only makes suggestions. */
export const SampleMeta = SampleChange.extend({
  /** Where the preview begins. Moved to the last possible place if the sound is shorter than that. */
  previewStartMs: z.int().min(0).max(AUDIO_LIMIT_MS).optional(),
  /** If true, a file that the pack already contains is refused with DuplicateAudio. Otherwise it is added once more. */
  refuseDuplicate: z.boolean().optional(),
  /** Chosen by the browser, to read the progress. A repeated upload with this id adds nothing. */
  uploadId: z.uuid().optional(),
});
/** Changes of many samples. Each row is checked alone, so that an invalid row does not block the others. */
export const SampleChangesBody = z.strictObject({
  changes: z
    .array(z.looseObject({ sampleId: Id }))
    .min(1)
    .max(1_000),
});
export const DefaultCostBody = z.strictObject({ creditCost: Cost, applyToAll: z.boolean().default(false) });
/** The highest possible sum of the prices of a pack's samples. */
export const PACK_PRICE_MAX_CREDITS = PACK_SAMPLE_LIMIT * COST_MAX_CREDITS;
export const PackPriceBody = z.strictObject({
  /** Below the sum of the samples. Null: the pack costs that sum. */
  credits: z.int().min(1).max(PACK_PRICE_MAX_CREDITS).nullable(),
});
const SUGGESTED = {
  /** The chance that the value is right, from 0 to 1. */
  confidence: z.number(),
  /**
   * The source of the suggestion: the sound itself, or the tags or markers of its file. Absent for sounds that were
   * uploaded before tags were read; their source is the sound.
   */
  from: z.enum(SUGGESTED_BY).optional(),
};
export const OwnSample = namedObject('OwnSample', {
  id: Id,
  /** The place of the sample in its pack. Places may have gaps. */
  ordinal: z.int(),
  name: z.string(),
  filename: z.string(),
  format: z.string(),
  sampleRateHz: z.int(),
  bitDepth: z.int().nullable(),
  sizeBytes: z.int(),
  sha256: z.string(),
  durationMs: z.int(),
  bpm: z.int(),
  key: z.string().nullable(),
  instruments: z.array(z.string()),
  creditCost: z.int(),
  isRoyaltyFree: z.boolean(),
  /** As the creator states it; null if not stated. */
  kind: z.enum(KINDS).nullable(),
  origin: z.enum(ORIGINS).nullable(),
  hasStems: z.boolean(),
  hasMidi: z.boolean(),
  previewUrl: z.string().nullable(),
  /** Where the preview begins in the original. */
  previewStartMs: z.int(),
  waveform: z.array(z.int()).length(WAVEFORM_BARS),
  loudnessLufs: z.number().nullable(),
  suggestions: z.object({
    tempo: z.object({ bpm: z.int(), ...SUGGESTED }).nullable(),
    key: z.object({ key: z.string(), ...SUGGESTED }).nullable(),
    /**
     * Null if nothing in the file suggests a
     * kind. Absent for sounds that were uploaded before kinds were suggested.
     */
    kind: z.object({ kind: z.enum(KINDS), confidence: z.number(), because: z.enum(KIND_REASONS) }).nullish(),
    /**
     * Possible mistakes in the sound, such as clipping. Absent for sounds that were uploaded before flaws were
     * measured.
     */
    flaws: z.array(z.enum(FLAWS)).optional(),
  }),
  downloads: z.int(),
  /** How often listeners played it in the last two months. */
  plays: z.int(),
  /** A held sample waits for a decision. A sample that was taken down cannot be downloaded, not even by buyers. */
  status: z.enum(SAMPLE_STATUSES),
  statusReason: z.string().nullable(),
  saved: z.boolean(),
});
export type OwnSample = z.infer<typeof OwnSample>;

export const OwnPackCard = namedObject('OwnPackCard', {
  id: Id,
  title: z.string(),
  slug: z.string(),
  creatorHandle: z.string(),
  genre: z.string(),
  mood: z.string(),
  description: z.string(),
  status: z.enum(['draft', 'published', 'unpublished', 'taken_down']),
  takedownReason: z.string().nullable(),
  artworkUrl: z.string().nullable(),
  /** Whether the creator chose the cover. False: it was drawn from name and genre. */
  hasOwnCover: z.boolean(),
  defaultCreditCost: z.int(),
  /** The price of the whole pack. Null: the sum of its samples. It counts only while it is below that sum. */
  priceCredits: z.int().nullable(),
  sampleCount: z.int(),
  downloads: z.int(),
  createdAt: IsoTime,
  publishedAt: IsoTime.nullable(),
  /** When the pack is to be published. */
  releaseAt: IsoTime.nullable(),
  version: z.int(),
});
export type OwnPackCard = z.infer<typeof OwnPackCard>;
export const OwnPack = OwnPackCard.extend({ samples: z.array(OwnSample) }).meta({ id: 'OwnPack' });
export type OwnPack = z.infer<typeof OwnPack>;
export const OwnPackPage = page(OwnPackCard);
export const SampleChangesAnswer = z.object({
  pack: OwnPack,
  savedIds: z.array(Id),
  refused: z.array(
    z.object({
      sampleId: Id,
      code: z.enum(['NotFound', 'InvalidRequest']),
      errors: z.array(z.object({ path: z.string(), message: z.string() })),
    }),
  ),
});
export const OwnSampleAnswer = z.object({
  sample: OwnSample,
  version: z.int(),
  /** Another sample of the creator with the same bytes as the upload, preferably in the same pack. */
  duplicateOf: z.object({ sampleId: Id, name: z.string(), packId: Id, packTitle: z.string() }).nullish(),
});

export const UploadProgress = z.object({
  phase: z.enum(['receiving', 'decoding', 'analysing', 'encoding', 'storing', 'done', 'failed']),
  share: z.number(),
});

export const DirectParts = z.object({
  /** The size of each part in bytes; the last part may be smaller. */
  partBytes: z.int(),
  /** The parts to send, each with one PUT to its address, which is valid for an hour. Empty once all have arrived. */
  missing: z.array(z.object({ number: z.int(), url: z.url() })),
});
export const CreatorRights = namedObject('CreatorRights', {
  /** How many samples of the creator have each stated origin; null where none is stated. */
  origins: z.array(z.object({ origin: z.enum(ORIGINS).nullable(), samples: z.int() })),
  /** Licences that listeners hold. Each has a signed certificate. */
  licences: z.int(),
});
export type CreatorRights = z.infer<typeof CreatorRights>;
export const ApplicationSound = namedObject('ApplicationSound', {
  id: Id,
  name: z.string(),
  durationMs: z.int(),
  previewUrl: z.string(),
});
export type ApplicationSound = z.infer<typeof ApplicationSound>;
export const ApplicationSounds = z.object({ items: z.array(ApplicationSound) });
export const ApprovalTime = z.object({
  /** The median of the newest decisions. Null if nothing was decided yet. */
  hours: z.number().nullable(),
  decisions: z.int(),
});
export type ApprovalTime = z.infer<typeof ApprovalTime>;
export const CREATOR_STATUSES = ['none', 'applied', 'asked', 'approved', 'declined', 'suspended'] as const;
const WebAddress = lineText(500)
  .refine((text) => /^https?:\/\/\S+$/.test(text) && URL.canParse(text), 'Not a web address')
  .meta({ examples: ['https://example.com/tapes'] });
export const ApplicationBody = z
  .strictObject({
    /** What the applicant makes, or the answer to an administrator's question. */
    text: bodyText(APPLICATION_MAX_LENGTH).optional(),
    /** Pages where their work can be heard. */
    links: z.array(WebAddress).max(APPLICATION_LINKS_LIMIT).optional(),
  })
  .optional();
export const CreatorState = z.object({
  status: z.enum(CREATOR_STATUSES),
  /** Why the application was declined or the creator was suspended, or what an administrator asked the applicant. */
  reason: z.string().nullable(),
  handle: z.string().nullable(),
  displayName: z.string(),
  /** Whether the owner of the account's e-mail address has followed a mailed link. */
  hasConfirmedEmail: z.boolean(),
});
export type CreatorState = z.infer<typeof CreatorState>;
