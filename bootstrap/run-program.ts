import { readFileSync } from 'node:fs';
import { explainFailure } from './explain-failure.js';

const STOP_LIMIT_MS = 10_000;
/** Under npm, one Ctrl-C arrives twice within this time: from the terminal and from npm. */
const SAME_PRESS_MS = 1_000;
const NPM_CHECK_MS = 1_000;

export type Stop = () => Promise<void>;

/** Returns the parent of a shell. npm runs scripts in one, which outlives a killed npm. Undefined without `/proc`. */
function parentOfShell(pid: number): number | undefined {
  try {
    const [, name, parent] = /\((.*)\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    return name === 'sh' ? Number(parent) : undefined;
  } catch {
    return undefined;
  }
}

function whenNpmIsGone(act: () => void): void {
  const parent = process.ppid;
  const npm = parentOfShell(parent);
  const check = (): void => {
    if (process.ppid === parent && (parentOfShell(parent) ?? npm) === npm) return;
    clearInterval(checking);
    act();
  };
  const checking = setInterval(check, NPM_CHECK_MS).unref();
}

/**
 * Runs a program until a signal stops it, or until the `npm start` that runs it is gone. The first Ctrl-C or SIGTERM
 * stops it, even during its start. A second signal, or the time limit, kills it. Exit codes: 0 stopped by a signal; 1
 * could not start or stop; 130 killed.
 * @param start starts everything; may check `aborted` to stop early
 * @param stopLimitMs the time limit for stopping, read when the signal arrives
 */
export async function runProgram(
  start: (aborted: AbortSignal) => Promise<Stop>,
  stopLimitMs: () => number = () => STOP_LIMIT_MS,
): Promise<void> {
  const abort = new AbortController();
  const signalled = new Promise<void>((resolve) => {
    abort.signal.addEventListener('abort', () => resolve(), { once: true });
  });
  let signalledAt: number | undefined;
  const onSignal = (): void => {
    if (signalledAt !== undefined) {
      if (performance.now() - signalledAt > SAME_PRESS_MS) process.exit(130);
      return;
    }
    signalledAt = performance.now();
    process.stderr.write('\nStopping …\n');
    const limitMs = stopLimitMs();
    setTimeout(() => {
      process.stderr.write(`Not stopped after ${limitMs / 1000} s: ended by force.\n`);
      process.exit(130);
    }, limitMs).unref();
    abort.abort();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
  // A killed npm forwards no signal, and the server would keep its port and its database.
  if (process.env.npm_lifecycle_event === 'start') whenNpmIsGone(() => signalledAt ?? onSignal());
  try {
    const stop = await start(abort.signal);
    await signalled;
    await stop();
    process.exit(0);
  } catch (error) {
    // A start that was aborted by a signal is not a failure.
    if (abort.signal.aborted && (error as Error).name === 'AbortError') process.exit(0);
    process.stderr.write(`${explainFailure(error) ?? (error as Error).stack ?? String(error)}\n`);
    process.exit(1);
  }
}
