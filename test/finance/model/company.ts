import { lotsTakenBy } from '../../../application/purchases/return-purchases.js';
import { LogAudit } from '../../../application/ledger/audit-log.js';
import { CreditBatch, type BatchFacts } from '../../../application/credits/credit-batch.js';
import { decide, type AnswerTo, type BatchCommand } from '../../../application/credits/credit-executor.js';
import type { CreditEvent, LotSegment } from '../../../domain/credits/credit-account.js';
import { evolveInvoiceLot, type ShareInHold } from '../../../domain/credits/invoice-lot.js';
import {
  payoutDecider,
  type Earned,
  type PayoutCommand,
  type PayoutDecision,
  type PayoutEvent,
  type Payouts,
} from '../../../domain/payouts/payouts.js';
import { releasedBefore } from '../../../domain/payouts/policy.js';
import type { SuspenseItem } from '../../../domain/ledger/adjusting-entry.js';
import { entryFor, type Entry } from '../../../domain/ledger/entry.js';
import type { AdjustingLine } from '../../../domain/shared/adjusting-lines.js';
import { sharesOf } from '../../../domain/shared/share-policy.js';
import type { PaidPurchase } from '../../../domain/purchases/purchase.js';

export interface Logged {
  position: number;
  stream: string;
  type: string;
  data: Record<string, unknown>;
  at: number;
  entry: Entry | undefined;
}

interface Share {
  purchaseId: string;
  creatorId: string;
  shareMicroUsd: number;
  at: number;
}

/** The domain without a database: the deciders, the batched executor, and the journal as running sums. */
export class Company {
  readonly facts: BatchFacts = {
    accounts: new Map(),
    requests: new Map(),
    purchases: new Map(),
    samples: new Map(),
    packs: new Map(),
    grantedLots: new Set(),
    revocations: new Set(),
    gifts: new Map(),
    invoiceLots: new Map(),
  };
  readonly books = new Map<string, number>();
  readonly log: Logged[] = [];
  /** The events of the last step. */
  fresh: Logged[] = [];
  /** Deferred value that refunds and lost disputes took, including what they forfeited. */
  goneBack = 0;
  granted = 0;
  readonly payouts = new Map<string, Payouts>();
  readonly sales = new Map<string, PaidPurchase & { at: number; active: boolean }>();
  /** Ids of posted adjusting entries. `reopenings` has the approvals by which each month was reopened. */
  adjusted: ReadonlySet<string> = new Set();
  readonly reopenings = new Map<string, readonly string[]>();
  private readonly suspended: { account: string; about: string; delta: number; at: number }[] = [];
  private readonly takenBack: Share[] = [];
  private readonly spent = new Map<string, readonly LotSegment[]>();
  private readonly origins = new Map<string, string>();
  private readonly credits = new Map<string, CreditEvent[]>();
  private readonly audit = new LogAudit();

  constructor(public now: number) {}

  executor<Command extends BatchCommand>(command: Command): AnswerTo<Command> {
    const batch = new CreditBatch(this.facts);
    const answer = decide(command, batch);
    for (const { stream, type, data } of batch.events) this.record(stream, type, data);
    return answer;
  }

  payout(creatorId: string, command: PayoutCommand): PayoutDecision {
    const state = this.payouts.get(creatorId) ?? payoutDecider.initialState;
    const decision = payoutDecider.decide(command, state);
    if (!decision.accepted) return decision;
    this.payouts.set(creatorId, decision.events.reduce(payoutDecider.evolve, state));
    for (const { type, data } of decision.events) this.record(`payouts-${creatorId}`, type, data);
    return decision;
  }

  /** @param at the time in the books, if it is not now */
  record(stream: string, type: string, data: object, at = this.now): void {
    const entry = entryFor({ type, data });
    const event: Logged = {
      position: this.log.length + 1,
      stream,
      type,
      data: data as Record<string, unknown>,
      at,
      entry,
    };
    this.log.push(event);
    this.fresh.push(event);
    this.audit.examine(event);
    const back = [
      'invoice-refunded',
      'refund-undone',
      'dispute-lost',
      'dispute-won',
      'adjusting-entry',
    ].includes(entry?.fact ?? '');
    for (const { account, delta } of entry?.postings ?? []) {
      this.books.set(account, (this.books.get(account) ?? 0) + delta);
      if (back && (account.startsWith('deferred:') || account === 'forfeited')) this.goneBack += delta;
    }
    this.follow(event);
  }

