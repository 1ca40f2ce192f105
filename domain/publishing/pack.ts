import type { Decider } from '../shared/decider.js';
import { accept, assert, reject, unreachable, type Decision } from '../shared/decision.js';
import type { SampleDescription } from './audio.js';
import type { PackCommand, PackEvent, PackRejection, TakeDownPack } from './pack-messages.js';

/** Stream `pack-{packId}`: a creator's pack from its first draft on. */
const streamOf = (packId: string): string => `pack-${packId}`;

export const PACK_SAMPLE_LIMIT = 1_000;
export const DEFAULT_COST_CREDITS = 1;

export interface PackSample extends SampleDescription {
  sampleId: string;
  priceCredits: number;
  audioVersion: number;
  /** Of the original. */
  sha256: string;
}

interface PackContents {
  packId: string;
  creatorId: string;
  name: string;
  slug: string;
  genre: string;
  mood: string;
  description: string;
  defaultCostCredits: number;
  coverKey: string | null;
  /** In the order of the pack. */
  samples: PackSample[];
  /** A removed sample never comes back under its id. */
  removedSampleIds: string[];
}

export type Pack =
  | { status: 'none' }
  | ({ status: 'draft' } & PackContents)
  /** `publishedAt` is the first publication, even if the pack was unpublished in between. */
  | ({ status: 'published' | 'unpublished'; publishedAt: string } & PackContents)
  | ({ status: 'taken_down'; reason: string } & PackContents)
  | ({ status: 'deleted' } & PackContents);

export type PackDecision = Decision<PackEvent, PackRejection>;

const initialState: Pack = { status: 'none' };

function decide(command: PackCommand | TakeDownPack, pack: Pack): PackDecision {
  if (command.type === 'DraftPack') return draft(command, pack);
  if (pack.status === 'none') return reject({ code: 'NotFound' });
  if (command.type === 'TakeDownPack') return takeDown(command, pack);
  if (pack.creatorId !== command.actorId) return reject({ code: 'NotFound' });
  if (pack.status === 'deleted')
    return command.type === 'DeletePack' ? accept() : reject({ code: 'PackDeleted' });
  if (pack.status === 'taken_down') return reject({ code: 'PackTakenDown', reason: pack.reason });
  return decideOwned(command, pack);
}

type Live = Extract<Pack, { status: 'draft' | 'unpublished' | 'published' }>;
type Owned<Type extends PackCommand['type']> = Extract<PackCommand, { type: Type }>;

function draft(command: Owned<'DraftPack'>, pack: Pack): PackDecision {
  const { packId, actorId: creatorId, name, slug, folder, genre, mood, description, now: at } = command;
  if (pack.status !== 'none') return pack.creatorId === creatorId ? accept() : reject({ code: 'NotFound' });
  return accept({
    type: 'PackDrafted',
    data: {
      packId,
      at,
      creatorId,
      name,
      slug,
      folder,
      genre,
      mood,
      description,
      defaultCostCredits: DEFAULT_COST_CREDITS,
    },
  });
}

function takeDown({ packId, reason, now: at }: TakeDownPack, pack: Pack): PackDecision {
  if (pack.status === 'taken_down') return accept();
  return accept({ type: 'PackTakenDown', data: { packId, at, reason } });
}

