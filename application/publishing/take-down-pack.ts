import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { packDecider } from '../../domain/publishing/pack.js';
import { ActivePurchaseQueries } from '../purchases/queries.js';
import { ReturnPurchases, TAKEN_DOWN, type ReturnedPurchases } from '../purchases/return-purchases.js';
import { Remarks } from '../shared/remarks.js';
import { Packs } from './packs.js';
import { SamplePlaceQueries } from './queries.js';

/** Takes down a pack and returns the credits of its buyers. Answers undefined if the pack does not exist. */
export class TakeDownPack extends Command<ReturnedPurchases | undefined> {
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
  async execute({ packId, reason, by }: TakeDownPack): Promise<ReturnedPurchases | undefined> {
    const creatorId = await this.places.creatorOf(packId);
    if (creatorId === undefined) return undefined;
    const active = await this.purchases.count({ packId });
    const of = { stream: packDecider.streamOf(packId), about: [creatorId] };
    const remark = await this.remarks.keep(reason, of);
    const decision = { type: 'TakeDownPack', reason: '', ...remark } as const;
    const outcome = await this.packs.decide({ userId: by, packId }, decision);
    if (!outcome.accepted) return undefined;
    const why = { reason: 'takedown', explanation: TAKEN_DOWN, remark } as const;
    return this.returns.whileWaiting({ packId }, why, { active, by });
  }
}
