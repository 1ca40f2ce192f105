import 'reflect-metadata';
import { CommanderError } from 'commander';
import { explainFailure } from '../bootstrap/explain-failure.js';
import { offcut } from './commands.js';

/** 0 done, 1 something failed, 2 called wrongly, 130 interrupted. */
const CALLED_WRONGLY = 2;

const program = offcut();
try {
  await program.parseAsync();
} catch (error) {
  if (!(error instanceof CommanderError)) {
    const sentence =
      (error as Error).name === 'ImportRefused' ? (error as Error).message : explainFailure(error);
    console.error(`offcut: ${sentence ?? (error as Error).stack}`);
    process.exitCode = 1;
  } else if (error.exitCode !== 0) {
    const why =
      error.code === 'commander.help' ? 'a command is missing' : error.message.replace(/^error: /, '');
    console.error(`offcut: ${why}\n\n${program.helpInformation()}`);
    process.exitCode = CALLED_WRONGLY;
  }
}
