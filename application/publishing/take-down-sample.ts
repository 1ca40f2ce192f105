import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { StatusCause } from '../../domain/publishing/sample-status.js';
import { ActivePurchaseQueries } from '../purchases/queries.js';
import { ReturnPurchases, TAKEN_DOWN, type ReturnedPurchases } from '../purchases/return-purchases.js';
import { SampleStatuses } from './sample-statuses.js';

/** Takes down a sample and returns the credits of its buyers. Answers undefined if the sample does not exist. */
export class TakeDownSample extends Command<ReturnedPurchases | undefined> {
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
    private readonly statuses: SampleStatuses,
    private readonly returns: ReturnPurchases,
    private readonly purchases: ActivePurchaseQueries,
  ) {}

  /** Undoes a limited number of purchases at once. The reactor undoes the rest. */
  async execute({
    sampleId,
    reason,
    by,
    about: { because = OWN_DECISION, sha256 },
  }: TakeDownSample): Promise<ReturnedPurchases | undefined> {
    const active = await this.purchases.count({ sampleId });
    const decision = { type: 'TakeDownSample', sampleId, because, ...(sha256 ? { sha256 } : {}) } as const;
    const outcome = await this.statuses.decide(decision, by, reason);
    if (!outcome.accepted) return undefined;
    const why = { reason: 'takedown', explanation: TAKEN_DOWN, remark: outcome.remark } as const;
    return this.returns.whileWaiting({ sampleId }, why, { active, by });
  }
}
