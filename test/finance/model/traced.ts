import { TracedEvents, type PaidSale, type Traced } from '../../../application/ledger/trace/traced-events.js';
import { idsOf, TRACED_EVENT_TYPES } from '../../../application/ledger/trace/traced-ids.js';
import type { Span } from '../../../domain/payouts/spans.js';
import type { PaidPurchase } from '../../../domain/purchases/purchase.js';
import { sharesOf } from '../../../domain/shared/share-policy.js';
import type { Company } from './company.js';

/** The events of a history by the ids that they name, in the simplest form. */
export class TracedCompany extends TracedEvents {
  readonly log: Traced[];
  readonly named = new Map<string, Traced[]>();

  constructor(company: Company) {
    super();
    this.log = company.log.map(({ position, stream, type, data, at }) => ({
      position,
      stream,
      type,
      data,
      recordedAt: new Date(at),
    }));
    const traced = this.log.filter(({ type }) => TRACED_EVENT_TYPES.some((each) => each === type));
    for (const event of traced)
      for (const { id } of idsOf(event)) this.named.set(id, [...(this.named.get(id) ?? []), event]);
  }

  override naming = async (id: string) => this.named.get(id) ?? [];

  override at = async (position: number) => this.log[position - 1];

  override ofLot = async (userId: string, lotId: string) => {
    const moves = this.log.filter(
      ({ type, data }) => ['GiftGiven', 'GiftReceived'].includes(type) && data['lotId'] === lotId,
    );
    const users = [userId, ...moves.map(({ data }) => data['userId'])];
    return this.log.filter(
      ({ stream, data }) =>
        users.some((user) => stream === `credits-${user}`) &&
        JSON.stringify(data).includes(JSON.stringify(lotId)),
    );
  };

  override payoutsOf = async (creatorId: string) =>
    this.log.filter(({ stream }) => stream === `payouts-${creatorId}`);

  override async earnedBefore(creatorId: string, position: number): Promise<number> {
    return this.shares(creatorId)
      .filter((sale) => sale.position < position)
      .reduce((sum, { shareMicroUsd }) => sum + shareMicroUsd, 0);
  }

  override async salesIn(creatorId: string, spans: readonly Span[]): Promise<PaidSale[]> {
    let from = 0;
    return this.shares(creatorId).flatMap(({ purchaseId, shareMicroUsd }) => {
      const upto = from + shareMicroUsd;
      const found = spans
        .map((span) => Math.min(upto, span.toMicroUsd) - Math.max(from, span.fromMicroUsd))
        .filter((amountMicroUsd) => amountMicroUsd > 0)
        .map((amountMicroUsd) => ({ purchaseId, shareMicroUsd, amountMicroUsd }));
      from = upto;
      return found;
    });
  }

  private shares(creatorId: string): { purchaseId: string; shareMicroUsd: number; position: number }[] {
    return this.log
      .filter(({ type }) => type === 'SamplePurchased')
      .flatMap(({ position, data }) => {
        const sale = data as unknown as PaidPurchase;
        const own = sharesOf(sale).filter(
          (share) => share.creatorId === creatorId && share.shareMicroUsd > 0,
        );
        return own.map(({ shareMicroUsd }) => ({ purchaseId: sale.purchaseId, position, shareMicroUsd }));
      });
  }
}
