import { setTimeout as pause } from 'node:timers/promises';

const LIMIT_MS = 60_000;

/** Asks again every 25 ms until the condition holds. @throws after a minute */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const startedAt = performance.now();
  while (!(await holds())) {
    if (performance.now() - startedAt > LIMIT_MS) throw new Error(`Not so after a minute: ${holds}`);
    await pause(25);
  }
}
