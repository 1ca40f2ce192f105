import type Stripe from 'stripe';
import { idOf, type World } from './world.js';

const COLUMNS =
  'balance_transaction_id,created_utc,currency,gross,fee,net,reporting_category,source_id,charge_id,invoice_id,description';

/** Returns all movements of the balance, oldest first, in the format of the export in Stripe's dashboard. */
export function balanceReport(world: World): string {
  const rows = Object.values(world.objects.balanceTransactions).map((transaction) => {
    const chargeId = chargeBehind(world, idOf(transaction.source));
    return [
      transaction.id,
      new Date(transaction.created * 1000).toISOString().slice(0, 19).replace('T', ' '),
      transaction.currency,
      dollars(transaction.amount),
      dollars(transaction.fee),
      dollars(transaction.net),
      transaction.reporting_category,
      idOf(transaction.source),
      chargeId ?? '',
      (chargeId && invoiceBehind(world, world.find('charges', chargeId))) ?? '',
      `"${(transaction.description ?? '').replaceAll('"', '""')}"`,
    ].join(',');
  });
  return `${[COLUMNS, ...rows].join('\n')}\n`;
}

function chargeBehind(world: World, source: string): string | undefined {
  const { charges, refunds, disputes } = world.objects;
  if (charges[source]) return source;
  const about = refunds[source] ?? disputes[source];
  return about && idOf(about.charge);
}

const invoiceBehind = (world: World, charge: Stripe.Charge): string | undefined => {
  const intent = idOf(charge.payment_intent);
  const payment = world.all('invoicePayments').find((each) => idOf(each.payment.payment_intent) === intent);
  return payment && idOf(payment.invoice);
};

const dollars = (cents: number): string => (cents / 100).toFixed(2);
