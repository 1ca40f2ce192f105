import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { unreachable } from '../../domain/shared/decision.js';
import { PayoutGateway } from '../payments/payout-gateway.js';
import { Clock } from '../shared/clock.js';
import { EventStore, type Cause } from '../shared/event-store.js';
import { forEachCollectingErrors } from '../shared/for-each-collecting-errors.js';
import { BalanceGateway } from '../payments/balance-gateway.js';
import { BalanceTransactions } from '../payments/balance-transactions.js';
import { RecordBankPayout } from '../payments/record-bank-payout.js';
import { TransferFacts } from '../payouts/transfer-facts.js';
import { SettleInvoice } from '../payments/settle-invoice.js';
import { MoneyBackFacts } from '../payments/money-back.js';
import { PaymentGateway } from '../payments/payment-gateway.js';
import { BackfillCursors, PaymentRecords } from '../payments/payment-records.js';
import { RefundGateway } from '../payments/refund-gateway.js';

/** A fact may refer to a fact of an earlier kind, so the kinds are recorded in this order. */
export const BACKFILLED = ['invoices', 'money-back', 'reversals', 'bank-payouts', 'movements'] as const;
export type Backfilled = (typeof BACKFILLED)[number];

type Known = Required<Cause>;

interface BackfillStep {
  from: Date;
  until: Date;
  kind: Backfilled;
  found: number;
  added: number;
}

const SPAN_MS = 31 * 86_400_000;
const ACTOR = 'system:backfill';
const READ_AT_ONCE = 1_000;

/** Records facts at the provider since a given day that no webhook reported. Idempotent; an interrupted run resumes. */
@Injectable()
export class Backfill {
  constructor(
    private readonly payments: PaymentGateway,
    private readonly refunds: RefundGateway,
    private readonly payouts: PayoutGateway,
    private readonly balance: BalanceGateway,
    private readonly records: PaymentRecords,
    private readonly cursors: BackfillCursors,
    private readonly moneyBack: MoneyBackFacts,
    private readonly movements: BalanceTransactions,
    private readonly transfers: TransferFacts,
    private readonly commands: CommandBus,
    private readonly log: EventStore,
    private readonly clock: Clock,
  ) {}

  /**
   * If a fact cannot be recorded, tries the other facts of the span before it
   * throws. The next run with the same day and kinds repeats the span.
   */
  async run(since: Date, kinds: readonly Backfilled[], tell: (step: BackfillStep) => void): Promise<void> {
    const name = `${since.toISOString()} ${kinds.join(' ')}`;
    const end = this.clock.now().getTime();
    let from = (await this.cursors.find(name)) ?? since;
    while (from.getTime() <= end) {
      const until = new Date(from.getTime() + SPAN_MS);
      const span = { from, until };
      await forEachCollectingErrors(
        BACKFILLED.filter((kind) => kinds.includes(kind)),
        async (kind) => {
          const { position } = await this.log.head();
          const found = await this.record(kind, from, until);
          tell({ ...span, kind, found, added: await this.causedSince(position) });
        },
      );
      await this.cursors.remember(name, until);
      from = until;
    }
    await this.cursors.forget(name);
  }

  private async causedSince(position: number): Promise<number> {
    const causes = new Set<string>();
    for (let after = position; ;) {
      const events = await this.log.readAll({ after, limit: READ_AT_ONCE });
      for (const { metadata } of events)
        if (metadata.causationId?.startsWith(`${ACTOR}:`)) causes.add(metadata.causationId);
      const last = events.at(-1);
      if (!last || events.length < READ_AT_ONCE) return causes.size;
      after = last.position;
    }
  }

  /** Records the missing facts of a kind. @returns the number of facts that the provider has in this span */
  private async record(kind: Backfilled, from: Date, until: Date): Promise<number> {
    const causeOf = (id: string): Known => ({ actor: ACTOR, causationId: `${ACTOR}:${id}` });
    switch (kind) {
      case 'invoices': {
        const all = await this.payments.listPaidInvoices(from, until);
        const known = await this.records.settledAmong(all.map(({ invoiceId }) => invoiceId));
        const missing = all.filter(({ invoiceId }) => !known.has(invoiceId));
        await forEachCollectingErrors(missing, (invoice) =>
          this.commands.execute(new SettleInvoice(invoice, causeOf(invoice.invoiceId))),
        );
        return all.length;
      }
      case 'money-back': {
        const charges = await this.refunds.listCharges(from, until);
        await forEachCollectingErrors(charges, (id) => this.moneyBack.record(id, causeOf(id).causationId));
        return charges.length;
      }
      case 'reversals': {
        const all = await this.payouts.listReversedTransfers(from, until);
        await forEachCollectingErrors(all, (transfer) =>
          this.transfers.record(transfer, causeOf(transfer.transferId)),
        );
        return all.length;
      }
      case 'bank-payouts': {
        const all = await this.payouts.listBankPayouts(from, until);
        await forEachCollectingErrors(all, (payout) =>
          this.commands.execute(new RecordBankPayout(payout, causeOf(payout.payoutId))),
        );
        return all.length;
      }
      case 'movements': {
        const all = await this.balance.listMovements(from, until);
        const missing = await this.movements.unrecorded(all);
        await forEachCollectingErrors(missing, (id) => this.movements.record(id, causeOf(id)));
        return all.length;
      }
      default:
        return unreachable(kind);
    }
  }
}
