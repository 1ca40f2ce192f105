/**
 * Never runs `work` twice at once. Callers during a run share the next run, because the current run may have read
 * the data before the caller's change.
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
