import { page } from '../listing.js';
import type { Route } from '../router.js';
import type { World } from '../world.js';

/** Money becomes available when its day has come; the status is a matter of the clock alone. */
export function settleBalance(world: World): void {
  for (const transaction of Object.values(world.objects.balanceTransactions))
    if (transaction.status === 'pending' && transaction.available_on <= world.now())
      transaction.status = 'available';
}

export const balanceTransactionRoutes: Route[] = [
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
      const created = parameters.range('created');
      const found = world
        .all('balanceTransactions')
        .filter(
          (transaction) =>
            (!type || transaction.type === type) &&
            (!source || transaction.source === source) &&
            (!created || created(transaction.created)),
        );
      return page(found, parameters, '/v1/balance_transactions');
    },
  },
];
