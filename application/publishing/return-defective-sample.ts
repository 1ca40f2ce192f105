import { randomUUID } from 'node:crypto';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { reject } from '../../domain/shared/decision.js';
import { ActivePurchaseQueries } from '../purchases/queries.js';
import { ReturnPurchases, type ReturnsOutcome } from '../purchases/return-purchases.js';
import { Remarks } from '../shared/remarks.js';
import { SamplePlaceQueries } from './queries.js';

/** Undoes all purchases of a defective sample. The sample stays on sale. */
export class ReturnDefectiveSample extends Command<ReturnsOutcome> {
  constructor(
    readonly sampleId: string,
    readonly reason: string,
    readonly by: string,
  ) {
    super();
  }
}

@CommandHandler(ReturnDefectiveSample)
export class ReturnDefectiveSampleHandler implements ICommandHandler<ReturnDefectiveSample> {
  constructor(
    private readonly returns: ReturnPurchases,
    private readonly purchases: ActivePurchaseQueries,
    private readonly places: SamplePlaceQueries,
    private readonly remarks: Remarks,
  ) {}

  async execute({ sampleId, reason, by }: ReturnDefectiveSample): Promise<ReturnsOutcome> {
    const place = await this.places.placeOf(sampleId);
    if (!place) return reject({ code: 'NotFound' });
    if ((await this.purchases.count({ sampleId })) === 0) return { accepted: true, returned: 0, waiting: 0 };
    // Passes no stream, because each purchase records its return in its own stream.
    const remark = await this.remarks.keep(reason, { about: [place.creatorId] });
    const why = { reason: 'defect', explanation: 'Defective', remark } as const;
    return {
      accepted: true,
      ...(await this.returns.all({ sampleId }, why, { actor: by, correlationId: randomUUID() })),
    };
  }
}
