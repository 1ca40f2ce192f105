import { EarningsNotCounted } from '../../../application/payouts/withdrawals.js';
import { ProblemException } from './problem-exception.js';

/** For `catch`: asks the client to retry soon, because the earnings lag behind the log. */
export function laterWhereNotCounted(error: unknown): never {
  if (error instanceof EarningsNotCounted)
    throw new ProblemException('ServiceUnavailable', {}, { 'Retry-After': '5' });
  throw error;
}
