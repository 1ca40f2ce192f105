/**
 * Returns a function that shares one run of `work` among all callers that asked before it began. A running one may
 * have read too early for a later caller, so later callers share the next run.
 */
export function singleFlight<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<Result> | undefined;
  let next: Promise<Result> | undefined;
  const ask = (): Promise<Result> => {
    if (!running) return (running = work().finally(() => (running = undefined)));
    next ??= running
      .catch(() => {})
      .then(() => {
        next = undefined;
        return ask();
      });
    return next;
  };
  return ask;
}
