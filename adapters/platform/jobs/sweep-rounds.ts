interface SweepLog {
  warn(line: string): void;
}

/**
 * Runs every sweep now and again in each round; one that fails is tried again in the next.
 * @returns stops the rounds: no sweep begins any more, and those that run may finish within the limit, because they
 *   need the database that is closed next
 */
export function startSweepRounds(
  sweeps: Record<string, () => Promise<unknown>>,
  log: SweepLog,
  everyMs: number,
): (limitMs: number) => Promise<void> {
  const running = new Map<Promise<void>, string>();
  let state: 'running' | 'stopping' | 'left' = 'running';
  const run = async (name: string, sweep: () => Promise<unknown>): Promise<void> => {
    try {
      await sweep();
    } catch (error) {
      const again = state === 'running' ? `, again in ${everyMs / 60_000} minutes` : '';
      if (state !== 'left') log.warn(`${name} were not swept${again}: ${(error as Error).message}`);
    }
  };
  const round = (): void => {
    for (const [name, sweep] of Object.entries(sweeps)) {
      const one: Promise<void> = run(name, sweep).finally(() => running.delete(one));
      running.set(one, name);
    }
  };
  const timer = setInterval(round, everyMs);
  round();
  return async (limitMs) => {
    clearInterval(timer);
    state = 'stopping';
    let limit: NodeJS.Timeout | undefined;
    const isOver = new Promise<void>((resolve) => (limit = setTimeout(resolve, limitMs)));
    await Promise.race([Promise.all(running.keys()), isOver]);
    clearTimeout(limit);
    state = 'left';
    for (const name of running.values())
      log.warn(`${name} did not end in time and is left for the next start`);
  };
}
