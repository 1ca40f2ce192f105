import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Because } from '../../domain/publishing/sample-status.js';
import { ActivePurchaseQueries } from '../purchases/queries.js';
import { ReturnPurchases, TAKEN_DOWN, type ReturnedPurchases } from '../purchases/return-purchases.js';
import { SampleStatuses } from './sample-statuses.js';

/**
 * Takes one sample out of the shop and away from everybody, and gives its buyers their credits back; undefined: there is
 * no such sample.
 */
export class TakeDownSample extends Command<ReturnedPurchases | undefined> {
  constructor(
    readonly sampleId: string,
    readonly reason: string,
    readonly by: string,
    readonly about: { because?: Because; sha256?: string } = {},
  ) {
    super();
  }
}

/** An administrator takes a sample down once, however often it is asked for. */
const OWN_DECISION = { kind: 'decision', id: 'takedown' } as const;

@CommandHandler(TakeDownSample)
export class TakeDownSampleHandler implements ICommandHandler<TakeDownSample> {
  constructor(
    private readonly statuses: SampleStatuses,
    private readonly returns: ReturnPurchases,
    private readonly purchases: ActivePurchaseQueries,
  ) {}

  /** Undoes a limited number at once; the reactor undoes the rest. */
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
