import { creatorBalanceQuery } from '../../api/creator.js';
import { salesListQuery, salesQuery } from '../../api/earnings.js';
import { connectStatusQuery, payoutsQuery } from '../../api/payouts.js';
import type { FirstQueries } from '../../page.js';

const queries: FirstQueries = (_address, user) => [
  creatorBalanceQuery,
  salesQuery('week'),
  salesListQuery,
  payoutsQuery,
  // Suspended creators cannot withdraw.
  ...(user?.isCreator ? [connectStatusQuery(user.id)] : []),
];
export default queries;
