const DAY_MS = 86_400_000;

/** A complaint filed without a session lapses unless the mailed link is opened within this many days. */
export const CONFIRM_DAYS = 7;
/** Business days that staff have to answer a complaint or a counter-notice. */
export const ANSWER_BUSINESS_DAYS = 7;
/** Business days that the creator of removed work has for a counter-notice. */
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
