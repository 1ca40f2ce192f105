import { Command, CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import {
  copyDecider,
  copyIdOf,
  knows,
  mirrored,
  type CopyEvent,
  type Match,
} from '../../../domain/publishing/suspicion.js';
import { Clock } from '../../shared/clock.js';
import { Streams } from '../../shared/streams.js';
import { CHECK, DecidedCopies } from './decided-copies.js';
import { LapseSuspicion } from './lapse-suspicion.js';
import { RecordingQueries, type RecordingFacts } from './queries.js';
import { isLater, suspicionOf } from './suspicion-of.js';

export interface Sound {
  sampleId: string;
  audioVersion: number;
  sha256: string;
  packId: string;
  creatorId: string;
}

/** Two sounds of different creators that seem to be one recording. */
export interface SuspectedPair extends Match {
  /** The sound that was checked. */
  sound: Sound;
  /** The similar sound, which is or was on sale, or was taken down. */
  like: Sound;
}

/** Records a suspected copy, and takes it off sale if the match is close enough. Pairs may be repeated or reversed. */
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
    private readonly commands: CommandBus,
    private readonly clock: Clock,
  ) {}

  async execute({ pair }: SuspectCopy): Promise<void> {
    const { sound, like, ...match } = pair;
    const [one, other] = await Promise.all([this.recordings.find(sound), this.recordings.find(like)]);
    if (!one || !other || one.creatorId === other.creatorId) return;
    const isInOrder = isLater(one, other);
    const [newcomer, original] = isInOrder ? [one, other] : [other, one];
    // A recording that was never published cannot have been copied.
    if (!newcomer.isThere || !original.publishedAt) return;
    if (await this.recordings.areTogether(one.creatorId, other.creatorId)) return;
    const copyId = copyIdOf(newcomer);
    const events = await this.record(newcomer, original, isInOrder ? match : mirrored(match));
    for (const event of events) await this.copies.carryOut(event);
    const now = await this.recordings.find(newcomer);
    if (events.length > 0 && !now?.isThere) await this.commands.execute(new LapseSuspicion(copyId));
  }

  private record(
    newcomer: RecordingFacts,
    original: RecordingFacts,
    match: Match,
  ): Promise<readonly CopyEvent[]> {
    const at = this.clock.now();
    return this.streams.transact({ actor: CHECK }, async (work) => {
      const copy = await work.open(copyDecider, copyIdOf(newcomer));
      // The reverse pair may be known already.
      const reverse = await work.open(copyDecider, copyIdOf(original));
      if (knows(reverse.state, newcomer)) return [];
      copy.decide(suspicionOf(newcomer, original, match, at));
      return copy.events;
    });
  }
}
