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

/** What two people of the staff give together in the window; above it finance approves. */
export const TOGETHER_MICRO_USD = 2_000_000_000;
export const TOGETHER_WINDOW_MS = 30 * 86_400_000;

/** How long what somebody did alone counts. */
export const ALONE_WINDOW_HOURS = 24;
export const ALONE_WINDOW_MS = ALONE_WINDOW_HOURS * 3_600_000;
