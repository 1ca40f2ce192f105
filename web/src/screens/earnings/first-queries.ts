import { creatorQuery } from '../../api/account.js';
import { creatorBalanceQuery } from '../../api/creator.js';
import { salesListQuery, salesQuery } from '../../api/earnings.js';
import { connectStatusQuery, payoutsQuery } from '../../api/payouts.js';
import type { FirstQueries } from '../../page.js';

/** Others are suspended, or sent home; the screen asks which. */
const queries: FirstQueries = (_address, user) =>
  user?.isCreator
    ? [creatorBalanceQuery, connectStatusQuery(user.id), salesQuery('week'), salesListQuery, payoutsQuery]
    : [creatorQuery];
export default queries;
