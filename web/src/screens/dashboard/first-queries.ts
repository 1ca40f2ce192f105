import { creatorQuery } from '../../api/account.js';
import { creatorBalanceQuery, ownPacksQuery } from '../../api/creator.js';
import { dashboardQuery } from '../../api/earnings.js';
import { connectStatusQuery, latestPayoutsQuery } from '../../api/payouts.js';
import { ownProfileQuery } from '../../api/profile.js';
import type { FirstQueries } from '../../page.js';

const queries: FirstQueries = ({ search }, user) => [
  creatorQuery,
  ...(search.get('tab') === 'profile' ? [ownProfileQuery] : [ownPacksQuery, dashboardQuery]),
  ...(user?.isCreator ? [creatorBalanceQuery, connectStatusQuery(user.id), latestPayoutsQuery] : []),
];
export default queries;
