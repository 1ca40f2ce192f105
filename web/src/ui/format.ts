import { businessNow } from '../clock.js';

/** A length as m:ss, rounded to a second; below one second, rounded to a tenth: "0:00.4". */
export function formatDuration(durationMs: number): string {
  if (durationMs > 0 && durationMs < 1_000) {
    const tenths = Math.min(9, Math.max(1, Math.round(durationMs / 100)));
    return `0:00.${tenths}`;
  }
  const seconds = Math.round(durationMs / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** A position as m:ss, rounded down so that it never runs ahead of the sound. */
export const formatPosition = (seconds: number): string =>
  formatDuration(Math.max(0, Math.floor(seconds)) * 1000);

export const countOf = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`;

const NAMED = 2;

/** "Felt", "Felt and Rhodes", "Felt, Rhodes and 3 more". */
export function listed(titles: readonly string[]): string {
  const more = titles.length - NAMED;
  return more > 0 ? `${titles.slice(0, NAMED).join(', ')} and ${more} more` : titles.join(' and ');
}

/** "Kitchen Table Soul by Junie Okafor". */
export const titleBy = (title: string, creator: { displayName: string }): string =>
  `${title} by ${creator.displayName}`;

/** US cents as "$9.99". */
export const formatUsdCents = (cents: number): string =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' }).format(cents / 100);

export const MICRO_PER_CENT = 10_000;

/** The amount of a field such as "4.50", in cents; NaN if the text is not an amount. */
export const centsOf = (text: string): number =>
  /^\d+(\.\d{1,2})?$/.test(text.trim()) ? Math.round(Number(text) * 100) : Number.NaN;

/** Micro-dollars as "$412.36", cut to whole cents towards zero, so that the page never promises a cent too much. */
export const formatMicroUsd = (microUsd: number): string =>
  formatUsdCents(Math.trunc(microUsd / MICRO_PER_CENT)).replace('-', '\u2212');

/** Returns an amount in parts: sign, whole dollars, two digits of cents, and the micro-dollars below a cent. */
export function partsOf(microUsd: number) {
  const size = Math.abs(microUsd);
  return {
    sign: microUsd < 0 ? '\u2212' : '',
    whole: Math.floor(size / 1_000_000).toLocaleString('en'),
    cents: String(Math.floor((size % 1_000_000) / MICRO_PER_CENT)).padStart(2, '0'),
    rest: size % MICRO_PER_CENT,
  };
}

const dated = (options: Intl.DateTimeFormatOptions) => (iso: string) =>
  new Intl.DateTimeFormat('en-GB', options).format(new Date(iso));
/** In the local time zone: "18 December 2025", "18 Dec" and "14:02". */
export const formatDay = dated({ day: 'numeric', month: 'long', year: 'numeric' });
export const formatShortDay = dated({ day: 'numeric', month: 'short' });
export const formatTime = dated({ hour: '2-digit', minute: '2-digit' });

/** A change as "+100" or "−1", with a real minus sign. */
export const formatDelta = (delta: number): string =>
  `${delta < 0 ? '\u2212' : '+'}${Math.abs(delta).toLocaleString('en')}`;

/** Bytes as "4.9 MB". */
export function formatBytes(bytes: number): string {
  if (bytes < 1_000_000) return `${Math.max(1, Math.round(bytes / 1_000))} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** The age of an instant: "now", "4m", "2h", "1d". @param nowMs milliseconds since the epoch */
export function formatAgo(iso: string, nowMs = businessNow()): string {
  const minutes = Math.floor((nowMs - Date.parse(iso)) / 60_000);
  if (minutes < 1) return 'now';
  if (minutes < 60) return `${minutes}m`;
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)}h`;
  return `${Math.floor(minutes / (24 * 60))}d`;
}
