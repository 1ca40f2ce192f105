import type Stripe from 'stripe';
import { list, show, type Routes } from '../router.js';
import { DAY_SECONDS, idOf, type World } from '../world.js';

/** Makes pending money available once its day has come. The status depends only on the clock. */
function settleBalance(world: World): undefined {
  for (const transaction of Object.values(world.objects.balanceTransactions))
    if (transaction.status === 'pending' && transaction.available_on <= world.now())
      transaction.status = 'available';
}

const CATEGORIES: Record<string, string> = {
  transfer_refund: 'transfer_reversal',
  payout_failure: 'payout_reversal',
};

const categoryOf = (type: string, amount: number): string =>
  type === 'adjustment' ? (amount < 0 ? 'dispute' : 'dispute_reversal') : (CATEGORIES[type] ?? type);

/** Records a movement of our balance. The money is available at once unless the movement settles later. */
export function recordMovement(
  world: World,
  movement: {
    type: Stripe.BalanceTransaction.Type;
    /** In cents; negative if money leaves. */
    amount: number;
    /** In cents, taken in addition to the amount. */
    fee?: number;
    feeName?: string;
    source: string;
    description: string | null;
    /** Our own currency by default. */
    currency?: string;
    exchangeRate?: number | null;
    settlesAfterSeconds?: number;
  },
): string {
  const { type, amount, fee = 0, feeName = 'Dispute fee', source, description, currency = 'usd' } = movement;
  const { exchangeRate = null, settlesAfterSeconds = 0 } = movement;
  const charged = {
    amount: fee,
    application: null,
    currency: 'usd',
    description: feeName,
    type: 'stripe_fee',
  };
  const transaction = world.add('balanceTransactions', {
    id: world.id('txn'),
    object: 'balance_transaction',
    amount,
    available_on: world.now() + settlesAfterSeconds,
    balance_type: 'payments',
    created: world.now(),
    currency,
    description,
    exchange_rate: exchangeRate,
    fee,
    fee_details: fee === 0 ? [] : [charged],
    net: amount - fee,
    reporting_category: categoryOf(type, amount),
    source,
    status: settlesAfterSeconds > 0 ? 'pending' : 'available',
    type,
  });
  return transaction.id;
}

/** Withholds money from our balance for a while. */
export function holdReserve(world: World, amount: number, days: number): object {
  const reserve = { id: world.id('rsv'), amount, releasedAt: world.now() + days * DAY_SECONDS };
  world.state.reserves.push(reserve);
  const { id: source } = reserve;
  recordMovement(world, { type: 'reserve_hold', amount: -amount, source, description: null });
  return reserve;
}

export function releaseReserve(world: World, { id: source, amount }: { id: string; amount: number }): void {
  world.state.reserves = world.state.reserves.filter(({ id }) => id !== source);
  recordMovement(world, { type: 'reserve_release', amount, source, description: null });
}

const sumOf = (world: World, status: string, currency: string): number =>
  Object.values(world.objects.balanceTransactions)
    .filter((transaction) => transaction.status === status && transaction.currency === currency)
    .reduce((sum, { net }) => sum + net, 0);

export function availableCents(world: World, currency = 'usd'): number {
  settleBalance(world);
  return sumOf(world, 'available', currency);
}

/** Returns one amount for each currency that ever moved. */
function amountsOf(world: World, status: string) {
  const moved = Object.values(world.objects.balanceTransactions).map(({ currency }) => currency);
  return [...new Set(['usd', ...moved])].map((currency) => {
    const amount = sumOf(world, status, currency);
    return { amount, currency, source_types: { card: amount } };
  });
}

export const balanceRoutes: Routes = {
  'GET /v1/balance': show(({ world }) => {
    settleBalance(world);
    return {
      object: 'balance',
      available: amountsOf(world, 'available'),
      connect_reserved: [{ amount: 0, currency: 'usd' }],
      livemode: false,
      pending: amountsOf(world, 'pending'),
    };
  }),
  'GET /v1/balance_transactions/:id': show(({ world, id }) => {
    settleBalance(world);
    return world.find('balanceTransactions', id);
  }),
  'GET /v1/balance_transactions': list(
    'balanceTransactions',
    ['type', 'source', 'currency', 'created'],
    ({ world }) => settleBalance(world),
  ),
};

const COLUMNS = [
  'balance_transaction_id',
  'created_utc',
  'currency',
  'gross',
  'fee',
  'net',
  'reporting_category',
  'source_id',
  'charge_id',
  'invoice_id',
  'description',
];

/** Returns movements of the balance, oldest first, in the format of the export in Stripe's dashboard. */
export function balanceReport(
  world: World,
  covers: (transaction: Stripe.BalanceTransaction) => boolean = () => true,
  columns = COLUMNS,
): string {
  const rows = Object.values(world.objects.balanceTransactions)
    .filter(covers)
    .map((transaction) => {
      const chargeId = chargeBehind(world, idOf(transaction.source));
      const at = new Date(transaction.created * 1000).toISOString().slice(0, 19).replace('T', ' ');
      const cells: Record<string, string | undefined> = {
        balance_transaction_id: transaction.id,
        created_utc: at,
        effective_at_utc: at,
        currency: transaction.currency,
        gross: inUnits(transaction.amount),
        fee: inUnits(transaction.fee),
        net: inUnits(transaction.net),
        reporting_category: transaction.reporting_category,
        source_id: idOf(transaction.source),
        payout_id: idOf(transaction.source),
        charge_id: chargeId,
        invoice_id: chargeId && invoiceBehind(world, world.find('charges', chargeId)),
        description: `"${(transaction.description ?? '').replaceAll('"', '""')}"`,
      };
      return columns.map((column) => cells[column] ?? '').join(',');
    });
  return `${[columns.join(','), ...rows].join('\n')}\n`;
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

const inUnits = (cents: number): string => (cents / 100).toFixed(2);
