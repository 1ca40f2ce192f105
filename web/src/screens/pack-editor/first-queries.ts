import { creatorQuery } from '../../api/account.js';
import { ownPackQuery } from '../../api/creator.js';
import type { FirstQueries } from '../../page.js';

export default (({ params: { slug = '' } }) => [ownPackQuery(slug), creatorQuery]) satisfies FirstQueries;
