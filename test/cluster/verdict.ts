import type { Verdict } from '../../bench/load/record.js';
import type { Seen } from './buyers.js';

export interface Goals {
  /** The longest acceptable time without a sale. */
  goalSeconds: number;
  /** Buyers must not notice: each purchase succeeds at the first request. */
  unnoticed?: boolean;
}

export interface Fault {
  text: string;
  /** A time goal that was missed. It fails a run only with --strict. */
  isTime?: true;
}

/**
 * Returns the faults of a scenario, from the buyers' answers and the comparison of all purchases with the
 * log.
 */
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

/** Returns the longest time without an acknowledged purchase. */
export function longestGapMs({ acknowledgedAt, beganAt, endedAt }: Seen): number {
  const inside = acknowledgedAt.filter((at) => at < endedAt).toSorted((a, b) => a - b);
  const moments = [beganAt, ...inside, endedAt];
  return Math.max(...moments.slice(1).map((at, n) => at - (moments[n] as number)));
}
