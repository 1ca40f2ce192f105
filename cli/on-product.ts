import { readConfig } from '../bootstrap/config.js';
import type { Tools } from './tools.js';

/**
 * Runs a command on the product. Sets the exit code: the number that `work` returns, 1 for false, else 0.
 * @param code loaded when the command runs, so that usage lines do not wait for it
 */
export async function onProduct<Code>(
  code: Promise<Code>,
  work: (code: Code, tools: Tools) => Promise<number | boolean | void>,
): Promise<void> {
  const config = readConfig(process.env);
  const { openTools } = await import('./tools.js');
  const tools = await openTools(config);
  try {
    const result = (await work(await code, tools)) ?? 0;
    process.exitCode = typeof result === 'number' ? result : Number(!result);
  } finally {
    await tools.close();
  }
}
