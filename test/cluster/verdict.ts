import type { Verdict } from '../../bench/load/record.js';
import type { Seen } from './buyers.js';

export interface Goals {
  /** For how long nothing may be sold. */
  goalSeconds: number;
  /** Nobody may notice: each purchase is done when it is asked for the first time. */
  unnoticed?: boolean;
}

export interface Fault {
  text: string;
  /** A time that was missed: it fails a run only where that was asked for. */
  isTime?: true;
}

/** What is wrong with a scenario: by what its buyers were answered, and by the log beside all that was ever bought. */
export function judge({ goalSeconds, unnoticed }: Goals, seen: Seen, verdict: Verdict): Fault[] {
  const first = seen.orders.map(({ answers }) => answers[0]);
  const errors = seen.orders.flatMap(({ answers }) => answers).filter((answer) => answer === '500');
  const counts = {
    ...verdict,
    'never acknowledged': seen.orders.filter(({ acknowledged }) => !acknowledged).length,
    'answers 500': errors.length,
    ...(unnoticed && { 'requests failed': first.filter((answer) => !answer?.startsWith('2')).length }),
  };
  const gap = longestGapMs(seen);
  return [
    ...Object.entries(counts)
      .filter(([, count]) => count > 0)
      .map(([what, count]) => ({ text: `${count} ${what}` })),
    ...(gap > goalSeconds * 1_000
      ? [{ text: `nothing sold for ${(gap / 1_000).toFixed(1)} s`, isTime: true as const }]
      : []),
  ];
}

/** The longest time without an acknowledged purchase. */
export function longestGapMs({ acknowledgedAt, beganAt, endedAt }: Seen): number {
  const inside = acknowledgedAt.filter((at) => at < endedAt).toSorted((a, b) => a - b);
  const moments = [beganAt, ...inside, endedAt];
  return Math.max(...moments.slice(1).map((at, n) => at - (moments[n] as number)));
}
