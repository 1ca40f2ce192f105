import { downloadsQuery, savedQuery } from '../../api/account.js';
import type { FirstQueries } from '../../page.js';

export default (() => [savedQuery, downloadsQuery]) satisfies FirstQueries;
