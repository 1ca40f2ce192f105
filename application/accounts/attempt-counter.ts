/** Counts attempts by key in fixed windows. All nodes share the counters, and the database's clock applies. */
export abstract class AttemptCounter {
  /** Counts one attempt. @returns the number of attempts in the current window, and its end */
  abstract count(key: string, windowMs: number): Promise<{ hits: number; resetsAt: Date }>;
  /** Uncounts one attempt, such as a successful one. */
  abstract forgive(key: string): Promise<void>;
  abstract reset(key: string): Promise<void>;
}

export const secondsUntil = (resetsAt: Date, now: Date): number =>
  Math.max(1, Math.ceil((resetsAt.getTime() - now.getTime()) / 1_000));
