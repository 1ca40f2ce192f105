import * as z from 'zod';
import { COPY_STATUSES } from '../../../domain/publishing/suspicion.js';
import { Id, IsoTime, page, pageQuery, Reason, namedObject } from '../../shared/contract.js';

const Match = {
  by: z.enum(['hash', 'fingerprint']),
  tier: z.enum(['held', 'listed']),
  /** The similarity, 0 to 100. */
  score: z.int(),
};

export const CopyItem = namedObject('SuspectedCopyItem', {
  id: Id,
  ...Match,
  status: z.enum(COPY_STATUSES),
  title: z.string(),
  artworkUrl: z.string().nullable(),
  genre: z.string(),
  likeTitle: z.string(),
  suspectedAt: IsoTime,
  hasStatement: z.boolean(),
  decidedBy: z.string().nullable(),
  decidedAt: IsoTime.nullable(),
  reason: z.string().nullable(),
});
export type CopyItem = z.infer<typeof CopyItem>;
export const CopyPage = page(CopyItem);
export type CopyPage = z.infer<typeof CopyPage>;
export const CopiesQuery = z.object({
  ...pageQuery,
  state: z.enum(['open', 'decided']).default('open'),
});

/** Counts of waiting suspicions, and of decisions in this month (UTC). */
export const CopyCounts = z.object({
  waiting: z.int(),
  month: z.string(),
  allowed: z.int(),
  refused: z.int(),
  takenDown: z.int(),
});
export type CopyCounts = z.infer<typeof CopyCounts>;

export const CopySide = namedObject('CopySide', {
  sampleId: Id,
  title: z.string(),
  packId: Id,
  packTitle: z.string(),
  packSlug: z.string(),
  artworkUrl: z.string().nullable(),
  genre: z.string(),
  creatorId: Id,
  creatorName: z.string(),
  creatorHandle: z.string().nullable(),
  creatorSince: IsoTime.nullable(),
  /** The number of the creator's strikes in the last twelve months. */
  strikes: z.int(),
  place: z.enum(['on sale', 'held', 'draft', 'unpublished', 'refused', 'taken down', 'removed', 'replaced']),
  uploadedAt: IsoTime,
  publishedAt: IsoTime.nullable(),
  licences: z.int(),
  /** The creator's shares of this sample's sales that are not released yet. */
  onHoldMicroUsd: z.int(),
  key: z.string().nullable(),
  bpm: z.int(),
  durationMs: z.int(),
  previewUrl: z.string(),
  /** Peaks over the whole `durationMs`, 0 to 100. */
  waveform: z.array(z.int()),
});
export type CopySide = z.infer<typeof CopySide>;

export const SuspectedCopy = CopyItem.omit({ title: true, likeTitle: true, artworkUrl: true, genre: true })
  .extend({
    newcomer: CopySide,
    original: CopySide,
    /** How many of the compared frames agree. 0 of 0 if the files are identical. */
    frames: z.object({ agree: z.int(), of: z.int() }),
    stretch: z.object({ fromMs: z.int(), toMs: z.int(), likeFromMs: z.int(), likeToMs: z.int() }),
    offsetMs: z.int(),
    speed: z.number(),
    /** How much higher the newcomer is than the original, in hundredths of a semitone. */
    pitchCents: z.int(),
    alsoLike: z.array(z.string()),
    /** When the newcomer's creator bought the original. Null if never. */
    licensedAt: IsoTime.nullable(),
    statement: z.object({ kind: z.enum(['licence', 'own work']), text: z.string() }).nullable(),
    answer: z.string().nullable(),
    consequences: z.object({ allow: z.string(), refuse: z.string(), takeDown: z.string() }),
  })
  .meta({ id: 'SuspectedCopy' });
export type SuspectedCopy = z.infer<typeof SuspectedCopy>;

/** The reason is optional for `allowed`. For `refused`, the newcomer's creator reads it. */
export const CopyDecisionBody = z.discriminatedUnion('decision', [
  z.strictObject({
    decision: z.literal('allowed'),
    reason: Reason.optional(),
    /** Whether to stop suspecting other pairs of these two creators, too. */
    andOthers: z.boolean().default(false),
  }),
  z.strictObject({ decision: z.literal('refused'), reason: Reason }),
]);
export const OwnCopy = namedObject('OwnCopy', {
  id: Id,
  /** `newcomer`: the caller's sound may be a copy. `original`: the caller's sound may have been copied. */
  side: z.enum(['newcomer', 'original']),
  status: z.enum(COPY_STATUSES),
  isHeld: z.boolean(),
  suspectedAt: IsoTime,
  sample: z.object({ id: Id, title: z.string(), packId: Id, packTitle: z.string() }),
  /** The other sound; null if it is not on sale. */
  other: z
    .object({
      title: z.string(),
      packTitle: z.string(),
      packSlug: z.string(),
      creatorHandle: z.string(),
      creatorName: z.string(),
    })
    .nullable(),
  /** The caller's statement or answer. */
  said: z.string().nullable(),
  decidedAt: IsoTime.nullable(),
  /** The reason of the decision. Null for the original's creator, who must not read it. */
  reason: z.string().nullable(),
});
export type OwnCopy = z.infer<typeof OwnCopy>;
export const OwnCopies = z.object({ items: z.array(OwnCopy) });
export type OwnCopies = z.infer<typeof OwnCopies>;
