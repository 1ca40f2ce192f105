/** A program that runs in `runProgram`. Its argument selects how it behaves; it reports on stdout. */
import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { runProgram } from '../../bootstrap/run-program.js';

const [behaviour, value] = process.argv.slice(2);
const say = (line: string): void => void process.stdout.write(`${line}\n`);

await runProgram(async (aborted) => {
  // Keeps the process alive, as a server does.
  setInterval(() => {}, 60_000);
  if (behaviour === 'fails') throw new TypeError('nobody foresaw this');
  if (behaviour === 'listens') {
    await new Promise((resolve, reject) => {
      createServer()
        .once('error', reject)
        .listen(Number(value), '127.0.0.1', () => resolve(undefined));
    });
  }
  say('starting');
  if (behaviour === 'starts slowly') await pause(60_000, undefined, { signal: aborted });
  say('ready');
  return async () => {
    if (behaviour === 'stops slowly') await pause(1_500);
    if (behaviour === 'never stops') await new Promise(() => {});
    say('stopped');
  };
});
