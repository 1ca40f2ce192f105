import { createHash } from 'node:crypto';
import { Command, CommandHandler, type CommandResult, type ICommandHandler } from '@nestjs/cqrs';
import { splitDecider, type SplitAnswer, type SplitRejection } from '../../domain/payouts/split.js';
import { packDecider } from '../../domain/publishing/pack.js';
import { reject, type Outcome } from '../../domain/shared/decision.js';
import { Clock } from '../shared/clock.js';
import { Streams } from '../shared/streams.js';
import type { Split } from './contract.js';
import { SplitQueries } from './queries.js';

type Answered = Extract<SplitRejection, { code: 'NotFound' | 'SplitClosed' }>;
type Proposed =
  | Exclude<SplitRejection, { code: 'SplitClosed' }>
  | { code: 'PackTakenDown' }
  | { code: 'CollaboratorUnknown' };

/** Offers a part of a pack to another creator. A repeated key is the same offer. */
export class OfferSplit extends Command<Outcome<{ split: Split }, Proposed>> {
  constructor(
    readonly offer: { ownerId: string; packId: string; creator: string; bps: number; key: string },
  ) {
    super();
  }
}

@CommandHandler(OfferSplit)
export class OfferSplitHandler implements ICommandHandler<OfferSplit> {
  constructor(
    private readonly streams: Streams,
    private readonly queries: SplitQueries,
    private readonly clock: Clock,
  ) {}

  async execute({ offer }: OfferSplit): Promise<CommandResult<OfferSplit>> {
    const { ownerId, packId, creator, bps, key } = offer;
    const pack = await this.streams.load(packDecider, packId);
    if (pack.status === 'none' || pack.status === 'deleted' || pack.creatorId !== ownerId)
      return reject({ code: 'NotFound' });
    if (pack.status === 'taken_down') return reject({ code: 'PackTakenDown' });
    const creatorId = await this.queries.creatorNamed(creator);
    if (creatorId === undefined) return reject({ code: 'CollaboratorUnknown' });
    const named = createHash('sha256').update(`${ownerId} ${packId} ${key.toLowerCase()}`).digest('hex');
    const splitId = named.slice(0, 32);
    const now = this.clock.now().toISOString();
    const command = { type: 'ProposeSplit', splitId, packId, ownerId, creatorId, bps, now } as const;
    const metadata = { actor: ownerId, correlationId: `split-${splitId}` };
    const outcome = await this.streams.execute(splitDecider, packId, command, metadata);
    // An offer is never rejected with `SplitClosed`; only answers are.
    if (!outcome.accepted) return reject(outcome.rejection as Proposed);
    return { accepted: true, split: (await this.queries.find(splitId)) as Split };
  }
}

/** Only the collaborator accepts and declines. Both sides may end a split or withdraw an offer. */
export class AnswerSplit extends Command<Outcome<{ split: Split }, Answered>> {
  constructor(
    readonly by: string,
    readonly splitId: string,
    readonly answer: SplitAnswer,
  ) {
    super();
  }
}

@CommandHandler(AnswerSplit)
export class AnswerSplitHandler implements ICommandHandler<AnswerSplit> {
  constructor(
    private readonly streams: Streams,
    private readonly queries: SplitQueries,
    private readonly clock: Clock,
  ) {}

  async execute({ by, splitId, answer: type }: AnswerSplit): Promise<CommandResult<AnswerSplit>> {
    const split = await this.queries.find(splitId);
    if (!split) return reject({ code: 'NotFound' });
    const now = this.clock.now().toISOString();
    const metadata = { actor: by, correlationId: `split-${splitId}` };
    const command = { type, splitId, by, now };
    const outcome = await this.streams.execute(splitDecider, split.packId, command, metadata);
    // An answer is rejected only with `NotFound` or `SplitClosed`; the other codes are for offers.
    if (!outcome.accepted) return reject(outcome.rejection as Answered);
    return { accepted: true, split: (await this.queries.find(splitId)) as Split };
  }
}
