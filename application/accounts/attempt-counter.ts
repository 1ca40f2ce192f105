/** Counts attempts by key in fixed windows, together for all nodes and by the database's clock. */
export abstract class AttemptCounter {
  /** Counts one attempt. @returns how many the window holds now, and when it ends */
  abstract count(key: string, windowMs: number): Promise<{ hits: number; resetsAt: Date }>;
  /** Takes one attempt back: it turned out not to be one. */
  abstract forgive(key: string): Promise<void>;
  abstract reset(key: string): Promise<void>;
}

export const secondsUntil = (resetsAt: Date, now: Date): number =>
  Math.max(1, Math.ceil((resetsAt.getTime() - now.getTime()) / 1_000));
