/** Callers that ask during a run share the next one, because the running one may have read too early for them. */
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
