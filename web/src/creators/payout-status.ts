import type { Payout } from '../../../application/payouts/contract.js';

/** The status of a withdrawal in words. */
export const PAYOUT_STATUS: Record<Payout['status'], string> = {
  requested: 'on its way',
  unknown: 'being checked',
  paid: 'paid',
  failed: 'failed',
};
