/** What a screen may carry of this context: schemas stay in the contract, which brings zod along. */

/** What of the payment provider's report is read at once. */
export const REPORT_LIMIT_BYTES = 32 * 1024 * 1024;

/** What alerts about rules that a nightly check found broken are called. */
export const RULE_BROKEN = 'rule-broken';

/** What alerts about sales that brought more for a credit than any plan asks are called. */
export const SALE_UNDER_REVIEW = 'sale-under-review';

/** How the reason of a refund begins that the provider has taken on and not sent. */
export const REFUND_ON_ITS_WAY = 'a refund on its way';
/** How the reason of a refund begins whose money came back to us. */
export const REFUND_FAILED = 'a refund that failed';
export { inCurrency } from '../../domain/shared/currency.js';

export { ADJUSTED_ACCOUNTS, CLEARED_ACCOUNTS, accountsFor } from '../../domain/ledger/adjusting-entry.js';
export const EVIDENCE_MAX_LENGTH = 500;

/** A longer text is no id, name or amount. */
export const FIND_MAX_LENGTH = 200;
export const FIND_MIN_LENGTH = 1;
