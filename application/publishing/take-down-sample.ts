import { Command, CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { StatusCause } from '../../domain/publishing/sample-status.js';
import { reject } from '../../domain/shared/decision.js';
import { ActivePurchaseQueries } from '../purchases/queries.js';
import { ReturnPurchases, TAKEN_DOWN, type ReturnsOutcome } from '../purchases/return-purchases.js';
import { DecideOnSample } from './decide-on-sample.js';

export class TakeDownSample extends Command<ReturnsOutcome> {
  constructor(
    readonly sampleId: string,
    readonly reason: string,
    readonly by: string,
    readonly about: { because?: StatusCause; sha256?: string } = {},
  ) {
    super();
  }
}

/** Repeated takedowns by administrators share this claim, so only the first one is recorded. */
const OWN_DECISION = { kind: 'decision', id: 'takedown' } as const;

@CommandHandler(TakeDownSample)
export class TakeDownSampleHandler implements ICommandHandler<TakeDownSample> {
  constructor(
    private readonly commands: CommandBus,
    private readonly returns: ReturnPurchases,
    private readonly purchases: ActivePurchaseQueries,
  ) {}

  /** Undoes a limited number of purchases at once. The reactor undoes the rest. */
  async execute({
    sampleId,
    reason,
    by,
    about: { because = OWN_DECISION, sha256 },
  }: TakeDownSample): Promise<ReturnsOutcome> {
    const active = await this.purchases.count({ sampleId });
    const decision = { type: 'TakeDownSample', sampleId, because, ...(sha256 ? { sha256 } : {}) } as const;
    const outcome = await this.commands.execute(new DecideOnSample(decision, by, reason));
    if (!outcome.accepted) return reject({ code: 'NotFound' });
    const why = { reason: 'takedown', explanation: TAKEN_DOWN, remark: outcome.remark } as const;
    return { accepted: true, ...(await this.returns.whileWaiting({ sampleId }, why, { active, by })) };
  }
}
