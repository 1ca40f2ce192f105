const DAY_MS = 86_400_000;

/** A complaint without a session lapses unless its mailed link is opened within this many days. */
export const CONFIRM_DAYS = 7;
/** Business days for the answer to a complaint or a counter-notice. */
export const ANSWER_BUSINESS_DAYS = 7;
/** Business days in which the creator of removed work may object. */
export const COUNTER_BUSINESS_DAYS = 14;

const isWeekend = (at: Date): boolean => at.getUTCDay() % 6 === 0;

/** Adds business days (Monday to Friday, UTC). The time of day stays the same. */
export function businessDaysAfter(from: string, days: number): string {
  let at = new Date(from);
  for (let left = days; left > 0; left -= isWeekend(at) ? 0 : 1) at = new Date(at.getTime() + DAY_MS);
  return at.toISOString();
}

/** Unconfirmed complaints that were filed at or before this moment lapse. */
export const lapsedBefore = (now: Date): Date => new Date(now.getTime() - CONFIRM_DAYS * DAY_MS);
