import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import {
  copyIdOf,
  type Match,
  copyDecider,
  knows,
  mirrored,
  type Recording,
} from '../../../domain/publishing/suspicion.js';
import { type RecordingFacts, RecordingQueries } from './queries.js';
import { Clock } from '../../shared/clock.js';
import { Streams } from '../../shared/streams.js';
import { CHECK, DecidedCopies, type CopyOutcome } from './decided-copies.js';
import { reject } from '../../../domain/shared/decision.js';

/** A recording that was already on sale for this long stays on sale until an administrator decides. */
const NEW_MS = 3_600_000;

/** When a recording went on sale, in milliseconds. Infinity if never, so that it counts as later than any other. */
const onSaleSince = ({ publishedAt, uploadedAt }: RecordingFacts): number =>
  publishedAt ? Math.max(publishedAt.getTime(), uploadedAt.getTime()) : Number.POSITIVE_INFINITY;

const isLater = (one: RecordingFacts, other: RecordingFacts): boolean =>
  onSaleSince(one) === onSaleSince(other)
    ? one.uploadedAt >= other.uploadedAt
    : onSaleSince(one) > onSaleSince(other);

const recordingOf = ({ sampleId, audioVersion, creatorId }: RecordingFacts) => ({
  sampleId,
  audioVersion,
  creatorId,
});

function suspicionOf(newcomer: RecordingFacts, original: RecordingFacts, match: Match, at: Date) {
  const isNew = !newcomer.isOnSale || at.getTime() - onSaleSince(newcomer) < NEW_MS;
  return {
    type: 'SuspectCopy',
    copyId: copyIdOf(newcomer),
    ...recordingOf(newcomer),
    sha256: newcomer.sha256,
    packId: newcomer.packId,
    like: recordingOf(original),
    ...match,
    isHeld: match.tier === 'held' && isNew,
    now: at.toISOString(),
  } as const;
}

export interface Sound extends Recording {
  sha256: string;
  packId: string;
  creatorId: string;
}

/** Two sounds of different creators that seem to be one recording. */
export interface SuspectedPair extends Match {
  sound: Sound;
  /** The similar sound. `SuspectCopy` gets only pairs in which it is or was on sale, or was taken down. */
  like: Sound;
}

/**
 * Records the later sound of a pair as a suspected copy. Holds it if the match is close, unless it has been on sale
 * for at least an hour. The sounds may be in any order.
 */
export class SuspectCopy extends Command<void> {
  constructor(readonly pair: SuspectedPair) {
    super();
  }
}

@CommandHandler(SuspectCopy)
export class SuspectCopyHandler implements ICommandHandler<SuspectCopy> {
  constructor(
    private readonly streams: Streams,
    private readonly recordings: RecordingQueries,
    private readonly copies: DecidedCopies,
    private readonly clock: Clock,
  ) {}

  async execute({ pair }: SuspectCopy): Promise<void> {
    const { sound, like, ...match } = pair;
    const [one, other] = await Promise.all([this.recordings.find(sound), this.recordings.find(like)]);
    if (!one || !other || one.creatorId === other.creatorId) return;
    const isInOrder = isLater(one, other);
    const [newcomer, original] = isInOrder ? [one, other] : [other, one];
    // Only a recording that was published can have been copied.
    if (!newcomer.isThere || !original.publishedAt) return;
    if (await this.recordings.areTogether(one.creatorId, other.creatorId)) return;
    const copyId = copyIdOf(newcomer);
    const events = await this.record(newcomer, original, isInOrder ? match : mirrored(match));
    for (const event of events) await this.copies.carryOut(event);
    const now = await this.recordings.find(newcomer);
    if (events.length > 0 && !now?.isThere) await this.copies.lapse(copyId);
  }

  private record(newcomer: RecordingFacts, original: RecordingFacts, match: Match) {
    const at = this.clock.now();
    return this.streams.transact({ actor: CHECK }, async (work) => {
      const copy = await work.open(copyDecider, copyIdOf(newcomer));
      // The pair may already be known with its sides reversed.
      const reverse = await work.open(copyDecider, copyIdOf(original));
      if (knows(reverse.state, newcomer)) return [];
      copy.decide(suspicionOf(newcomer, original, match, at));
      return copy.events;
    });
  }
}

/** Moves a suspicion to the supposed original, because that is the later recording. Releases the other recording. */
export class SwapSides extends Command<CopyOutcome> {
  constructor(
    readonly copyId: string,
    readonly by: string,
    readonly reason: string,
  ) {
    super();
  }
}

@CommandHandler(SwapSides)
export class SwapSidesHandler implements ICommandHandler<SwapSides> {
  constructor(
    private readonly streams: Streams,
    private readonly copies: DecidedCopies,
    private readonly recordings: RecordingQueries,
    private readonly clock: Clock,
  ) {}

  async execute({ copyId, by, reason }: SwapSides): Promise<CopyOutcome> {
    const suspected = await this.copies.load(copyId);
    if (suspected.status === 'none') return reject({ code: 'NotFound' });
    const { closest } = suspected;
    const [one, other] = await Promise.all([this.recordings.find(suspected), this.recordings.find(closest)]);
    if (!one || !other) return reject({ code: 'NotFound' });
    const remark = await this.copies.keep(reason, copyId, [one.creatorId, other.creatorId]);
    const at = this.clock.now();
    const { creatorId: _, sampleId: __, audioVersion: ___, ...match } = closest;
    const outcome = await this.streams.transact({ actor: by }, async (work) => {
      const copy = await work.open(copyDecider, copyId);
      const reverse = await work.open(copyDecider, copyIdOf(other));
      const decision = copy.decide({ type: 'SwapSides', by, remark, now: at.toISOString() });
      if (!decision.accepted) return decision;
      reverse.decide({ ...suspicionOf(other, one, mirrored(match), at), isSwapped: true });
      return { accepted: true as const, events: [...copy.events, ...reverse.events] };
    });
    if (!outcome.accepted) return outcome;
    for (const event of outcome.events) await this.copies.carryOut(event);
    return { accepted: true, id: copyIdOf(other), status: 'open' };
  }
}
