import { constants, getPriority, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { type Options, hashSync, verifySync } from '@node-rs/argon2';

export type HashJob = { password: string; cost: Options } | { password: string; stored: string };

export type HashAnswer = { type: 'done'; value: string | boolean } | { type: 'failed'; message: string };

// Lowers the priority of this thread, so that requests for pages go first. Only on Linux: elsewhere the call would
// affect the whole process.
if (process.platform === 'linux')
  setPriority(
    Math.min(getPriority() + constants.priority.PRIORITY_BELOW_NORMAL, constants.priority.PRIORITY_LOW),
  );

const work = (job: HashJob): string | boolean =>
  'stored' in job ? verifySync(job.stored, job.password) : hashSync(job.password, job.cost);

parentPort?.on('message', (job: HashJob) => {
  let answer: HashAnswer;
  try {
    answer = { type: 'done', value: work(job) };
  } catch (error) {
    answer = { type: 'failed', message: String(error) };
  }
  parentPort?.postMessage(answer);
});
