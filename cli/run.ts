import { CommanderError } from 'commander';
import { explainFailure } from '../bootstrap/explain-failure.js';
import { offcut } from './commands.js';

const CALLED_WRONGLY = 2;

/** Runs one command. @returns the exit code: 0 done, 1 something failed, 2 called wrongly, 130 interrupted */
export async function runOffcut(args: readonly string[]): Promise<number> {
  const program = offcut();
  try {
    await program.parseAsync(args, { from: 'user' });
    return Number(process.exitCode ?? 0);
  } catch (error) {
    if (!(error instanceof CommanderError)) {
      const sentence =
        (error as Error).name === 'ImportRefused' ? (error as Error).message : explainFailure(error);
      console.error(`offcut: ${sentence ?? (error as Error).stack}`);
      return 1;
    }
    return error.exitCode === 0 ? 0 : CALLED_WRONGLY;
  }
}
