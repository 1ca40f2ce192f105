import type { Origin } from '../shared/origin.js';
import { accept, reject, unreachable, type Decision, type Decider } from '../shared/decision.js';
import { sumOf } from '../shared/micro-usd.js';
import { priceInForce } from '../shared/pack-price.js';
import { reasonIn } from '../shared/remark.js';
import type { CreatorStatus } from './creator-access.js';
import type { PackCommand, PackEvent, PackRejection, StaffCommand, TakeDownPack } from './pack-messages.js';
import { describe, evolve, newlyOnSale, statusIn, type Pack, type PackSample } from './pack-state.js';
import { decideOnClaim } from './sample-status.js';

export const PACK_SAMPLE_LIMIT = 1_000;
const DEFAULT_COST_CREDITS = 1;
const RELEASE_LIMIT_DAYS = 366;

type PackDecision = Decision<PackEvent, PackRejection>;

function decide(command: PackCommand | StaffCommand, pack: Pack): PackDecision {
  if (command.type === 'DraftPack') return draft(command, pack);
  if (pack.status === 'none') return reject({ code: 'NotFound' });
  if (command.type === 'TakeDownPack') return takeDown(command, pack);
  if ('because' in command) return decideOnClaim(command, pack);
  if (pack.creatorId !== command.actorId) return reject({ code: 'NotFound' });
  if (pack.status === 'deleted')
    return command.type === 'DeletePack' ? accept() : reject({ code: 'PackDeleted' });
  if (pack.status === 'taken_down') return reject({ code: 'PackTakenDown', ...pack.why });
  return decideOwned(command, pack);
}

type Live = Extract<Pack, { status: 'draft' | 'unpublished' | 'published' }>;
type Owned<Type extends PackCommand['type']> = Extract<PackCommand, { type: Type }>;

function draft(command: Owned<'DraftPack'>, pack: Pack): PackDecision {
  const { type: _, actorId: creatorId, now: at, ...drafted } = command;
  if (pack.status !== 'none') return pack.creatorId === creatorId ? accept() : reject({ code: 'NotFound' });
  const data = { ...drafted, at, creatorId, defaultCostCredits: DEFAULT_COST_CREDITS };
  return accept({ type: 'PackDrafted', data });
}

function takeDown(command: TakeDownPack, pack: Pack): PackDecision {
  const { packId, actorId: by, now: at } = command;
  if (pack.status === 'taken_down') return accept();
  return accept({ type: 'PackTakenDown', data: { packId, at, ...reasonIn(command), by } });
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
      const isSame = description === pack.description;
      return changed({ type: 'PackDescribed', data: { packId, at, description } }, isSame);
    }
    case 'ClassifyPack': {
      const { genre, mood } = command;
      const isSame = genre === pack.genre && mood === pack.mood;
      return changed({ type: 'PackClassified', data: { packId, at, genre, mood } }, isSame);
    }
    case 'ReplaceCover': {
      const { coverKey, drawn } = command;
      const isSame = coverKey === pack.coverKey;
      return changed({ type: 'PackCoverReplaced', data: { packId, at, coverKey, drawn } }, isSame);
    }
    case 'ReorderSamples': {
      const { sampleIds } = command;
      const now = pack.samples.map((sample) => sample.sampleId);
      if ([...sampleIds].sort().join() !== [...now].sort().join())
        return reject({ code: 'SampleOrderMismatch' });
      const isSame = sampleIds.join() === now.join();
      return changed({ type: 'SamplesReordered', data: { packId, at, sampleIds } }, isSame);
    }
    case 'ChangeDefaultCost':
      return changeDefaultCost(command, pack);
    case 'PricePack':
      return price(command, pack);
    case 'PublishPack':
      if (pack.status === 'published')
        return reject({ code: 'PackAlreadyPublished', publishedAt: pack.publishedAt });
      return publish(command, pack);
    case 'ScheduleRelease':
      return schedule(command, pack);
    case 'CancelRelease':
      return changed({ type: 'ReleaseCancelled', data: { packId, at } }, pack.releaseAt === null);
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

