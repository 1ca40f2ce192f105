import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
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
import { CarryOutCopies } from './carry-out-copies.js';
import {
  AnswerSuspicion,
  ClaimRecording,
  DecideOnCopy,
  LapseSuspicion,
  ShowLicence,
  SuspectCopy,
  type CopyOutcome,
} from './commands.js';
import { DecidedCopies } from './decided-copies.js';
import { RecordingQueries, type RecordingFacts } from './queries.js';
import { isLater, suspicionOf } from './suspicion-of.js';
import { Suspicions, type SuspectedPair } from './suspicions.js';
import { SwapSidesHandler } from './swap-sides.js';

const CHECK = 'system:copies';

@CommandHandler(SuspectCopy)
export class SuspectCopyHandler implements ICommandHandler<SuspectCopy> {
  constructor(
    private readonly streams: Streams,
    private readonly recordings: RecordingQueries,
    private readonly effects: CarryOutCopies,
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
    for (const event of events) await this.effects.carryOut(event);
    const now = await this.recordings.find(newcomer);
    if (events.length > 0 && !now?.isThere) await this.commands.execute(new LapseSuspicion(copyId));
  }

  private record(
    newcomer: RecordingFacts,
    original: RecordingFacts,
    match: Match,
  ): Promise<readonly CopyEvent[]> {
    const at = this.clock.now();
    const metadata = { actor: CHECK, correlationId: randomUUID() };
    return this.streams.transact(metadata, async (work) => {
      const copy = await work.open(copyDecider, copyIdOf(newcomer));
      // The reverse pair may be known already.
      const reverse = await work.open(copyDecider, copyIdOf(original));
      if (knows(reverse.state, newcomer)) return [];
      copy.decide(suspicionOf(newcomer, original, match, at));
      return copy.events;
    });
  }
}

@Injectable()
export class CommandedSuspicions implements Suspicions {
  constructor(private readonly commands: CommandBus) {}

  found(pair: SuspectedPair): Promise<void> {
    return this.commands.execute(new SuspectCopy(pair));
  }
}

@CommandHandler(ClaimRecording)
export class ClaimRecordingHandler implements ICommandHandler<ClaimRecording> {
  constructor(
    private readonly recordings: RecordingQueries,
    private readonly commands: CommandBus,
  ) {}

  async execute({ sampleId, by, statement }: ClaimRecording): Promise<CopyOutcome> {
    const own = await this.recordings.ofSample(by, sampleId);
    const like = own && (await this.recordings.publishedFirst(own));
    if (!own || !like) return { accepted: false, rejection: { code: 'NotFound' } };
    const toMs = own.durationMs;
    const pair: SuspectedPair = {
      sound: own,
      like,
      by: 'hash',
      tier: 'held',
      score: 100,
      frames: { agree: 0, of: 0 },
      stretch: { fromMs: 0, toMs, likeFromMs: 0, likeToMs: toMs },
      offsetMs: 0,
      speed: 1,
      pitchCents: 0,
    };
    await this.commands.execute(new SuspectCopy(pair));
    return this.commands.execute(new ShowLicence(copyIdOf(own), by, statement));
  }
}

@CommandHandler(ShowLicence)
export class ShowLicenceHandler implements ICommandHandler<ShowLicence> {
  constructor(private readonly copies: DecidedCopies) {}

  async execute({ copyId, by, statement: { kind, text } }: ShowLicence): Promise<CopyOutcome> {
    const remark = await this.copies.keep(text, copyId, [by]);
    return this.copies.decide(copyId, { type: 'ShowLicence', by, kind, remark }, by);
  }
}

@CommandHandler(AnswerSuspicion)
export class AnswerSuspicionHandler implements ICommandHandler<AnswerSuspicion> {
  constructor(private readonly copies: DecidedCopies) {}

  async execute({ copyId, by, text }: AnswerSuspicion): Promise<CopyOutcome> {
    const suspected = await this.copies.load(copyId);
    const about = suspected.status === 'none' ? [by] : [by, suspected.creatorId];
    const remark = await this.copies.keep(text, copyId, about);
    return this.copies.decide(copyId, { type: 'AnswerSuspicion', by, remark }, by);
  }
}

@CommandHandler(DecideOnCopy)
export class DecideOnCopyHandler implements ICommandHandler<DecideOnCopy> {
  constructor(private readonly copies: DecidedCopies) {}

  async execute({
    copyId,
    by,
    decided: { decision, reason, andOthers = false },
  }: DecideOnCopy): Promise<CopyOutcome> {
    const suspected = await this.copies.load(copyId);
    if (suspected.status === 'none') return { accepted: false, rejection: { code: 'NotFound' } };
    const about = [suspected.creatorId, ...suspected.likes.map(({ creatorId }) => creatorId)];
    const said =
      reason === undefined ? {} : { remark: await this.copies.keep(reason, copyId, [...new Set(about)]) };
    return this.copies.decide(copyId, { type: 'DecideOnCopy', decision, by, andOthers, ...said }, by);
  }
}

@CommandHandler(LapseSuspicion)
export class LapseSuspicionHandler implements ICommandHandler<LapseSuspicion> {
  constructor(private readonly copies: DecidedCopies) {}

  execute({ copyId }: LapseSuspicion): Promise<CopyOutcome> {
    return this.copies.decide(copyId, { type: 'LapseSuspicion' }, CHECK);
  }
}

export const COPY_HANDLERS = [
  AnswerSuspicionHandler,
  ClaimRecordingHandler,
  DecideOnCopyHandler,
  LapseSuspicionHandler,
  ShowLicenceHandler,
  SuspectCopyHandler,
  SwapSidesHandler,
];
