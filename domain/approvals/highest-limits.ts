import type { Limits } from '../shared/limits.js';

/** Nobody lets one person do more than this. */
export const HIGHEST_LIMITS: Limits = {
  adjustmentCredits: 5_000,
  adjustmentMicroUsd: 500_000_000,
  refundsMicroUsd: 2_000_000_000,
  writeOffMicroUsd: 200_000_000,
};
