import { query } from '../../api/api.js';
import { promotionsQuery, salesListQuery, salesQuery, payoutsQuery } from '../../api/creator.js';
import { splitsQuery } from '../../creators/splits.js';
import type { FirstQueries } from '../../page.js';

export default ((_address, user) => [
  query('GET /api/creator/balance'),
  salesQuery('week'),
  salesListQuery,
  query('GET /api/creator/monthly-statements'),
  query('GET /api/creator/tax-details'),
  splitsQuery(),
  promotionsQuery(),
  payoutsQuery(100),
  // Suspended creators cannot withdraw, so the page does not need their payout status.
  ...(user?.isCreator
    ? [query('GET /api/stripe/connect/status/:userId', { params: { userId: user.id } })]
    : []),
]) satisfies FirstQueries;
