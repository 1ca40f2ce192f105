import { readConfig } from '../bootstrap/config.js';
import type { Print, Tools } from './tools.js';

type Work<Given extends unknown[]> = (
  tools: Tools,
  ...given: [...Given, print: Print]
) => Promise<number | boolean | void>;

/**
 * Opens `Tools` and runs a command. Sets the exit code: the returned number, 1 for false, else 0.
 * @param code the module of the command, loaded when the command runs, so that usage lines do not wait for it
 */
export async function onProduct<Name extends string, Given extends unknown[]>(
  code: Promise<Record<NoInfer<Name>, Work<Given>>>,
  name: Name,
  ...given: Given
): Promise<void> {
  const config = readConfig(process.env);
  const { openTools } = await import('./tools.js');
  const tools = await openTools(config);
  try {
    const result = (await (await code)[name](tools, ...given, console.log)) ?? 0;
    process.exitCode = typeof result === 'number' ? result : Number(!result);
  } finally {
    await tools.close();
  }
}
