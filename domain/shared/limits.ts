/** The limits of decisions by one staff member. Above these limits, a second staff member must approve. */
export interface Limits {
  /** All adjustments of one administrator within 24 hours. */
  adjustmentCredits: number;
  adjustmentMicroUsd: number;
  /** All refunds that one administrator makes alone within 24 hours, tax included. */
  refundsMicroUsd: number;
  writeOffMicroUsd: number;
}

/** The limits until two staff members change them. */
export const FIRST_LIMITS: Limits = {
  adjustmentCredits: 500,
  adjustmentMicroUsd: 50_000_000,
  refundsMicroUsd: 200_000_000,
  writeOffMicroUsd: 20_000_000,
};

/** The most value that the same two administrators may give within the window. Finance must approve more. */
export const TOGETHER_MICRO_USD = 2_000_000_000;
export const TOGETHER_WINDOW_MS = 30 * 86_400_000;

/** The limits of adjustments and refunds apply to the sum of one administrator within this window. */
export const ALONE_WINDOW_HOURS = 24;
export const ALONE_WINDOW_MS = ALONE_WINDOW_HOURS * 3_600_000;
