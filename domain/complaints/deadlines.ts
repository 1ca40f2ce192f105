const DAY_MS = 86_400_000;

/** A complaint that nobody confirmed by the mailed link counts no more. */
export const CONFIRM_DAYS = 7;
/** A complaint and a counter-notice are answered within so many business days. */
export const ANSWER_BUSINESS_DAYS = 7;
/** Whose work is gone may object for so many business days. */
export const COUNTER_BUSINESS_DAYS = 14;

const isWeekend = (at: Date): boolean => at.getUTCDay() % 6 === 0;

/** The same time of day, so many days from Monday to Friday later, in UTC. */
export function businessDaysAfter(from: string, days: number): string {
  let at = new Date(from);
  for (let left = days; left > 0; left -= isWeekend(at) ? 0 : 1) at = new Date(at.getTime() + DAY_MS);
  return at.toISOString();
}

/** What was filed at or before this moment and is not confirmed lapses. */
export const lapsedBefore = (now: Date): Date => new Date(now.getTime() - CONFIRM_DAYS * DAY_MS);
