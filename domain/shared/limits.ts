/** What one person of the staff decides alone; above it a second one agrees. */
export interface Limits {
  /** All adjustments of one administrator in 24 hours. */
  adjustmentCredits: number;
  adjustmentMicroUsd: number;
  /** All refunds of one administrator in 24 hours, tax included. */
  refundsMicroUsd: number;
  /** One debt of a creator. */
  writeOffMicroUsd: number;
}

/** Until two people set others. */
export const FIRST_LIMITS: Limits = {
  adjustmentCredits: 500,
  adjustmentMicroUsd: 50_000_000,
  refundsMicroUsd: 200_000_000,
  writeOffMicroUsd: 20_000_000,
};

/** How long what somebody did alone counts. */
export const ALONE_WINDOW_HOURS = 24;
export const ALONE_WINDOW_MS = ALONE_WINDOW_HOURS * 3_600_000;
