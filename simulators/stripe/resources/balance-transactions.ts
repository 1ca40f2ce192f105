import type Stripe from 'stripe';
import { page } from '../listing.js';
import type { Route } from '../router.js';
import type { World } from '../world.js';

/** Makes money available whose day has come. The status depends only on the clock. */
export function settleBalance(world: World): void {
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

/** Records a movement that takes effect at once: a transfer, refund, dispute, reversal, or money from a test. */
export function recordMovement(
  world: World,
  movement: {
    type: Stripe.BalanceTransaction.Type;
    /** In cents; negative if money leaves. */
    amount: number;
    /** In cents, taken in addition to the amount. */
    fee?: number;
    source: string;
    description: string | null;
    /** Our own currency by default. */
    currency?: string;
  },
): string {
  const { type, amount, fee = 0, source, description, currency = 'usd' } = movement;
  const transaction: Stripe.BalanceTransaction = {
    id: world.id('txn'),
    object: 'balance_transaction',
    amount,
    available_on: world.now(),
    balance_type: 'payments',
    created: world.now(),
    currency,
    description,
    exchange_rate: null,
    fee,
    fee_details:
      fee === 0
        ? []
        : [
            {
              amount: fee,
              application: null,
              currency: 'usd',
              description: 'Dispute fee',
              type: 'stripe_fee',
            },
          ],
    net: amount - fee,
    reporting_category: categoryOf(type, amount),
    source,
    status: 'available',
    type,
  };
  world.objects.balanceTransactions[transaction.id] = transaction;
  return transaction.id;
}

const sumOf = (world: World, status: string, currency = 'usd'): number =>
  Object.values(world.objects.balanceTransactions)
    .filter((transaction) => transaction.status === status && transaction.currency === currency)
    .reduce((sum, { net }) => sum + net, 0);

/** Returns the available balance, in cents. */
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

export const balanceTransactionRoutes: Route[] = [
  {
    method: 'GET',
    pattern: '/v1/balance',
    answer: ({ world, parameters }) => {
      parameters.done();
      settleBalance(world);
      return {
        object: 'balance',
        available: amountsOf(world, 'available'),
        connect_reserved: [{ amount: 0, currency: 'usd' }],
        livemode: false,
        pending: amountsOf(world, 'pending'),
      };
    },
  },
  {
    method: 'GET',
    pattern: '/v1/balance_transactions/:id',
    answer: ({ world, path, parameters }) => {
      parameters.done();
      settleBalance(world);
      return world.find('balanceTransactions', path['id'] as string);
    },
  },
  {
    method: 'GET',
    pattern: '/v1/balance_transactions',
    answer: ({ world, parameters }) => {
      settleBalance(world);
      const type = parameters.text('type');
      const source = parameters.text('source');
      const currency = parameters.text('currency');
      const created = parameters.range('created');
      const found = world
        .all('balanceTransactions')
        .filter(
          (transaction) =>
            (!type || transaction.type === type) &&
            (!source || transaction.source === source) &&
            (!currency || transaction.currency === currency) &&
            (!created || created(transaction.created)),
        );
      return page(found, parameters, '/v1/balance_transactions');
    },
  },
];
