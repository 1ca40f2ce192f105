/** Values that screens may import. The contract's schemas are in another file, because they would load zod. */

export const REPORT_LIMIT_BYTES = 32 * 1024 * 1024;

/** A higher amount would silence alerts that matter in a shop of any size. */
export const MATERIALITY_MAX_MICRO_USD = 1_000_000_000;

/** The kind of alerts about movements that only the provider's report or only the books have. */
export const TIE_OUT = 'tie-out';

export const RULE_BROKEN = 'rule-broken';

/** The kind of alerts about sales that brought more per credit than any product charges. */
export const SALE_UNDER_REVIEW = 'sale-under-review';

/** An open item's reason begins with this text while the provider has accepted its refund but not sent it. */
export const REFUND_ON_ITS_WAY = 'a refund on its way';
/** An open item's reason begins with this text if its refund failed and the money came back to us. */
export const REFUND_FAILED = 'a refund that failed';
export { inCurrency } from '../../domain/shared/micro-usd.js';

export { accountLabel } from '../../domain/ledger/accounts.js';
export { ADJUSTED_ACCOUNTS, CLEARED_ACCOUNTS, accountsFor } from '../../domain/ledger/adjusting-entry.js';
export const EVIDENCE_MAX_LENGTH = 500;

export const FIND_MAX_LENGTH = 200;
export const FIND_MIN_LENGTH = 1;
