/** What clients do, each kind at its own rate per second. */
export const KINDS = ['purchase', 'search', 'page', 'preview', 'sign-up', 'upload'] as const;
export type Kind = (typeof KINDS)[number];
export type Rates = Readonly<Record<Kind, number>>;

/**
 * Starts `work` at moments of a Poisson process, even if earlier calls are still running, so that a stalled server
 * gets no relief.
 * @param work receives the planned moment, from which waiting counts (ms of `performance.now`)
 * @returns when every call has ended
 */
export async function arrive(
  rates: Rates,
  durationMs: number,
  work: (kind: Kind, plannedAt: number) => Promise<void>,
): Promise<void> {
  const begun: Promise<void>[] = [];
  const startedAt = performance.now();
  const until = startedAt + durationMs;
  const next = new Map(KINDS.map((kind) => [kind, startedAt + gapMs(rates[kind])]));
  const isDue = (at: number): boolean => at <= performance.now() && at < until;
  while (performance.now() < until) {
    for (const kind of KINDS) {
      for (let due = next.get(kind) as number; isDue(due); due = next.get(kind) as number) {
        begun.push(work(kind, due));
        next.set(kind, due + gapMs(rates[kind]));
      }
    }
    const soonest = Math.min(until, ...next.values());
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, soonest - performance.now())));
  }
  await Promise.all(begun);
}

const gapMs = (perSecond: number): number =>
  perSecond === 0 ? Infinity : (-Math.log(1 - Math.random()) * 1_000) / perSecond;
