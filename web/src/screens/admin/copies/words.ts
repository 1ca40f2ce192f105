import { businessNow } from '../../../clock.js';
import type { SuspectedCopy } from '../../../api/copies.js';
import { countOf, formatShortDay } from '../../../ui/format.js';

/** "0:01.6". */
export function placeOf(ms: number): string {
  const tenths = Math.round(Math.max(0, ms) / 100);
  const [minutes, rest] = [Math.floor(tenths / 600), tenths % 600];
  return `${minutes}:${String(Math.floor(rest / 10)).padStart(2, '0')}.${rest % 10}`;
}

/** "+0.42 s". */
export const offsetOf = (ms: number): string =>
  `${ms < 0 ? '\u2212' : '+'}${(Math.abs(ms) / 1_000).toFixed(2)} s`;

export function speedOf({ speed, pitchCents }: Pick<SuspectedCopy, 'speed' | 'pitchCents'>): string {
  const change = Math.round((speed - 1) * 1_000) / 10;
  if (change === 0 && pitchCents === 0) return 'unchanged';
  const percent = `${Math.abs(change)} % ${change < 0 ? 'slower' : 'faster'}`;
  const semitones = `${(Math.abs(pitchCents) / 100).toFixed(1)} semitones ${pitchCents < 0 ? 'lower' : 'higher'}`;
  return [change !== 0 && percent, pitchCents !== 0 && semitones].filter(Boolean).join(', ');
}

export const toneOf = ({ score }: { score: number }): 'danger' | 'warn' | 'neutral' =>
  score >= 92 ? 'danger' : score >= 80 ? 'warn' : 'neutral';

interface Mark {
  label: string;
  tone: 'ok' | 'warn' | 'danger' | 'neutral';
}

export const PLACES: Record<SuspectedCopy['newcomer']['place'], Mark> = {
  'on sale': { label: 'Published', tone: 'ok' },
  held: { label: 'Held', tone: 'warn' },
  draft: { label: 'Draft', tone: 'neutral' },
  unpublished: { label: 'Unpublished', tone: 'neutral' },
  refused: { label: 'Refused', tone: 'danger' },
  'taken down': { label: 'Taken down', tone: 'danger' },
  removed: { label: 'Removed', tone: 'neutral' },
  replaced: { label: 'Replaced', tone: 'neutral' },
};

export const OUTCOMES: Record<Exclude<SuspectedCopy['status'], 'open'>, Mark> = {
  allowed: { label: 'Allowed', tone: 'ok' },
  refused: { label: 'Refused', tone: 'warn' },
  'taken down': { label: 'Taken down', tone: 'danger' },
  swapped: { label: 'Swapped', tone: 'neutral' },
  lapsed: { label: 'Lapsed', tone: 'neutral' },
};

const DAY_MS = 86_400_000;
/** "105 days earlier". */
export function earlierBy({ newcomer, original }: SuspectedCopy): string {
  const days = Math.floor((Date.parse(newcomer.uploadedAt) - Date.parse(original.uploadedAt)) / DAY_MS);
  if (days < 1) {
    const wasFirst = !newcomer.publishedAt || (original.publishedAt ?? '~') <= newcomer.publishedAt;
    return wasFirst ? 'on sale first' : 'set by staff';
  }
  return `${countOf(days, 'day')} earlier`;
}

/** "2023", or the day in the current year. */
export function sinceOf(iso: string): string {
  const since = new Date(iso);
  const year = since.getUTCFullYear();
  return year < new Date(businessNow()).getUTCFullYear() ? String(year) : formatShortDay(iso);
}
