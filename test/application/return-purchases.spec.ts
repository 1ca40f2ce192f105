import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Reactor } from '../../application/shared/event-store.js';
import { ReturnPurchaseHandler, ReturnPurchases } from '../../application/purchases/return-purchases.js';
import { ActivePurchaseQueries, type PurchaseKey } from '../../application/purchases/queries.js';
import { SystemClock } from '../../application/shared/clock.js';
import type { CreditExecutor } from '../../application/credits/credit-executor.js';
import type { PurchaseReturn } from '../../application/credits/credit-corrections.js';
import { Streams } from '../../application/shared/streams.js';
import { deferredReturnDecider, waitingReturns } from '../../domain/purchases/deferred-return.js';
import { busTo } from '../support/command-bus.js';
import { InMemoryEventStore } from '../support/in-memory-event-store.js';

const metadata = { actor: 'pia', correlationId: 'c' };
const CLICKS = { reason: 'defect', explanation: 'Clicks' } as const;
const SAMPLE = 's1';
const buyers = (count: number) => Array.from({ length: count }, (_, n) => `b${String(n).padStart(3, '0')}`);

/**
 * The batched executor's rule for returns without its books: a disputed payment waits, lost credits are
 * withheld.
 */
class Returns {
  readonly log = new InMemoryEventStore();
  readonly disputed = new Set<string>();
  readonly lost = new Set<string>();
  /** Called after every refusal. */
  refused: () => void | Promise<void> = () => {};
  private readonly streams = new Streams(this.log);
  readonly use: Reactor & ReturnPurchases = new ReturnPurchases(
    this.streams,
    busTo(new ReturnPurchaseHandler(this.streams, this.executor(), new SystemClock())),
    this.active(),
  );

  waiting = async (buyerId: string) =>
    waitingReturns(await this.streams.load(deferredReturnDecider, buyerId));

  async bought(buyerId: string): Promise<void> {
    const sale = { buyerId, sampleId: SAMPLE, purchaseId: `p-${buyerId}`, priceCredits: 1, valueMicroUsd: 0 };
    const lot = { userId: buyerId, lotId: `l-${buyerId}`, kind: 'paid', credits: 9, grantedAt: 'long ago' };
    const segments = [{ lotId: lot.lotId, credits: 1, valueMicroUsd: 0 }];
    const spent = { userId: buyerId, purchaseId: sale.purchaseId, credits: 1, segments };
    await this.append(`credits-${buyerId}`, 0, ['CreditsGranted', lot], ['CreditsSpent', spent]);
    await this.append(`purchase-${buyerId}.${SAMPLE}`, 0, ['SamplePurchased', sale]);
  }

  closed = async (buyerId: string, outcome: 'Won' | 'Lost') => {
    this.disputed.delete(buyerId);
    if (outcome === 'Lost') this.lost.add(buyerId);
    const [event] = await this.append(`credits-${buyerId}`, 2, [`Dispute${outcome}`, { userId: buyerId }]);
    return event!;
  };
  /** Returns the events of a buyer's returns. */
  written = async (buyerId: string) =>
    (await this.log.readStream(`returns-${buyerId}`)).map(({ type, data }) => [type, data.returnedCredits]);

  private append(stream: string, expectedVersion: number, ...events: [string, object][]) {
    const told = events.map(([type, data]) => ({ type, data }));
    return this.log.append([{ stream, expectedVersion, events: told }], metadata);
  }

  private executor(): CreditExecutor {
    const returnPurchase = async ({ purchase, lots }: PurchaseReturn) => {
      const { buyerId } = purchase;
      const stream = `purchase-${buyerId}.${SAMPLE}`;
      if ((await this.log.readStream(stream)).length > 1) return { accepted: true, changed: false };
      if (this.disputed.has(buyerId)) {
        await this.refused();
        return { accepted: false, rejection: { code: 'PaymentDisputed' } };
      }
      const withheld = this.lost.has(buyerId) ? lots : [];
      await this.append(stream, 1, ['PurchaseReturned', { ...purchase, withheld }]);
      return { accepted: true, changed: true };
    };
    return { returnPurchase } as unknown as CreditExecutor;
  }

