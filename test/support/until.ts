import { setTimeout as pause } from 'node:timers/promises';

/** How long tests wait for the product. A busy machine may need seconds for what usually takes milliseconds. */
export const LIMIT_MS = 60_000;

/** Asks again every 25 ms until the condition holds. @throws after a minute */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const startedAt = performance.now();
  while (!(await holds())) {
    if (performance.now() - startedAt > LIMIT_MS) throw new Error(`Not so after a minute: ${holds}`);
    await pause(25);
  }
}

/** Reads again every 25 ms until the value is as wanted, and returns it. @throws after a minute */
export async function valueOnce<Value>(
  read: () => Promise<Value>,
  isWanted: (value: Value) => boolean,
): Promise<Value> {
  let value = await read();
  await until(async () => isWanted(value) || isWanted((value = await read())));
  return value;
}
