import { byType } from '../shared/by-type.js';
import { assert } from '../shared/decision.js';
import { reasonIn, type Reason } from '../shared/remark.js';
import type { SampleDescription } from './audio.js';
import type { PackEvent } from './pack-messages.js';
import {
  evolveClaims,
  isAllowed,
  statusOf,
  type Claims,
  type SampleStatus,
  type SampleStatusEvent,
} from './sample-status.js';

export interface PackSample extends SampleDescription {
  sampleId: string;
  priceCredits: number;
  audioVersion: number;
  sha256: string;
}

export interface PackContents {
  packId: string;
  creatorId: string;
  name: string;
  slug: string;
  genre: string;
  mood: string;
  description: string;
  defaultCostCredits: number;
  /** The price of the whole pack. It counts while it is below the sum of the samples; see `priceInForce`. */
  priceCredits: number | null;
  coverKey: string | null;
  /** When the pack is to be published. Always null while it is published. */
  releaseAt: string | null;
  samples: PackSample[];
  /** The hash of the original of every sample, also of removed samples, whose ids are never used again. */
  recordings: Readonly<Record<string, string>>;
  claims: Claims;
}

export type Pack =
  | { status: 'none' }
  | ({ status: 'draft' } & PackContents)
  /** `publishedAt` is the date of the first publication, even if the pack was unpublished later. */
  | ({ status: 'published' | 'unpublished'; publishedAt: string } & PackContents)
  | ({ status: 'taken_down'; why: Reason } & PackContents)
  | ({ status: 'deleted' } & PackContents);

export const statusIn = ({ claims }: PackContents, { sampleId, sha256 }: PackSample): SampleStatus =>
  statusOf(claims, sampleId, sha256);

export function describe(sample: SampleDescription): SampleDescription {
  const { title, bpm, key, instruments, isRoyaltyFree, kind = null, origin = null } = sample;
  return { title, bpm, key, instruments, isRoyaltyFree, kind, origin };
}

const firstPublishedAt = (pack: Pack): string | undefined =>
  'publishedAt' in pack ? pack.publishedAt : undefined;

const onSale = (pack: Pack): PackSample[] =>
  pack.status === 'published' ? pack.samples.filter((sample) => statusIn(pack, sample) === 'free') : [];

/** Returns the samples that went on sale between two states of a pack, without those that a decision allowed. */
export function newlyOnSale(before: Pack, after: Pack): PackSample[] {
  const were = new Set(onSale(before).map(({ sampleId, sha256 }) => `${sampleId} ${sha256}`));
  return onSale(after).filter(
    ({ sampleId, sha256 }) =>
      !were.has(`${sampleId} ${sha256}`) &&
      !(after.status === 'published' && isAllowed(after.claims, sampleId, sha256)),
  );
}

type Existing = Exclude<Pack, { status: 'none' }>;

const withSample = (pack: Existing, sampleId: string, change: Partial<PackSample>): Existing => ({
  ...pack,
  samples: pack.samples.map((each) => (each.sampleId === sampleId ? { ...each, ...change } : each)),
});

const claimed = (event: SampleStatusEvent, pack: Existing): Existing => ({
  ...pack,
  claims: evolveClaims(pack.claims, event),
});

const evolving = byType<Exclude<PackEvent, { type: 'PackDrafted' }>, [pack: Existing], Existing>({
  PackRenamed: ({ data: { name, slug } }, pack) => ({ ...pack, name, slug }),
  PackDescribed: ({ data: { description } }, pack) => ({ ...pack, description }),
  PackClassified: ({ data: { genre, mood } }, pack) => ({ ...pack, genre, mood }),
  PackCoverReplaced: ({ data: { coverKey } }, pack) => ({ ...pack, coverKey }),
  SampleAdded: ({ data }, pack) => {
    const { sampleId, priceCredits, audioVersion, sha256 } = data;
    return {
      ...pack,
      samples: [...pack.samples, { sampleId, priceCredits, audioVersion, sha256, ...describe(data) }],
      recordings: { ...pack.recordings, [sampleId]: sha256 },
    };
  },
  SampleDescribed: ({ data }, pack) => withSample(pack, data.sampleId, describe(data)),
  SamplePriceChanged: ({ data: { sampleId, priceCredits } }, pack) =>
    withSample(pack, sampleId, { priceCredits }),
  SampleAudioReplaced: ({ data: { sampleId, audioVersion, sha256 } }, pack) => ({
    ...withSample(pack, sampleId, { audioVersion, sha256 }),
    recordings: { ...pack.recordings, [sampleId]: sha256 },
  }),
  SampleRemoved: ({ data }, pack) => ({
    ...pack,
    samples: pack.samples.filter((each) => each.sampleId !== data.sampleId),
  }),
  SamplesReordered: ({ data: { sampleIds } }, pack) => {
    const place = new Map(sampleIds.map((sampleId, index) => [sampleId, index]));
    const order = (sample: PackSample): number => place.get(sample.sampleId) ?? sampleIds.length;
    return { ...pack, samples: [...pack.samples].sort((a, b) => order(a) - order(b)) };
  },
  PackPriced: ({ data: { priceCredits } }, pack) => ({ ...pack, priceCredits }),
  DefaultCostChanged: ({ data }, pack) => ({ ...pack, defaultCostCredits: data.priceCredits }),
  PackPublished: ({ data }, pack) => ({
    ...pack,
    status: 'published',
    publishedAt: firstPublishedAt(pack) ?? data.publishedAt,
    releaseAt: null,
  }),
  PackUnpublished: ({ data }, pack) => ({
    ...pack,
    status: 'unpublished',
    publishedAt: firstPublishedAt(pack) ?? data.at,
  }),
  PackDeleted: (_, pack) => ({ ...pack, status: 'deleted' }),
  PackTakenDown: ({ data }, pack) => ({ ...pack, status: 'taken_down', why: reasonIn(data) }),
  ReleaseScheduled: ({ data: { releaseAt } }, pack) => ({ ...pack, releaseAt }),
  ReleaseCancelled: (_, pack) => ({ ...pack, releaseAt: null }),
  SamplePreviewChosen: (_, pack) => pack,
  StemsAttached: (_, pack) => pack,
  MidiAttached: (_, pack) => pack,
  SampleHeld: claimed,
  SampleRefused: claimed,
  SampleTakenDown: claimed,
  SampleReleased: claimed,
});

export const PACK_EVENT_TYPES = ['PackDrafted', ...evolving.types] as const;

export function evolve(pack: Pack, event: PackEvent): Pack {
  if (event.type === 'PackDrafted') {
    const { at: _, folder: __, ...contents } = event.data;
    const empty = {
      coverKey: null,
      priceCredits: null,
      releaseAt: null,
      samples: [],
      recordings: {},
      claims: {},
    };
    return { status: 'draft', ...contents, ...empty };
  }
  assert(pack.status !== 'none', `${event.type} before PackDrafted`);
  return evolving.of(event, pack);
}
