import { assert, unreachable } from '../shared/decision.js';
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
  coverKey: string | null;
  samples: PackSample[];
  /** The hash of the original of every current or removed sample. A removed sample never returns under its id. */
  recordings: Readonly<Record<string, string>>;
  claims: Claims;
}

export type Pack =
  | { status: 'none' }
  | ({ status: 'draft' } & PackContents)
  /** `publishedAt` is the first publication, even if the pack was unpublished in between. */
  | ({ status: 'published' | 'unpublished'; publishedAt: string } & PackContents)
  | ({ status: 'taken_down'; why: Reason } & PackContents)
  | ({ status: 'deleted' } & PackContents);

export const statusIn = ({ claims }: PackContents, { sampleId, sha256 }: PackSample): SampleStatus =>
  statusOf(claims, sampleId, sha256);

export const describe = ({
  title,
  bpm,
  key,
  instruments,
  isRoyaltyFree,
}: SampleDescription): SampleDescription => ({
  title,
  bpm,
  key,
  instruments,
  isRoyaltyFree,
});

const firstPublishedAt = (pack: Pack): string | undefined =>
  'publishedAt' in pack ? pack.publishedAt : undefined;

const onSale = (pack: Pack): PackSample[] =>
  pack.status === 'published' ? pack.samples.filter((sample) => statusIn(pack, sample) === 'free') : [];

/** Returns the samples that went on sale between two states of a pack, except samples that a decision allowed. */
export function newlyOnSale(before: Pack, after: Pack): PackSample[] {
  const were = new Set(onSale(before).map(({ sampleId, sha256 }) => `${sampleId} ${sha256}`));
  return onSale(after).filter(
    ({ sampleId, sha256 }) =>
      !were.has(`${sampleId} ${sha256}`) &&
      !(after.status === 'published' && isAllowed(after.claims, sampleId, sha256)),
  );
}

type Existing = Exclude<Pack, { status: 'none' }>;

export function evolve(pack: Pack, event: PackEvent): Pack {
  const { type, data } = event;
  if (type === 'PackDrafted') {
    const { packId, creatorId, name, slug, genre, mood, description, defaultCostCredits } = data;
    const contents = { packId, creatorId, name, slug, genre, mood, description, defaultCostCredits };
    return { status: 'draft', ...contents, coverKey: null, samples: [], recordings: {}, claims: {} };
  }
  assert(pack.status !== 'none', `${type} before PackDrafted`);
  const onSample = (sampleId: string, change: Partial<PackSample>): Existing => ({
    ...pack,
    samples: pack.samples.map((each) => (each.sampleId === sampleId ? { ...each, ...change } : each)),
  });
  switch (type) {
    case 'PackRenamed':
      return { ...pack, name: data.name, slug: data.slug };
    case 'PackDescribed':
      return { ...pack, description: data.description };
    case 'PackClassified':
      return { ...pack, genre: data.genre, mood: data.mood };
    case 'PackCoverReplaced':
      return { ...pack, coverKey: data.coverKey };
    case 'SampleAdded': {
      const { sampleId, priceCredits, audioVersion, sha256 } = data;
      return {
        ...pack,
        samples: [...pack.samples, { sampleId, priceCredits, audioVersion, sha256, ...describe(data) }],
        recordings: { ...pack.recordings, [sampleId]: sha256 },
      };
    }
    case 'SampleDescribed':
      return onSample(data.sampleId, describe(data));
    case 'SamplePriceChanged':
      return onSample(data.sampleId, { priceCredits: data.priceCredits });
    case 'SampleAudioReplaced': {
      const { sampleId, audioVersion, sha256 } = data;
      const recordings = { ...pack.recordings, [sampleId]: sha256 };
      return { ...onSample(sampleId, { audioVersion, sha256 }), recordings };
    }
    case 'SampleRemoved':
      return { ...pack, samples: pack.samples.filter((each) => each.sampleId !== data.sampleId) };
    case 'SamplesReordered': {
      const place = new Map(data.sampleIds.map((sampleId, index) => [sampleId, index]));
      const order = (sample: PackSample): number => place.get(sample.sampleId) ?? data.sampleIds.length;
      return { ...pack, samples: [...pack.samples].sort((a, b) => order(a) - order(b)) };
    }
    case 'DefaultCostChanged':
      return { ...pack, defaultCostCredits: data.priceCredits };
    case 'PackPublished':
      return { ...pack, status: 'published', publishedAt: firstPublishedAt(pack) ?? data.publishedAt };
    case 'PackUnpublished':
      return { ...pack, status: 'unpublished', publishedAt: firstPublishedAt(pack) ?? data.at };
    case 'PackDeleted':
      return { ...pack, status: 'deleted' };
    case 'PackTakenDown':
      return { ...pack, status: 'taken_down', why: reasonIn(data) };
    case 'StemsAttached':
    case 'MidiAttached':
      return pack;
    case 'SampleHeld':
    case 'SampleRefused':
    case 'SampleTakenDown':
    case 'SampleReleased':
      return { ...pack, claims: evolveClaims(pack.claims, event as SampleStatusEvent) };
    default:
      return unreachable(type);
  }
}
