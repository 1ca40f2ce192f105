import { randomUUID } from 'node:crypto';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Packs } from '../publishing/packs.js';
import { ReturnDefectiveSample, TakeDownPack, type ReturnedPurchases } from './commands.js';
import { ActivePurchases } from './readers.js';
import { RETURNED_WHILE_WAITING, ReturnPurchases } from './return-purchases.js';

@CommandHandler(TakeDownPack)
export class TakeDownPackHandler implements ICommandHandler<TakeDownPack> {
  constructor(
    private readonly packs: Packs,
    private readonly returns: ReturnPurchases,
    private readonly purchases: ActivePurchases,
  ) {}

  /** Undoes so many at once; the rest follows. */
  async execute({ packId, reason, by }: TakeDownPack): Promise<ReturnedPurchases | undefined> {
    const standing = await this.purchases.count({ packId });
    const outcome = await this.packs.decide({ userId: by, packId }, { type: 'TakeDownPack', reason });
    if (!outcome.accepted) return undefined;
    const metadata = { actor: by, correlationId: randomUUID() };
    const why = { reason: 'takedown', explanation: reason } as const;
    const { waiting } = await this.returns.all({ packId }, why, metadata, RETURNED_WHILE_WAITING);
    // The reactor of the takedown undoes them at the same time: what it did counts, too.
    const returned = standing - (await this.purchases.count({ packId }));
    return { returned: Math.max(0, returned), waiting };
  }
}

@CommandHandler(ReturnDefectiveSample)
export class ReturnDefectiveSampleHandler implements ICommandHandler<ReturnDefectiveSample> {
  constructor(private readonly returns: ReturnPurchases) {}

  execute({ sampleId, reason, by }: ReturnDefectiveSample): Promise<ReturnedPurchases> {
    const metadata = { actor: by, correlationId: randomUUID() };
    return this.returns.all({ sampleId }, { reason: 'defect', explanation: reason }, metadata);
  }
}
