import type Stripe from 'stripe';
import { BalanceGateway, type ProviderMovement } from '../../../application/payments/balance-gateway.js';
import type { PaymentEvent } from '../../../application/payments/payment-gateway.js';
import type { MovementKind } from '../../../domain/shared/balance-movement.js';
import { StripeCaller } from './stripe-client.js';
import { ask, askMaybe } from './stripe-errors.js';
import { invoicePaidBy } from './stripe-invoice-payments.js';
import * as reports from './stripe-reports.js';
import { createdIn, idOf, movementsOf } from './stripe-shapes.js';

/** Stripe's balance transaction types. Disputes are absent, because only the sign of the amount distinguishes them. */
const KINDS: Record<string, MovementKind> = {
  charge: 'charge',
  payment: 'charge',
  refund: 'refund',
  payment_refund: 'refund',
  refund_failure: 'refund failed',
  payment_failure_refund: 'payment failed',
  transfer: 'transfer',
  transfer_refund: 'transfer reversed',
  transfer_cancel: 'transfer reversed',
  transfer_failure: 'transfer reversed',
  payout: 'bank payout',
  payout_cancel: 'bank payout failed',
  payout_failure: 'bank payout failed',
  stripe_fee: 'fee',
  stripe_fx_fee: 'fee',
  network_cost: 'fee',
  tax_fee: 'fee',
  reserve_transaction: 'reserve',
  reserved_funds: 'reserve',
  reserve_hold: 'reserve',
  reserve_release: 'reserve',
  payment_network_reserve_hold: 'reserve',
  payment_network_reserve_release: 'reserve',
  payout_minimum_balance_hold: 'reserve',
  payout_minimum_balance_release: 'reserve',
};

/** Kinds of movements that none of our events explains. Their records keep the name of Stripe's type. */
const NAMED_BY_PROVIDER: ReadonlySet<MovementKind> = new Set(['reserve', 'other']);

type Reference = Parameters<typeof idOf>[0];

export class StripeBalanceGateway extends StripeCaller implements BalanceGateway {
  async movementsBehind({ type, objectId }: PaymentEvent): Promise<string[]> {
    const found = await this.referencesBehind(type, objectId);
    return found.flatMap((reference) => idOf(reference) ?? []);
  }

  private async referencesBehind(type: string, id: string): Promise<Reference[]> {
    if (type.startsWith('charge.dispute.')) {
      const dispute = await askMaybe(() => this.stripe.disputes.retrieve(id));
      return dispute?.balance_transactions ?? [];
    }
    if (type.startsWith('refund.') || type.startsWith('charge.refund.')) {
      const refund = await askMaybe(() => this.stripe.refunds.retrieve(id));
      return [refund?.balance_transaction, refund?.failure_balance_transaction];
    }
    if (type === 'charge.refunded') {
      const { data } = await ask(() => this.stripe.refunds.list({ charge: id, limit: 100 }));
      return data.map((refund) => refund.balance_transaction);
    }
    if (type === 'charge.succeeded' || type === 'charge.updated' || type === 'charge.failed') {
      const charge = await askMaybe(() => this.stripe.charges.retrieve(id));
      return [charge?.balance_transaction, charge?.failure_balance_transaction];
    }
    if (type.startsWith('transfer.')) {
      const transfer = await askMaybe(() => this.stripe.transfers.retrieve(id));
      const reversals = transfer?.reversals.data ?? [];
      return [transfer?.balance_transaction, ...reversals.map((reversal) => reversal.balance_transaction)];
    }
    if (type.startsWith('payout.')) {
      const payout = await askMaybe(() => this.stripe.payouts.retrieve(id));
      return [payout?.balance_transaction, payout?.failure_balance_transaction];
    }
    return [];
  }

  async listMovements(since: Date, until?: Date): Promise<string[]> {
    const created = createdIn(since, until);
    const ids = await ask(async () => {
      const found: string[] = [];
      const movements = this.stripe.balanceTransactions.list({ created, limit: 100 });
      for await (const { id } of movements) found.push(id);
      return found;
    });
    return ids.reverse();
  }

  async readMovement(transactionId: string): Promise<ProviderMovement | undefined> {
    const movement = await askMaybe(() => this.stripe.balanceTransactions.retrieve(transactionId));
    if (!movement) return undefined;
    const { currency, amount, fee } = movement;
    const source = idOf(movement.source) ?? '';
    const kind = kindOf(movement, source);
    const ours = currency === 'usd';
    return {
      transactionId,
      kind,
      ...(await this.subjectOf(kind, source, transactionId)),
      ...(NAMED_BY_PROVIDER.has(kind) ? { providerType: movement.type } : {}),
      grossUsdCents: ours ? amount : 0,
      feeUsdCents: ours ? fee : 0,
      ...(ours ? {} : { foreign: { currency, grossMinorUnits: amount, feeMinorUnits: fee } }),
      at: new Date(movement.created * 1000).toISOString(),
    };
  }

  reportableUntil(): Promise<Date> {
    return reports.reportableUntil(this.stripe);
  }

  requestReport(span: { from: Date; to: Date }, key: string): Promise<string[]> {
    return reports.requestReport(this.stripe, span, key);
  }

  readReport(ids: readonly string[]): Promise<string | undefined> {
    return reports.readReport(this.stripe, this.options, ids);
  }

  async readBalances(): Promise<Record<string, number>> {
    const { available, pending } = await ask(() => this.stripe.balance.retrieve());
    const balances: Record<string, number> = {};
    for (const { currency, amount } of [...available, ...pending])
      balances[currency] = (balances[currency] ?? 0) + amount;
    return balances;
  }

  /** Returns what a movement is about, such as our invoice or refund, and its `source` at Stripe, such as a charge. */
  private async subjectOf(
    kind: MovementKind,
    source: string,
    transactionId: string,
  ): Promise<{ kind?: MovementKind; about?: string; source?: string }> {
    const named = source ? { source } : {};
    if (kind === 'charge') {
      const charge = await askMaybe(() => this.stripe.charges.retrieve(source));
      return { about: charge && (await invoicePaidBy(this.stripe, charge.payment_intent)), ...named };
    }
    if (kind === 'refund' || kind === 'refund failed') {
      const refund = await askMaybe(() => this.stripe.refunds.retrieve(source));
      const about = refund?.metadata?.['refundId'] ?? refund?.id;
      return { about, source: idOf(refund?.charge) ?? source };
    }
    if (kind === 'dispute' || kind === 'dispute won') {
      const dispute = await askMaybe(() => this.stripe.disputes.retrieve(source));
      const charge = { source: idOf(dispute?.charge) ?? source };
      const others = dispute ? movementsOf(dispute).others : [];
      return others.every(({ moved }) => moved.id !== transactionId)
        ? { about: source, ...charge }
        : { kind: 'dispute adjusted', about: transactionId, ...charge };
    }
    // Returns the movement's own id, because the source is the failed charge, which already has another movement.
    if (kind === 'payment failed') return { about: transactionId, ...named };
    return kind === 'fee' || NAMED_BY_PROVIDER.has(kind) ? named : { about: source, ...named };
  }
}

function kindOf({ type, amount }: Stripe.BalanceTransaction, source: string): MovementKind {
  if (type === 'adjustment' && /^(dp|du)_/.test(source)) return amount < 0 ? 'dispute' : 'dispute won';
  return KINDS[type] ?? 'other';
}
