/** Raw SQL: parts of a sum over lines of the journal. */
import type { LedgerFact } from '../../../domain/ledger/entry.js';

const among = (...facts: LedgerFact[]): string => `fact in (${facts.map((fact) => `'${fact}'`).join(', ')})`;

const REFUNDS = among('invoice-refunded', 'refund-undone');
const CHARGEBACKS = among('dispute-lost');
const ADJUSTMENTS = among('adjustment');

/**
 * Lines of deferred revenue, and the forfeited part of it. Adjusting entries may forfeit value that was never
 * deferred.
 */
export const DEFERRED_LINES = `select at, fact, delta, account <> 'forfeited' as deferred from journal_line
   where account >= 'deferred:' and account < 'deferred;'
      or account = 'forfeited' and (${REFUNDS} or ${CHARGEBACKS} or ${ADJUSTMENTS})`;

/**
 * Movements of deferred revenue, by fact; decreases are positive. Forfeited value was not paid back, so refunds and
 * chargebacks sum both accounts.
 */
export const DEFERRED_MOVES = {
  invoicedMicroUsd: { sign: '-', where: among('invoice-paid') },
  promotionsMicroUsd: { sign: '-', where: among('promotion') },
  returnedMicroUsd: { sign: '-', where: among('return') },
  recognisedMicroUsd: { sign: '', where: among('credits-spent') },
  refundedMicroUsd: { sign: '', where: REFUNDS },
  chargedBackMicroUsd: { sign: '', where: CHARGEBACKS },
  forfeitedMicroUsd: { sign: '-', where: 'not deferred' },
  adjustedMicroUsd: { sign: '-', where: ADJUSTMENTS },
} as const;