  private active(): ActivePurchaseQueries {
    const list = async (_: unknown, limit: number, after?: PurchaseKey) => {
      const sold = this.log.events.filter(({ type }) => type === 'SamplePurchased');
      const undone = new Set(
        this.log.events.filter(({ type }) => type === 'PurchaseReturned').map(({ stream }) => stream),
      );
      return sold
        .filter(({ stream }) => !undone.has(stream))
        .map(({ data }) => data as unknown as PurchaseKey)
        .filter(({ buyerId }) => !after || buyerId > after.buyerId)
        .slice(0, limit);
    };
    return { list, count: async () => (await list(undefined, Number.POSITIVE_INFINITY)).length };
  }
}

describe('a purchase undone while a bank decides about its payment', () => {
  let returns: Returns;
  const all = () => returns.use.all({ sampleId: SAMPLE }, CLICKS, metadata);
  beforeEach(async () => {
    returns = new Returns();
    await returns.bought('ada');
    returns.disputed.add('ada');
  });

  it('[ADM-02] waits, however often it is asked for and by however many', async () => {
    expect(await Promise.all([all(), all()])).toEqual([
      { returned: 0, waiting: 1 },
      { returned: 0, waiting: 1 },
    ]);
    expect(await all()).toEqual({ returned: 0, waiting: 1 });
    expect(await returns.written('ada')).toEqual([['ReturnDeferred', undefined]]);
    expect(await returns.waiting('ada')).toMatchObject([
      { sampleId: SAMPLE, purchaseId: 'p-ada', ...CLICKS, by: 'pia' },
    ]);
  });

  it.each([
    ['Won', 1],
    ['Lost', 0],
  ] as const)('[FIN-09, FIN-10] is settled when the dispute is %s, once', async (outcome, credits) => {
    await all();
    const event = await returns.closed('ada', outcome);
    await returns.use.handle(event);
    await returns.use.handle(event);
    expect(await returns.written('ada')).toEqual([
      ['ReturnDeferred', undefined],
      ['DeferredReturnSettled', credits],
    ]);
    expect(await returns.waiting('ada')).toEqual([]);
    expect(await all()).toEqual({ returned: 0, waiting: 0 });
  });

  it('goes on waiting when another of its payments is disputed still', async () => {
    await all();
    const event = await returns.closed('ada', 'Won');
    returns.disputed.add('ada');
    await returns.use.handle(event);
    expect(await returns.waiting('ada')).toHaveLength(1);
  });

  it('is made at once when the bank decides in the moment in which it is deferred', async () => {
    returns.refused = async () => {
      returns.refused = () => {};
      // The reactor handles the decision before the deferral is recorded, so it finds nothing to do.
      await returns.use.handle(await returns.closed('ada', 'Won'));
    };
    expect(await all()).toEqual({ returned: 1, waiting: 0 });
    expect(await returns.written('ada')).toHaveLength(2);
  });

  it('is settled by the next attempt when the one that undid it stopped there', async () => {
    await all();
    await returns.use.handle(await returns.closed('ada', 'Won'));
    const written = await returns.written('ada');
    const undone = new Returns();
    for (const { stream, version, type, data } of returns.log.events.filter(
      ({ type }) => type !== 'DeferredReturnSettled',
    ))
      await undone.log.append([{ stream, expectedVersion: version - 1, events: [{ type, data }] }], metadata);
    const closed = undone.log.events.find(({ type }) => type === 'DisputeWon');
    await undone.use.handle(closed!);
    expect(await undone.written('ada')).toEqual(written);
  });

  it('keeps nobody else waiting, however many wait before them', async () => {
    for (const buyer of buyers(130)) {
      await returns.bought(buyer);
      returns.disputed.add(buyer);
    }
    await returns.bought('zoe');
    expect(await all()).toEqual({ returned: 1, waiting: 131 });
  });
});
