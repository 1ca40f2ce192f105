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

/** What a loss of all servers cost. */
export interface Loss {
  /** Purchases that were acknowledged before the loss. */
  acknowledged: number;
  /** Those that the restored log lacks. */
  lost: number;
  /** How long before the loss the oldest lost one was acknowledged. */
  oldestSeconds: number;
  /** The number of those that were older than the archive interval allows. */
  unexplained: number;
}

/** The archive may still lack a segment that was just completed. */
const PUSH_SECONDS = 5;

/**
 * @param logged buyer and sample of each purchase in the restored log
 * @param loss.at the moment of the loss (ms of `performance.now`)
 * @param loss.intervalSeconds `archive_timeout`
 */
export function lossOf(
  { orders }: Seen,
  logged: ReadonlySet<string>,
  loss: { at: number; intervalSeconds: number },
): Loss {
  const before = orders.flatMap(({ buyerId, sampleId, acknowledgedAt = Infinity }) =>
    acknowledgedAt < loss.at
      ? [{ pair: `${buyerId} ${sampleId}`, age: (loss.at - acknowledgedAt) / 1_000 }]
      : [],
  );
  const ages = before.filter(({ pair }) => !logged.has(pair)).map(({ age }) => age);
  return {
    acknowledged: before.length,
    lost: ages.length,
    oldestSeconds: Math.max(0, ...ages),
    unexplained: ages.filter((age) => age > loss.intervalSeconds + PUSH_SECONDS).length,
  };
}
