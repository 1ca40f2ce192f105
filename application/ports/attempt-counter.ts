/** Counts attempts by key in fixed windows, together for all nodes. */
export abstract class AttemptCounter {
  /** Counts one attempt. @returns how many the window holds now, and when it ends */
  abstract count(key: string, windowMs: number, now: Date): Promise<{ hits: number; resetsAt: Date }>;
  /** Takes one attempt back: it turned out not to be one. */
  abstract forgive(key: string): Promise<void>;
  abstract reset(key: string): Promise<void>;
}