  /** Maintains the data of the read models in the simplest way. */
  private follow({ type, data, at, stream, entry }: Logged): void {
    this.suspend(type, data, at, entry);
    const event = { type, data } as unknown as CreditEvent;
    if (stream.startsWith('credits-')) {
      const all = this.credits.get(stream) ?? [];
      all.push(event);
      this.credits.set(stream, all);
    }
    if (event.type === 'CreditsGranted') {
      const { lotId, returned, adjustment, reason, valueMicroUsd } = event.data;
      this.origins.set(lotId, returned?.lotId ?? adjustment?.paidLotId ?? lotId);
      if (reason !== 'refund') this.granted += valueMicroUsd;
      const { gift } = event.data;
      if (gift) {
        const { grants = [], payerIsGone = false } = this.facts.gifts.get(gift.giftId) ?? {};
        this.facts.gifts.set(gift.giftId, { grants: [...grants, event.data], payerIsGone });
      }
      const lot = evolveInvoiceLot(undefined, event);
      if (lot) this.facts.invoiceLots.set(lotId, lot);
    }
    if (event.type === 'CreditsSpent') this.spent.set(event.data.purchaseId, event.data.segments);
    if (type === 'SamplePurchased') {
      const purchase = data as unknown as PaidPurchase;
      this.sales.set(purchase.purchaseId, { ...purchase, at, active: true });
    }
    if (type !== 'PurchaseReturned' && type !== 'ShareTakenBack') return;
    const { purchaseId } = data as unknown as PaidPurchase;
    const sale = this.sales.get(purchaseId) as PaidPurchase & { at: number; active: boolean };
    if (type === 'PurchaseReturned') sale.active = false;
    for (const { creatorId, shareMicroUsd } of sharesOf(data as unknown as PaidPurchase))
      this.takenBack.push({ purchaseId, creatorId, shareMicroUsd, at: sale.at });
  }

  /** Movements without a fact, one by one, and their explanations. */
  private suspend(type: string, data: Record<string, unknown>, at: number, entry: Entry | undefined): void {
    if (type === 'MovementHeldInSuspense' || type === 'MovementExplained')
      for (const { account, delta } of entry?.postings ?? [])
        if (account.startsWith('suspense') || account === 'stripe:reserve')
          this.suspended.push({ account, about: data['item'] as string, delta, at });
    if (type === 'AdjustingEntryPosted')
      for (const { account, about, delta } of data['lines'] as AdjustingLine[])
        if (about !== undefined) this.suspended.push({ account, about, delta, at });
  }

  suspenseItems(by = Infinity): SuspenseItem[] {
    const items = new Map<string, SuspenseItem>();
    for (const { account, about, delta, at } of this.suspended) {
      if (at > by) continue;
      const key = `${account} ${about}`;
      const balance = (items.get(key)?.balance ?? 0) + delta;
      items.set(key, { account, about, balance });
    }
    return [...items.values()].filter(({ balance }) => balance !== 0);
  }

  /** Returns the rules that the audit finds broken in the log so far. */
  breaches(): string[] {
    return this.audit.finish().map(({ invariant, detail }) => `rule ${invariant}: ${detail}`);
  }

  earned(creatorId: string): Earned {
    const until = releasedBefore(new Date(this.now)).getTime();
    const sum = (shares: Iterable<Share>): number => {
      let total = 0;
      for (const share of shares)
        if (share.creatorId === creatorId && share.at <= until) total += share.shareMicroUsd;
      return total;
    };
    const sold = [...this.sales.values()].flatMap((sale) =>
      sharesOf(sale).map((share) => ({ ...share, purchaseId: sale.purchaseId, at: sale.at })),
    );
    return { releasedMicroUsd: sum(sold), reversedMicroUsd: sum(this.takenBack) };
  }

  /** Returns the shares in hold that a lot paid for, in proportion. */
  sharesInHold(lotId: string): ShareInHold[] {
    const held = releasedBefore(new Date(this.now)).getTime();
    const taken = this.facts.invoiceLots.get(lotId)?.sharesTakenBack ?? [];
    return [...this.sales.values()].flatMap((sale) => {
      const { purchaseId, sampleId } = sale;
      if (!sale.active || sale.at <= held || taken.some((share) => share.purchaseId === purchaseId))
        return [];
      const paid = (this.spent.get(purchaseId) ?? [])
        .filter((segment) => this.origins.get(segment.lotId) === lotId)
        .reduce((sum, { valueMicroUsd }) => sum + valueMicroUsd, 0);
      if (paid === 0) return [];
      return sharesOf(sale)
        .map(({ creatorId, shareMicroUsd: whole }) => {
          const shareMicroUsd = Number((BigInt(whole) * BigInt(paid)) / BigInt(sale.valueMicroUsd));
          return { lotId, purchaseId, creatorId, sampleId, shareMicroUsd };
        })
        .filter(({ shareMicroUsd }) => shareMicroUsd > 0);
    });
  }

  lotsTakenBy(purchase: PaidPurchase) {
    return lotsTakenBy(purchase, this.historyOf(purchase.buyerId));
  }

  /** The events of an account, after those of the gifts that came into it. */
  historyOf = (user: string): readonly CreditEvent[] => {
    const own = this.credits.get(`credits-${user}`) ?? [];
    return [
      ...own.flatMap(({ type, data }) => (type === 'GiftReceived' ? this.historyOf(data.from) : [])),
      ...own,
    ];
  };

  /** The events of the last payout command. */
  get payoutEvents(): PayoutEvent[] {
    return this.fresh.filter(({ stream }) => stream.startsWith('payouts-')) as unknown as PayoutEvent[];
  }
}
