export const PAYOUT_POLICY = { holdDays: 14, minimumUsdCents: 1_000, writeOffAfterDays: 180 } as const;

const DAY_MS = 86_400_000;

/** Returns the latest sale time whose shares are released by `now`. */
export const releasedBefore = (now: Date): Date => new Date(now.getTime() - PAYOUT_POLICY.holdDays * DAY_MS);

export const releasedAt = (sold: Date): Date => new Date(sold.getTime() + PAYOUT_POLICY.holdDays * DAY_MS);

export const forgivenBefore = (now: Date): Date =>
  new Date(now.getTime() - PAYOUT_POLICY.writeOffAfterDays * DAY_MS);
