import { EarningsNotCounted } from '../../../application/payouts/withdrawals.js';
import { ProblemException } from './problem-exception.js';

/** For `catch`: earnings that lag behind the log are asked for again soon. */
export function laterWhereNotCounted(error: unknown): never {
  if (error instanceof EarningsNotCounted)
    throw new ProblemException('ServiceUnavailable', {}, { 'Retry-After': '5' });
  throw error;
}
