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

/** In this order, because facts refer to earlier kinds. */
export const BACKFILLED = ['invoices', 'money-back', 'reversals', 'bank-payouts', 'movements'] as const;
export type Backfilled = (typeof BACKFILLED)[number];

type Known = Required<Cause>;

interface Fact {
  id: string;
  record(cause: Known): Promise<unknown>;
}

export interface BackfillStep {
  from: Date;
  until: Date;
  kind: Backfilled;
  found: number;
  added: number;
}

const SPAN_MS = 31 * 86_400_000;
const ACTOR = 'system:backfill';
const READ_AT_ONCE = 1_000;

/** Records facts that are missing since a day, as webhooks would have. Resumes after interruptions. Idempotent. */
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

  /** @throws the last failure, after trying the rest of the span. The next run repeats that span */
  async run(since: Date, kinds: readonly Backfilled[], tell: (step: BackfillStep) => void): Promise<void> {
    const name = `${since.toISOString()} ${kinds.join(' ')}`;
    const end = this.clock.now().getTime();
    let from = (await this.cursors.find(name)) ?? since;
    while (from.getTime() <= end) {
      const until = new Date(from.getTime() + SPAN_MS);
      const span = { from, until };
      await forEachCollectingErrors(
        BACKFILLED.filter((kind) => kinds.includes(kind)),
        async (kind) => tell({ ...span, kind, ...(await this.record(kind, from, until)) }),
      );
      await this.cursors.remember(name, until);
      from = until;
    }
    await this.cursors.forget(name);
  }

  private async record(
    kind: Backfilled,
    from: Date,
    until: Date,
  ): Promise<Pick<BackfillStep, 'found' | 'added'>> {
    const { facts, found } = await this.listed(kind, from, until);
    const { position } = await this.log.head();
    await forEachCollectingErrors(facts, ({ id, record }) =>
      record({ actor: ACTOR, causationId: `${ACTOR}:${id}` }),
    );
    return { found, added: await this.causedSince(position) };
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

  private async listed(kind: Backfilled, from: Date, until: Date): Promise<{ found: number; facts: Fact[] }> {
    switch (kind) {
      case 'invoices': {
        const all = await this.payments.listPaidInvoices(from, until);
        const known = await this.records.settledAmong(all.map(({ invoiceId }) => invoiceId));
        const facts = all.map((invoice) => ({
          id: invoice.invoiceId,
          record: (cause: Known) => this.commands.execute(new SettleInvoice(invoice, cause)),
        }));
        return { found: all.length, facts: facts.filter(({ id }) => !known.has(id)) };
      }
      case 'money-back': {
        const charges = await this.refunds.listCharges(from, until);
        const record = (id: string) => (cause: Known) => this.moneyBack.record(id, cause.causationId);
        return { found: charges.length, facts: charges.map((id) => ({ id, record: record(id) })) };
      }
      case 'reversals': {
        const all = await this.payouts.listReversedTransfers(from, until);
        const facts = all.map((transfer) => ({
          id: transfer.transferId,
          record: (cause: Known) => this.transfers.record(transfer, cause),
        }));
        return { found: all.length, facts };
      }
      case 'bank-payouts': {
        const all = await this.payouts.listBankPayouts(from, until);
        const facts = all.map((payout) => ({
          id: payout.payoutId,
          record: (cause: Known) => this.commands.execute(new RecordBankPayout(payout, cause)),
        }));
        return { found: all.length, facts };
      }
      case 'movements': {
        const all = await this.balance.listMovements(from, until);
        const record = (id: string) => (cause: Known) => this.movements.record(id, cause);
        const missing = await this.movements.unrecorded(all);
        return { found: all.length, facts: missing.map((id) => ({ id, record: record(id) })) };
      }
      default:
        return unreachable(kind);
    }
  }
}
