/** What one person decides alone, in micro-dollars; above it a second one agrees. */
export const ALONE = {
  /** All refunds of one administrator in 24 hours, tax included. */
  refundsMicroUsd: 200_000_000,
  /** One debt of a creator. */
  writeOffMicroUsd: 20_000_000,
} as const;

/** How long what somebody did alone counts. */
export const ALONE_WINDOW_HOURS = 24;
export const ALONE_WINDOW_MS = ALONE_WINDOW_HOURS * 3_600_000;
