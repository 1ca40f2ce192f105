import { Command, CommandHandler, type ICommandHandler, CommandBus } from '@nestjs/cqrs';
import { randomUUID } from 'node:crypto';
import { packDecider } from '../../domain/publishing/pack.js';
import { reject } from '../../domain/shared/decision.js';
import { ActivePurchaseQueries } from '../purchases/queries.js';
import { ReturnPurchases, TAKEN_DOWN, type ReturnsOutcome } from '../purchases/return-purchases.js';
import { Remarks } from '../shared/remarks.js';
import { Packs } from './packs.js';
import { SamplePlaceQueries } from './queries.js';
import type { StatusCause } from '../../domain/publishing/sample-status.js';
import { DecideOnSample } from './decide-on-sample.js';

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

  /** Takes down the pack. Undoes a limited number of purchases at once; a reactor undoes the rest. */
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

/** All takedowns by administrators share this cause, so that a repeated one records nothing. */
const OWN_DECISION = { kind: 'decision', id: 'takedown' } as const;

@CommandHandler(TakeDownSample)
export class TakeDownSampleHandler implements ICommandHandler<TakeDownSample> {
  constructor(
    private readonly commands: CommandBus,
    private readonly returns: ReturnPurchases,
    private readonly purchases: ActivePurchaseQueries,
  ) {}

  /** Takes down the sample. Undoes a limited number of purchases at once; a reactor undoes the rest. */
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
    // The remark belongs to no single stream, because each purchase records its return in its own stream.
    const remark = await this.remarks.keep(reason, { about: [place.creatorId] });
    const why = { reason: 'defect', explanation: 'Defective', remark } as const;
    return {
      accepted: true,
      ...(await this.returns.all({ sampleId }, why, { actor: by, correlationId: randomUUID() })),
    };
  }
}
