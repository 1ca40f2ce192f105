import { firstDealQuery } from '../../api/catalogue.js';
import type { FirstQueries } from '../../page.js';

export default (() => [firstDealQuery]) satisfies FirstQueries;
