import { query } from '../../api/api.js';
import { creatorQuery } from '../../api/account.js';
import { ownPacksQuery, payoutsQuery } from '../../api/creator.js';
import type { FirstQueries } from '../../page.js';

export default (({ search }, user) => [
  creatorQuery,
  ...(search.get('tab') === 'profile'
    ? [query('GET /api/creator/profile')]
    : search.get('tab') === 'rights'
      ? [query('GET /api/creator/rights')]
      : [ownPacksQuery, query('GET /api/creator/dashboard')]),
  ...(user?.isCreator
    ? [
        query('GET /api/creator/balance'),
        query('GET /api/stripe/connect/status/:userId', { params: { userId: user.id } }),
        payoutsQuery(3),
      ]
    : []),
]) satisfies FirstQueries;