function decideOwned(command: Exclude<PackCommand, Owned<'DraftPack'>>, pack: Live): PackDecision {
  const { packId, now: at } = command;
  const changed = (event: PackEvent, same: boolean): PackDecision => (same ? accept() : accept(event));
  switch (command.type) {
    case 'RenamePack': {
      const { name, slug } = command;
      return changed({ type: 'PackRenamed', data: { packId, at, name, slug } }, name === pack.name);
    }
    case 'DescribePack': {
      const { description } = command;
      return changed(
        { type: 'PackDescribed', data: { packId, at, description } },
        description === pack.description,
      );
    }
    case 'ClassifyPack': {
      const { genre, mood } = command;
      return changed(
        { type: 'PackClassified', data: { packId, at, genre, mood } },
        genre === pack.genre && mood === pack.mood,
      );
    }
    case 'ReplaceCover': {
      const { coverKey } = command;
      return changed(
        { type: 'PackCoverReplaced', data: { packId, at, coverKey } },
        coverKey === pack.coverKey,
      );
    }
    case 'ReorderSamples': {
      const { sampleIds } = command;
      const now = pack.samples.map((sample) => sample.sampleId);
      if ([...sampleIds].sort().join() !== [...now].sort().join())
        return reject({ code: 'SampleOrderMismatch' });
      return changed(
        { type: 'SamplesReordered', data: { packId, at, sampleIds } },
        sampleIds.join() === now.join(),
      );
    }
    case 'ChangeDefaultCost':
      return changeDefaultCost(command, pack);
    case 'PublishPack':
      if (pack.status === 'published')
        return reject({ code: 'PackAlreadyPublished', publishedAt: pack.publishedAt });
      if (pack.samples.length === 0) return reject({ code: 'PackHasNoSamples' });
      // A pack that comes back is not new: its first date stays.
      return accept({
        type: 'PackPublished',
        data: { packId, at, publishedAt: pack.status === 'unpublished' ? pack.publishedAt : at },
      });
    case 'UnpublishPack':
      if (pack.status !== 'published') return reject({ code: 'PackNotPublished' });
      return accept({ type: 'PackUnpublished', data: { packId, at } });
    case 'DeletePack':
      return accept({ type: 'PackDeleted', data: { packId, at } });
    case 'AddSample':
      return addSample(command, pack);
    default:
      return decideOnSample(command, pack);
  }
}

function changeDefaultCost(
  { packId, now: at, priceCredits, applyToAll }: Owned<'ChangeDefaultCost'>,
  pack: Live,
): PackDecision {
  const events: PackEvent[] = [];
  if (priceCredits !== pack.defaultCostCredits)
    events.push({ type: 'DefaultCostChanged', data: { packId, at, priceCredits } });
  for (const { sampleId, priceCredits: current } of applyToAll ? pack.samples : [])
    if (current !== priceCredits)
      events.push({ type: 'SamplePriceChanged', data: { packId, at, sampleId, priceCredits } });
  return accept(...events);
}

function addSample(command: Owned<'AddSample'>, pack: Live): PackDecision {
  const { packId, now: at, sampleId, description, audio } = command;
  if (pack.samples.some((sample) => sample.sampleId === sampleId)) return accept();
  if (pack.removedSampleIds.includes(sampleId)) return reject({ code: 'NotFound' });
  if (pack.samples.length >= PACK_SAMPLE_LIMIT)
    return reject({ code: 'TooManySamples', limit: PACK_SAMPLE_LIMIT });
  const duplicate = command.refuseDuplicate && pack.samples.find(({ sha256 }) => sha256 === audio.sha256);
  if (duplicate)
    return reject({
      code: 'DuplicateAudio',
      sampleId: duplicate.sampleId,
      name: duplicate.title,
      among: 'pack',
    });
  const priceCredits = command.priceCredits ?? pack.defaultCostCredits;
  return accept({
    type: 'SampleAdded',
    data: {
      packId,
      at,
      sampleId,
      creatorId: pack.creatorId,
      priceCredits,
      ...description,
      ...audio,
      audioVersion: 1,
    },
  });
}

type SampleCommand = Owned<
  'ChangeSample' | 'ReplaceSampleAudio' | 'RemoveSample' | 'AttachStems' | 'AttachMidi'
>;

