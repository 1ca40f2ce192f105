import { explainFailure } from './explain-failure.js';

const STOP_LIMIT_MS = 10_000;
/** One Ctrl-C arrives twice below npm: from the terminal, and passed on by npm. */
const SAME_PRESS_MS = 1_000;

/** Ends what a program started; called once. */
export type Stop = () => Promise<void>;

/**
 * Runs a program until it is told to stop. The first Ctrl-C or SIGTERM stops it, also during its start; the second
 * one, or the limit, ends it by force. Exit codes: 0 stopped when told to; 1 could not start or stop; 130 ended by
 * force.
 * @param start brings everything up; may check `aborted` to give up early
 * @param stopLimitMs how long stopping may take, read when the program is told to stop
 */
export async function runProgram(
  start: (aborted: AbortSignal) => Promise<Stop>,
  stopLimitMs: () => number = () => STOP_LIMIT_MS,
): Promise<void> {
  const abort = new AbortController();
  const told = new Promise<void>((resolve) => {
    abort.signal.addEventListener('abort', () => resolve(), { once: true });
  });
  let toldAt: number | undefined;
  const onSignal = (): void => {
    if (toldAt !== undefined) {
      if (performance.now() - toldAt > SAME_PRESS_MS) process.exit(130);
      return;
    }
    toldAt = performance.now();
    process.stderr.write('\nStopping …\n');
    const limitMs = stopLimitMs();
    setTimeout(() => {
      process.stderr.write(`Not stopped after ${limitMs / 1000} s: ended by force.\n`);
      process.exit(130);
    }, limitMs).unref();
    abort.abort();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
  try {
    const stop = await start(abort.signal);
    await told;
    await stop();
    process.exit(0);
  } catch (error) {
    // A start that was given up because of the stop is no failure.
    if (abort.signal.aborted && (error as Error).name === 'AbortError') process.exit(0);
    process.stderr.write(`${explainFailure(error) ?? (error as Error).stack ?? String(error)}\n`);
    process.exit(1);
  }
}
