import type { LedgerFact } from '../../domain/ledger/entry.js';
import { quoted } from './proof/check-terms.js';

const named = (...facts: LedgerFact[]): string => quoted(facts);

/**
 * The facts that change a user's credits, by kind of movement. Decreases count as positive in `spent` and `revoked`,
 * and as negative in the other kinds.
 */
export const CREDIT_MOVES = {
  granted: { sign: '', facts: named('invoice-paid', 'promotion', 'gift-given', 'gift-received') },
  spent: { sign: '-', facts: named('credits-spent') },
  returned: { sign: '', facts: named('return') },
  revoked: { sign: '-', facts: named('invoice-refunded', 'refund-undone', 'dispute-lost', 'dispute-won') },
  adjusted: { sign: '', facts: named('adjustment') },
} as const;

/**
 * Returns the SQL condition for lines about credits of one user or all users. @param parameter the placeholder of
 * the user id, such as `$1`
 */
export const creditAccountsOf = (userId: string | undefined, parameter: string): string =>
  // `user:` to `user;` contains every account that starts with `user:`, because ';' follows ':' in byte order.
  userId === undefined
    ? `${parameter}::text is null and (account >= 'user:' and account < 'user;' or account >= 'frozen:' and account < 'frozen;')`
    : `account in ('user:' || ${parameter}, 'frozen:' || ${parameter})`;
