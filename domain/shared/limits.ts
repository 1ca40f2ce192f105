/** The limits of one person's own decisions. Above them a second person approves. */
export interface Limits {
  /** All adjustments of one administrator within 24 hours. */
  adjustmentCredits: number;
  adjustmentMicroUsd: number;
  /** All refunds of one administrator within 24 hours, tax included. */
  refundsMicroUsd: number;
  /** One debt of a creator. */
  writeOffMicroUsd: number;
}

/** The limits until two people change them. */
export const FIRST_LIMITS: Limits = {
  adjustmentCredits: 500,
  adjustmentMicroUsd: 50_000_000,
  refundsMicroUsd: 200_000_000,
  writeOffMicroUsd: 20_000_000,
};

/** The most that two staff members may give together within the window. Above it, finance approves. */
export const TOGETHER_MICRO_USD = 2_000_000_000;
export const TOGETHER_WINDOW_MS = 30 * 86_400_000;

/** The window over which a person's own decisions are summed. */
export const ALONE_WINDOW_HOURS = 24;
export const ALONE_WINDOW_MS = ALONE_WINDOW_HOURS * 3_600_000;
