import { creatorQuery } from '../../api/account.js';
import { ownPackQuery } from '../../api/creator.js';
import type { FirstQueries } from '../../page.js';

const queries: FirstQueries = ({ params: { slug = '' } }) => [ownPackQuery(slug), creatorQuery];
export default queries;
