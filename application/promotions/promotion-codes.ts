import { createHash, randomUUID } from 'node:crypto';
import { Command, CommandHandler, type CommandResult, type ICommandHandler } from '@nestjs/cqrs';
import {
  obstacleToRedeeming,
  promotionDecider,
  type PromotionRejection,
  type PromotionTerms,
} from '../../domain/promotions/promotion-code.js';
import { creatorDecider } from '../../domain/publishing/creator-access.js';
import { packDecider } from '../../domain/publishing/pack.js';
import { purchaseDecider } from '../../domain/purchases/purchase.js';
import { assert, reject, type Outcome } from '../../domain/shared/decision.js';
import { CURRENT_SHARE_POLICY } from '../../domain/shared/share-policy.js';
import { Clock } from '../shared/clock.js';
import { InTurn } from '../shared/in-turn.js';
import { Streams, type Work } from '../shared/streams.js';
import type { PromotionCode, RedeemedPromotion } from './contract.js';
import { PromotionQueries } from './queries.js';

type Refused<Code extends PromotionRejection['code']> = Extract<PromotionRejection, { code: Code }>;

/**
 * Makes a code for a pack. Only the creator of the pack can do
 * this. A repeated request with the same terms finds the code again.
 */
export class CreatePromotionCode extends Command<
  Outcome<
    { promotion: PromotionCode },
    | Refused<'NotFound' | 'PromotionCodeTaken' | 'PromotionPeriodRefused'>
    | { code: 'PackNotPublished' | 'PackTakenDown' }
  >
> {
  constructor(
    readonly code: string,
    readonly terms: PromotionTerms,
  ) {
    super();
  }
}

@CommandHandler(CreatePromotionCode)
export class CreatePromotionCodeHandler implements ICommandHandler<CreatePromotionCode> {
  constructor(
    private readonly streams: Streams,
    private readonly queries: PromotionQueries,
    private readonly clock: Clock,
  ) {}

  async execute({ code, terms }: CreatePromotionCode): Promise<CommandResult<CreatePromotionCode>> {
    const { creatorId, packId, sampleIds = [] } = terms;
    const pack = await this.streams.load(packDecider, packId);
    if (pack.status === 'none' || pack.status === 'deleted' || pack.creatorId !== creatorId)
      return reject({ code: 'NotFound' });
    if (pack.status === 'taken_down') return reject({ code: 'PackTakenDown' });
    if (pack.status !== 'published') return reject({ code: 'PackNotPublished' });
    const known = new Set(pack.samples.map(({ sampleId }) => sampleId));
    if (sampleIds.some((id) => !known.has(id))) return reject({ code: 'NotFound' });
    const now = this.clock.now();
    const command = { type: 'CreatePromotionCode', code, terms, now: now.toISOString() } as const;
    const outcome = await this.streams.execute(promotionDecider, code, command, { actor: creatorId });
    // The decider refuses a new code only for these two reasons. Its other rejections belong to other commands.
    if (!outcome.accepted)
      return reject(outcome.rejection as Refused<'PromotionCodeTaken' | 'PromotionPeriodRefused'>);
    return { accepted: true, promotion: (await this.queries.find(code, now)) as PromotionCode };
  }
}

/** Ends a code. Only the creator of the code can do this. Has no effect if the code has ended already. */
export class EndPromotionCode extends Command<Outcome<{ promotion: PromotionCode }, { code: 'NotFound' }>> {
  constructor(
    readonly code: string,
    readonly by: string,
  ) {
    super();
  }
}

@CommandHandler(EndPromotionCode)
export class EndPromotionCodeHandler implements ICommandHandler<EndPromotionCode> {
  constructor(
    private readonly streams: Streams,
    private readonly queries: PromotionQueries,
    private readonly clock: Clock,
  ) {}

  async execute({ code, by }: EndPromotionCode): Promise<CommandResult<EndPromotionCode>> {
    const now = this.clock.now();
    const command = { type: 'EndPromotionCode', code, by, now: now.toISOString() } as const;
    const outcome = await this.streams.execute(promotionDecider, code, command, { actor: by });
    if (!outcome.accepted) return reject({ code: 'NotFound' });
    return { accepted: true, promotion: (await this.queries.find(code, now)) as PromotionCode };
  }
}