/** Later changes of the samples keep the price, which counts only while it is below their sum. */
function price({ packId, now: at, priceCredits }: Owned<'PricePack'>, pack: Live): PackDecision {
  if (priceCredits === pack.priceCredits) return accept();
  const sold = pack.samples.filter((sample) => statusIn(pack, sample) === 'free');
  const sumCredits = sumOf(sold.map((sample) => sample.priceCredits));
  if (priceCredits !== null && priceInForce(priceCredits, sumCredits) === null)
    return reject({ code: 'PackPriceTooHigh', sumCredits });
  return accept({ type: 'PackPriced', data: { packId, at, priceCredits } });
}

/** Publishes the pack without its withheld samples. */
function publish({ packId, now: at }: Owned<'PublishPack'>, pack: Live): PackDecision {
  if (pack.samples.every((sample) => statusIn(pack, sample) !== 'free'))
    return reject(whyNothingIsFree(pack));
  // A pack that is published again keeps its first date, so that it does not appear as new.
  const publishedAt = pack.status === 'unpublished' ? pack.publishedAt : at;
  return accept({ type: 'PackPublished', data: { packId, at, publishedAt } });
}

/**
 * Scheduling a release makes the same checks as publishing, so that the release does not fail for a reason that was
 * already known.
 */
function schedule(command: Owned<'ScheduleRelease'>, pack: Live): PackDecision {
  const { packId, now: at, releaseAt } = command;
  if (pack.status === 'published')
    return reject({ code: 'PackAlreadyPublished', publishedAt: pack.publishedAt });
  const latest = new Date(Date.parse(at) + RELEASE_LIMIT_DAYS * 86_400_000).toISOString();
  if (releaseAt <= at || releaseAt > latest)
    return reject({ code: 'ReleaseTimeRefused', earliest: at, latest });
  if (pack.samples.every((sample) => statusIn(pack, sample) !== 'free'))
    return reject(whyNothingIsFree(pack));
  if (releaseAt === pack.releaseAt) return accept();
  return accept({ type: 'ReleaseScheduled', data: { packId, at, releaseAt } });
}

function whyNothingIsFree(pack: Live): PackRejection {
  const held = pack.samples.find((sample) => statusIn(pack, sample) === 'held');
  if (!held) return { code: 'PackHasNoSamples' };
  const { sampleId, title: name } = held;
  const isSuspected = Object.entries(pack.claims[sampleId] ?? {}).some(
    ([key, claim]) => claim === 'held' && key.startsWith('copy:') && key.endsWith(held.sha256),
  );
  return { code: isSuspected ? 'DuplicateSuspected' : 'SampleHeld', sampleId, name };
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
  if (pack.recordings[sampleId] !== undefined) return reject({ code: 'NotFound' });
  const { limit = PACK_SAMPLE_LIMIT } = command;
  if (pack.samples.length >= limit) return reject({ code: 'TooManySamples', limit });
  const duplicate = command.refuseDuplicate && pack.samples.find(({ sha256 }) => sha256 === audio.sha256);
  if (duplicate) {
    const { sampleId, title: name } = duplicate;
    return reject({ code: 'DuplicateAudio', sampleId, name, among: 'pack' });
  }
  const { creatorId, defaultCostCredits } = pack;
  const priceCredits = command.priceCredits ?? defaultCostCredits;
  const sample = { sampleId, creatorId, priceCredits, ...description, ...audio, audioVersion: 1 };
  return accept({ type: 'SampleAdded', data: { packId, at, ...sample } });
}

type SampleCommand = Owned<
  'ChangeSample' | 'ReplaceSampleAudio' | 'ChoosePreview' | 'RemoveSample' | 'AttachStems' | 'AttachMidi'
>;

