import { CreditCommandStore } from '../../application/purchases/credit-command-store.js';
import type { BatchCommand } from '../../application/purchases/decide-credit-command.js';
import type { BatchDecision, DecisionContext } from '../../application/purchases/decision-context.js';
import { InvoiceLots, type LotOfInvoice } from '../../application/payments/invoice-lots.js';
import { RecordedMovements } from '../../application/payments/balance-cursors.js';
import type { CreditEvent } from '../../domain/credits/credit-account.js';
import { evolveInvoiceLot, type ShareInHold } from '../../domain/credits/invoice-lot.js';
import { balanceTransactionDecider } from '../../domain/payments/balance-transaction.js';
import type { InMemoryEventStore } from './in-memory-event-store.js';

/** The batched executor's context kept from batch to batch, and a log in an array. No samples are for sale. */
export class InMemoryDeskStore extends CreditCommandStore {
  private readonly context: DecisionContext = {
    accounts: new Map(),
    requests: new Map(),
    purchases: new Map(),
    samples: new Map(),
    grantedLots: new Set(),
    revocations: new Set(),
    invoiceLots: new Map(),
  };

  constructor(private readonly log: InMemoryEventStore) {
    super();
  }

  override async transact(
    _: readonly BatchCommand[],
    decide: (context: DecisionContext) => BatchDecision,
  ): Promise<BatchDecision> {
    const decision = decide(this.context);
    const [first] = decision.events;
    if (!first) return decision;
    const byStream = new Map<string, BatchDecision['events']>();
    for (const event of decision.events)
      byStream.set(event.stream, [...(byStream.get(event.stream) ?? []), event]);
    const appends = [...byStream].map(([stream, events]) => ({
      stream,
      expectedVersion: (events[0] as (typeof events)[number]).version - 1,
      events: events.map(({ type, data }) => ({ type, data })),
    }));
    await this.log.append(appends, first.metadata);
    for (const event of decision.events as unknown as CreditEvent[]) {
      const lot = event.type === 'CreditsGranted' ? evolveInvoiceLot(undefined, event) : undefined;
      if (lot) this.context.invoiceLots.set(lot.lotId, lot);
    }
    return decision;
  }
}

/** By reading the whole log; nobody bought anything, so no shares are in hold. */
export class InvoiceLotsInLog extends InvoiceLots {
  constructor(private readonly log: InMemoryEventStore) {
    super();
  }

  override async find(of: { invoiceId: string } | { lotId: string }): Promise<LotOfInvoice[]> {
    return (this.log.events as unknown as CreditEvent[]).flatMap((event) => {
      if (event.type !== 'CreditsGranted' || !event.data.invoice) return [];
      const { userId, lotId } = event.data;
      const { invoiceId } = event.data.invoice;
      const wanted = 'lotId' in of ? of.lotId === lotId : of.invoiceId === invoiceId;
      return wanted ? [{ userId, lotId, invoiceId }] : [];
    });
  }

  override sharesSoldAfter = async (): Promise<ShareInHold[]> => [];
}

export class MovementsInLog extends RecordedMovements {
  constructor(private readonly log: InMemoryEventStore) {
    super();
  }

  override async among(transactionIds: readonly string[]): Promise<Set<string>> {
    const known = new Set(this.log.events.map(({ stream }) => stream));
    return new Set(transactionIds.filter((id) => known.has(balanceTransactionDecider.streamOf(id))));
  }
  override completeUntil = async (): Promise<Date | undefined> => undefined;
  override rememberComplete = async (): Promise<void> => {};
  override withoutFact = async (): Promise<string[]> => [];
  override heldWithFact = async (): Promise<string[]> => [];
  override rememberBalance = async (): Promise<void> => {};
}
