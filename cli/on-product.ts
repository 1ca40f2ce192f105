import { readConfig } from '../bootstrap/config.js';
import type { Tools } from './tools.js';

/** Runs a command on the product. Sets the exit code to its result, or 0. */
export async function onProduct(work: (tools: Tools) => Promise<number | void>): Promise<void> {
  const config = readConfig(process.env);
  const { openTools } = await import('./tools.js');
  const tools = await openTools(config);
  try {
    process.exitCode = (await work(tools)) ?? 0;
  } finally {
    await tools.close();
  }
}
