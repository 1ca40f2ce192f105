import { businessNow } from '../clock.js';

const written = (options: Intl.DateTimeFormatOptions) => {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', ...options });
  return (iso: string) => format.format(new Date(iso));
};
/** "20 Nov 2026". */
export const utcDay = written({ day: 'numeric', month: 'short', year: 'numeric' });
const time = written({ hour: '2-digit', minute: '2-digit' });
const longMonth = written({ month: 'long', year: 'numeric' });
const shortMonth = written({ month: 'short', year: '2-digit' });

/** A time of the books in UTC, for every reader: "20 Nov 2026, 16:00". */
export const utcTime = (iso: string): string => `${utcDay(iso)}, ${time(iso)}`;

/** "October 2026". @param month `2026-10` */
export const monthName = (month: string): string => longMonth(`${month}-01`);
/** "Oct 26", for charts. */
export const shortMonthName = (month: string): string => shortMonth(`${month}-01`);

/** The current month of the business calendar, such as `2026-11`. */
export const thisMonth = (): string => new Date(businessNow()).toISOString().slice(0, 7);

/** "today", "26 d". */
export const ageOf = (days: number): string => (days === 0 ? 'today' : `${days.toLocaleString('en')} d`);

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** The age of an instant in a suitable unit: "just now", "22 min", "26 h", "3 d". */
export function ageSince(iso: string, nowMs = businessNow()): string {
  const age = Math.max(0, nowMs - Date.parse(iso));
  if (age < MINUTE_MS) return 'just now';
  if (age < HOUR_MS) return `${Math.floor(age / MINUTE_MS)} min`;
  return age < 48 * HOUR_MS ? `${Math.floor(age / HOUR_MS)} h` : ageOf(Math.floor(age / (24 * HOUR_MS)));
}

/** First and last day of a month as `2026-10-01` and `2026-10-31`. */
export function daysOf(month: string): { from: string; to: string } {
  const end = new Date(`${month}-01T00:00:00Z`);
  end.setUTCMonth(end.getUTCMonth() + 1, 0);
  return { from: `${month}-01`, to: end.toISOString().slice(0, 10) };
}
