/** When earnings become payable, and when a debt is written off. */
export const PAYOUT_POLICY = { holdDays: 14, minimumUsdCents: 1_000, writeOffAfterDays: 180 } as const;

const DAY_MS = 86_400_000;

/** Shares of sales recorded up to this moment are past their hold. @param now ISO 8601 or a Date */
export const releasedBefore = (now: Date): Date => new Date(now.getTime() - PAYOUT_POLICY.holdDays * DAY_MS);

/** When a share sold at this moment is past its hold. */
export const releasedAt = (sold: Date): Date => new Date(sold.getTime() + PAYOUT_POLICY.holdDays * DAY_MS);

/** A debt older than this moment is written off. */
export const forgivenBefore = (now: Date): Date =>
  new Date(now.getTime() - PAYOUT_POLICY.writeOffAfterDays * DAY_MS);
