import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { packDecider } from '../../domain/publishing/pack.js';
import { reject } from '../../domain/shared/decision.js';
import { ActivePurchaseQueries } from '../purchases/queries.js';
import { ReturnPurchases, TAKEN_DOWN, type ReturnsOutcome } from '../purchases/return-purchases.js';
import { Remarks } from '../shared/remarks.js';
import { Packs } from './packs.js';
import { SamplePlaceQueries } from './queries.js';

export class TakeDownPack extends Command<ReturnsOutcome> {
  constructor(
    readonly packId: string,
    readonly reason: string,
    readonly by: string,
  ) {
    super();
  }
}

@CommandHandler(TakeDownPack)
export class TakeDownPackHandler implements ICommandHandler<TakeDownPack> {
  constructor(
    private readonly packs: Packs,
    private readonly places: SamplePlaceQueries,
    private readonly remarks: Remarks,
    private readonly returns: ReturnPurchases,
    private readonly purchases: ActivePurchaseQueries,
  ) {}

  /** Undoes a limited number of purchases at once. The reactor undoes the rest. */
  async execute({ packId, reason, by }: TakeDownPack): Promise<ReturnsOutcome> {
    const creatorId = await this.places.creatorOf(packId);
    if (creatorId === undefined) return reject({ code: 'NotFound' });
    const active = await this.purchases.count({ packId });
    const of = { stream: packDecider.streamOf(packId), about: [creatorId] };
    const remark = await this.remarks.keep(reason, of);
    const decision = { type: 'TakeDownPack', reason: '', ...remark } as const;
    const outcome = await this.packs.decide({ userId: by, packId }, decision);
    if (!outcome.accepted) return reject({ code: 'NotFound' });
    const why = { reason: 'takedown', explanation: TAKEN_DOWN, remark } as const;
    return { accepted: true, ...(await this.returns.whileWaiting({ packId }, why, { active, by })) };
  }
}
