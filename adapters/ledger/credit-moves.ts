import type { LedgerFact } from '../../domain/ledger/entry.js';
import { quoted } from './proof/check-terms.js';

const named = (...facts: LedgerFact[]): string => quoted(facts);

/** Movements of users' credits in the journal, by fact; decreases are positive. */
export const CREDIT_MOVES = {
  granted: { sign: '', facts: named('invoice-paid', 'promotion') },
  spent: { sign: '-', facts: named('credits-spent') },
  returned: { sign: '', facts: named('return') },
  revoked: { sign: '-', facts: named('invoice-refunded', 'refund-undone', 'dispute-lost') },
  adjusted: { sign: '', facts: named('adjustment') },
} as const;

/** The SQL condition for credit lines of one user or of all users. @param parameter such as `$1`: a user id or null */
export const creditAccountsOf = (userId: string | undefined, parameter: string): string =>
  // The ranges end at ';', which follows ':' in byte order.
  userId === undefined
    ? `${parameter}::text is null and (account >= 'user:' and account < 'user;' or account >= 'frozen:' and account < 'frozen;')`
    : `account in ('user:' || ${parameter}, 'frozen:' || ${parameter})`;
