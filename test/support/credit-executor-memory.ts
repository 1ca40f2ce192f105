import { CreditBatch, type BatchFacts, type DecidedEvent } from '../../application/credits/credit-batch.js';
import { CreditBatchStore, type BatchCommand } from '../../application/credits/credit-executor.js';
import { InvoiceLots, type LotOfInvoice } from '../../application/payments/invoice-lots.js';
import { RecordedMovements } from '../../application/payments/balance-transactions.js';
import type { CreditEvent } from '../../domain/credits/credit-account.js';
import { evolveInvoiceLot, type ShareInHold } from '../../domain/credits/invoice-lot.js';
import { balanceTransactionDecider } from '../../domain/payments/balance-transaction.js';
import type { InMemoryEventStore } from './in-memory-event-store.js';

/** Keeps the facts of credit batches in memory and the log in an array. No samples are for sale. */
export class InMemoryCreditBatchStore extends CreditBatchStore {
  private readonly facts: BatchFacts = {
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

  constructor(private readonly log: InMemoryEventStore) {
    super();
  }

  override async transact<Result>(
    _: readonly BatchCommand[],
    decide: (batch: CreditBatch) => Result,
  ): Promise<Result> {
    const batch = new CreditBatch(this.facts);
    const result = decide(batch);
    const [first] = batch.events;
    if (!first) return result;
    const byStream = new Map<string, DecidedEvent[]>();
    for (const event of batch.events)
      byStream.set(event.stream, [...(byStream.get(event.stream) ?? []), event]);
    const appends = [...byStream].map(([stream, events]) => ({
      stream,
      expectedVersion: (events[0] as DecidedEvent).version - 1,
      events: events.map(({ type, data }) => ({ type, data })),
    }));
    await this.log.append(appends, first.metadata);
    for (const event of batch.events as unknown as CreditEvent[]) {
      const lot = event.type === 'CreditsGranted' ? evolveInvoiceLot(undefined, event) : undefined;
      if (lot) this.facts.invoiceLots.set(lot.lotId, lot);
    }
    return result;
  }
}

/** Reads the whole log. No purchases exist, so no shares are in hold. */
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
      return wanted ? [{ userId, payerId: userId, giftId: null, lotId, invoiceId }] : [];
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
  override misplaced = async (): Promise<string[]> => [];
  override rememberBalances = async (): Promise<void> => {};
}