type NotRedeemed = Exclude<PromotionRejection, Refused<'PromotionCodeTaken' | 'PromotionPeriodRefused'>>;

/**
 * Gives a person the samples of a code that they do not own. A request with a repeated key returns the first
 * redemption.
 */
export class RedeemPromotionCode extends Command<
  Outcome<
    { redeemed: RedeemedPromotion },
    | NotRedeemed
    /** No sample is on sale, or the creator is suspended. */
    | { code: 'PromotionUnavailable' }
    | { code: 'AllOwned' }
  >
> {
  constructor(
    readonly code: string,
    readonly buyerId: string,
    readonly key: string,
  ) {
    super();
  }
}

@CommandHandler(RedeemPromotionCode)
export class RedeemPromotionCodeHandler implements ICommandHandler<RedeemPromotionCode> {
  /**
   * In this process, redemptions of a code run one after
   * another, because concurrent appends to the code's stream would conflict.
   */
  private readonly turns = new InTurn();

  constructor(
    private readonly streams: Streams,
    private readonly queries: PromotionQueries,
    private readonly clock: Clock,
  ) {}

  async execute(command: RedeemPromotionCode): Promise<CommandResult<RedeemPromotionCode>> {
    const { code, buyerId, key } = command;
    const metadata = { actor: buyerId, correlationId: key };
    const outcome = await this.turns.run(code, () =>
      this.streams.transact(metadata, (work) => this.redeem(command, work)),
    );
    if (!outcome.accepted) return outcome;
    const redeemed = await this.queries.redeemed(code, buyerId, outcome.packId);
    return { accepted: true, redeemed };
  }

  /** The redemption and its purchases are appended together, so that a code gives all of its samples or none. */
  private async redeem(
    { code, buyerId, key }: RedeemPromotionCode,
    work: Work,
  ): Promise<
    | { accepted: true; packId: string }
    | { accepted: false; rejection: NotRedeemed | { code: 'PromotionUnavailable' | 'AllOwned' } }
  > {
    const now = this.clock.now().toISOString();
    const redemptionId = createHash('sha256').update(`${code} ${buyerId} ${key.toLowerCase()}`).digest('hex');
    const promotion = await work.open(promotionDecider, code);
    if (promotion.state.status === 'none') return reject({ code: 'NotFound' });
    const { terms, redemptions } = promotion.state;
    const { packId, creatorId, sampleIds } = terms;
    if (redemptions.get(buyerId) === redemptionId) return { accepted: true, packId };
    const obstacle = obstacleToRedeeming({ buyerId, now }, promotion.state);
    // The rejections that `NotRedeemed` excludes occur only when a code is made.
    if (obstacle) return reject(obstacle as NotRedeemed);
    const creator = await this.streams.load(creatorDecider, creatorId);
    if (creator.status !== 'approved') return reject({ code: 'PromotionUnavailable' });
    const given = sampleIds && new Set(sampleIds);
    const offers = (await this.queries.offers(packId, buyerId)).filter((each) =>
      given ? given.has(each.sampleId) : true,
    );
    if (offers.length === 0) return reject({ code: 'PromotionUnavailable' });
    const missing = offers.filter(({ owned }) => !owned);
    if (missing.length === 0) return reject({ code: 'AllOwned' });
    let samples = 0;
    const policy = CURRENT_SHARE_POLICY;
    for (const { owned: _, ...sample } of missing) {
      const { sampleId } = sample;
      const ids = { purchaseId: randomUUID(), certificateId: randomUUID() };
      const purchase = await work.open(purchaseDecider, { buyerId, sampleId });
      const receive = { type: 'ReceiveSample', buyerId, ...ids, sample, promotion: code, policy } as const;
      const decided = purchase.decide(receive);
      assert(decided.accepted, 'a sample on sale can be received');
      // If the purchase decides no event, the person already owns the sample, but `offers` did not show the purchase
      // yet.
      if (decided.events.some(({ type }) => type === 'SamplePurchased')) samples += 1;
    }
    if (samples === 0) return reject({ code: 'AllOwned' });
    const redemption = { code, redemptionId, buyerId, samples, now } as const;
    const decided = promotion.decide({ type: 'RedeemPromotionCode', ...redemption });
    assert(decided.accepted, 'the code was checked before');
    return { accepted: true, packId };
  }
}
