import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { copyDecider, copyIdOf, mirrored } from '../../../domain/publishing/suspicion.js';
import { reject } from '../../../domain/shared/decision.js';
import { Clock } from '../../shared/clock.js';
import { Streams } from '../../shared/streams.js';
import { DecidedCopies, type CopyOutcome } from './decided-copies.js';
import { RecordingQueries } from './queries.js';
import { suspicionOf } from './suspicion-of.js';

/** Suspects the supposed original instead, because it is the later one, and releases this recording. */
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