function decideOnSample(command: SampleCommand, pack: Live): PackDecision {
  const { packId, now: at, sampleId } = command;
  const sample = pack.samples.find((each) => each.sampleId === sampleId);
  if (!sample) return reject({ code: 'NotFound' });
  if (command.type === 'ChangeSample') return changeSample(command, sample);
  if (statusIn(pack, sample) === 'taken_down') return reject({ code: 'SampleTakenDown', sampleId });
  switch (command.type) {
    case 'ReplaceSampleAudio': {
      const audio = { ...command.audio, audioVersion: sample.audioVersion + 1 };
      return accept({ type: 'SampleAudioReplaced', data: { packId, at, sampleId, ...audio } });
    }
    case 'ChoosePreview':
      if (command.sha256 !== sample.sha256) return reject({ code: 'AudioReplaced' });
      return accept({ type: 'SamplePreviewChosen', data: { packId, at, sampleId, ...command.preview } });
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

const TAKES_OFF_SALE: ReadonlySet<PackEvent['type']> = new Set([
  'PackUnpublished',
  'PackDeleted',
  'PackTakenDown',
  'SampleRemoved',
]);

const PUTS_ON_SALE: ReadonlySet<PackEvent['type']> = new Set(['PackPublished', 'ReleaseScheduled']);

/** A suspended creator may edit a pack that is not on sale. If it is on sale: only end the sale or remove samples. */
export function stoppedBySuspension(
  creator: CreatorStatus,
  before: Pack,
  events: readonly PackEvent[],
): PackRejection | undefined {
  if (creator.status !== 'suspended') return undefined;
  const isStopped = ({ type }: PackEvent) =>
    before.status === 'published' ? !TAKES_OFF_SALE.has(type) : PUTS_ON_SALE.has(type);
  return events.some(isStopped)
    ? {
        code: 'CreatorSuspended',
        detail:
          'Your creator access is suspended. You can take packs and samples off sale, but not change them.',
      }
    : undefined;
}

/**
 * The refusal for the first sample whose origin is not accepted. Checks only samples that are new, whose origin
 * changed, or that go on sale.
 */
export function notAccepted(
  refused: readonly Origin[],
  before: Pack,
  after: Pack,
): PackRejection | undefined {
  if (after.status === 'none') return undefined;
  const stated = new Map(
    before.status === 'none' ? [] : before.samples.map(({ sampleId, origin }) => [sampleId, origin]),
  );
  const onSale = new Set(newlyOnSale(before, after));
  for (const sample of after.samples) {
    const { sampleId, title: name, origin } = sample;
    const isNew = stated.get(sampleId) !== origin || onSale.has(sample);
    if (origin && refused.includes(origin) && isNew)
      return { code: 'OriginNotAccepted', sampleId, name, origin };
  }
  return undefined;
}

/**
 * The refusal for the first sample without a stated origin in a pack that is on sale or has a release date. Samples
 * that lacked an origin before are exempt, unless this change publishes or schedules the pack.
 */
export function undeclared(before: Pack, after: Pack): PackRejection | undefined {
  if (before.status === 'none' || after.status === 'none' || !isOffered(after)) return undefined;
  const isOffer =
    (after.status === 'published' && before.status !== 'published') ||
    (after.releaseAt !== null && before.releaseAt === null);
  const exempt = new Set(
    isOffer ? [] : before.samples.filter(({ origin }) => !origin).map(({ sampleId }) => sampleId),
  );
  const sample = after.samples.find(({ sampleId, origin }) => !origin && !exempt.has(sampleId));
  return sample && { code: 'OriginNeeded', sampleId: sample.sampleId, name: sample.title };
}

/** Whether the pack is on sale, or has a release date. */
const isOffered = (pack: Exclude<Pack, { status: 'none' }>): boolean =>
  pack.status === 'published' || pack.releaseAt !== null;

/** The refusal for a recording that is withheld in another sample of the same creator. */
export const withheldBefore = ({ sampleId, title }: PackSample): PackRejection => ({
  code: 'DuplicateSuspected',
  sampleId,
  name: title,
  detail: `“${title}” is the same recording as one of yours that is held, refused or taken down.`,
});

/** The refusal for a recording that another creator published first. Reveals nothing about the other sample. */
export const publishedByAnother = ({ sampleId, title }: PackSample): PackRejection => ({
  code: 'DuplicateAudio',
  sampleId,
  name: title,
  among: 'catalogue',
  detail: `“${title}” is the same recording as one that another creator published before.`,
});

/** Stream `pack-{packId}`: a creator's pack since its first draft. */
export const packDecider: Decider<PackCommand | StaffCommand, Pack, PackEvent, PackRejection> = {
  streamOf: (packId) => `pack-${packId}`,
  initialState: { status: 'none' },
  decide,
  evolve,
};
