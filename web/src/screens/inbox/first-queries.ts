import { inboxQuery } from '../../inbox/inbox.js';
import type { FirstQueries } from '../../page.js';

export default (() => [inboxQuery]) satisfies FirstQueries;
