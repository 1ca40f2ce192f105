import type { Limits } from '../shared/limits.js';

/** Two people cannot set higher limits than these. */
export const HIGHEST_LIMITS: Limits = {
  adjustmentCredits: 5_000,
  adjustmentMicroUsd: 500_000_000,
  refundsMicroUsd: 2_000_000_000,
  writeOffMicroUsd: 200_000_000,
};
