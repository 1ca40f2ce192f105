/**
 * Work that many ask for at once, done once for all who asked before it began. What is under way may have looked
 * too early for whoever asks now, so they share the one after it.
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
