import { businessNow } from '../clock.js';

const written = (options: Intl.DateTimeFormatOptions) => {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', ...options });
  return (iso: string) => format.format(new Date(iso));
};
/** "20 Nov 2026". */
export const utcDay = written({ day: 'numeric', month: 'short', year: 'numeric' });
const time = written({ hour: '2-digit', minute: '2-digit' });
const shortDay = written({ day: 'numeric', month: 'short' });
const longMonth = written({ month: 'long', year: 'numeric' });
const shortMonth = written({ month: 'short', year: '2-digit' });

/** A time in UTC, the time zone of the books: "20 Nov 2026, 16:00". */
export const utcTime = (iso: string): string => `${utcDay(iso)}, ${time(iso)}`;

/** "22 Nov 14:22", in UTC. */
export const shortUtcTime = (iso: string): string => `${shortDay(iso)} ${time(iso)}`;

/** "October 2026". @param month `2026-10` */
export const monthName = (month: string): string => longMonth(`${month}-01`);
/** "Oct 26" for October 2026, in charts. */
export const shortMonthName = (month: string): string => shortMonth(`${month}-01`);

/** The current month of the business calendar, such as `2026-11`. */
export const thisMonth = (): string => new Date(businessNow()).toISOString().slice(0, 7);

/** "today", "26 d". */
export const ageOf = (days: number): string => (days === 0 ? 'today' : `${days.toLocaleString('en')} d`);

const MINUTE_MS = 60_000;

/** A span in a suitable unit: "less than a minute", "22 min", "26 h", "3 d". */
export function spanOf(ms: number): string {
  const minutes = Math.floor(ms / MINUTE_MS);
  if (minutes < 1) return 'less than a minute';
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h` : ageOf(Math.floor(hours / 24));
}

/** The age of an instant: "just now", or a span such as "22 min". */
export function ageSince(iso: string, nowMs = businessNow()): string {
  const age = nowMs - Date.parse(iso);
  return age < MINUTE_MS ? 'just now' : spanOf(age);
}

/** First and last day of a month as `2026-10-01` and `2026-10-31`. */
export function daysOf(month: string): { from: string; to: string } {
  const end = new Date(`${month}-01T00:00:00Z`);
  end.setUTCMonth(end.getUTCMonth() + 1, 0);
  return { from: `${month}-01`, to: end.toISOString().slice(0, 10) };
}