function decideOnSample(command: SampleCommand, pack: Live): PackDecision {
  const { packId, now: at, sampleId } = command;
  const sample = pack.samples.find((each) => each.sampleId === sampleId);
  if (!sample) return reject({ code: 'NotFound' });
  switch (command.type) {
    case 'ChangeSample':
      return changeSample(command, sample);
    case 'ReplaceSampleAudio': {
      const audio = { ...command.audio, audioVersion: sample.audioVersion + 1 };
      return accept({ type: 'SampleAudioReplaced', data: { packId, at, sampleId, ...audio } });
    }
    case 'RemoveSample':
      return accept({ type: 'SampleRemoved', data: { packId, at, sampleId } });
    case 'AttachStems':
      return accept({ type: 'StemsAttached', data: { packId, at, sampleId, ...command.attachment } });
    case 'AttachMidi':
      return accept({ type: 'MidiAttached', data: { packId, at, sampleId, ...command.attachment } });
    default:
      return unreachable(command);
  }
}

function changeSample(command: Owned<'ChangeSample'>, sample: PackSample): PackDecision {
  const { packId, now: at, sampleId, priceCredits } = command;
  const before = describe(sample);
  const after = { ...before, ...command.description };
  const events: PackEvent[] = [];
  if (JSON.stringify(before) !== JSON.stringify(after))
    events.push({ type: 'SampleDescribed', data: { packId, at, sampleId, ...after } });
  if (priceCredits !== undefined && priceCredits !== sample.priceCredits)
    events.push({ type: 'SamplePriceChanged', data: { packId, at, sampleId, priceCredits } });
  return accept(...events);
}

const describe = ({ title, bpm, key, instruments, isRoyaltyFree }: SampleDescription): SampleDescription => ({
  title,
  bpm,
  key,
  instruments,
  isRoyaltyFree,
});

const firstPublishedAt = (pack: Pack): string | undefined =>
  'publishedAt' in pack ? pack.publishedAt : undefined;

/** The samples on sale in both of two states of a pack. */
export function newlyOnSale(before: Pack, after: Pack): PackSample[] {
  if (after.status !== 'published') return [];
  const were = new Set(
    before.status === 'published'
      ? before.samples.map(({ sampleId, sha256 }) => `${sampleId} ${sha256}`)
      : [],
  );
  return after.samples.filter(({ sampleId, sha256 }) => !were.has(`${sampleId} ${sha256}`));
}

/** Names the creator's own sample, and says nothing about the other creator's. */
export const publishedByAnother = ({ sampleId, title }: PackSample): PackRejection => ({
  code: 'DuplicateAudio',
  sampleId,
  name: title,
  among: 'catalogue',
  detail: `“${title}” is the same recording as one that another creator published before.`,
});

function evolve(pack: Pack, { type, data }: PackEvent): Pack {
  if (type === 'PackDrafted') {
    const { packId, creatorId, name, slug, genre, mood, description, defaultCostCredits } = data;
    const contents = { packId, creatorId, name, slug, genre, mood, description, defaultCostCredits };
    return { status: 'draft', ...contents, coverKey: null, samples: [], removedSampleIds: [] };
  }
  assert(pack.status !== 'none', `${type} before PackDrafted`);
  const onSample = (sampleId: string, change: Partial<PackSample>): Pack => ({
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
      };
    }
    case 'SampleDescribed':
      return onSample(data.sampleId, describe(data));
    case 'SamplePriceChanged':
      return onSample(data.sampleId, { priceCredits: data.priceCredits });
    case 'SampleAudioReplaced':
      return onSample(data.sampleId, { audioVersion: data.audioVersion, sha256: data.sha256 });
    case 'SampleRemoved':
      return {
        ...pack,
        samples: pack.samples.filter((each) => each.sampleId !== data.sampleId),
        removedSampleIds: [...pack.removedSampleIds, data.sampleId],
      };
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
      return { ...pack, status: 'taken_down', reason: data.reason };
    case 'StemsAttached':
    case 'MidiAttached':
      return pack;
    default:
      return unreachable(type);
  }
}

export const packDecider: Decider<PackCommand | TakeDownPack, Pack, PackEvent, PackRejection> = {
  streamOf,
  initialState,
  decide,
  evolve,
};
