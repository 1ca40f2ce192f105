import { constants, getPriority, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { hashSync, verifySync } from '@node-rs/argon2';

export type HashJob = { password: string } | { password: string; stored: string | null };

export type HashAnswer = { type: 'done'; value: string | boolean } | { type: 'failed'; message: string };

/** 19 MiB, two passes, one lane: the minimum that OWASP recommends for argon2id. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
// Compared if no account exists, so that the answer takes as long as for an account. No password matches this hash.
const [salt, nothing] = [16, 32].map((bytes) => Buffer.alloc(bytes).toString('base64').replaceAll('=', ''));
const DECOY = `$argon2id$v=19$m=${COST.memoryCost},t=${COST.timeCost},p=${COST.parallelism}$${salt}$${nothing}`;

// Lowers the priority of this thread, so that requests for pages go first. Only on Linux: elsewhere the call would
// affect the whole process.
if (process.platform === 'linux')
  setPriority(
    Math.min(getPriority() + constants.priority.PRIORITY_BELOW_NORMAL, constants.priority.PRIORITY_LOW),
  );

const work = (job: HashJob): string | boolean =>
  'stored' in job ? verifySync(job.stored ?? DECOY, job.password) : hashSync(job.password, COST);

parentPort?.on('message', (job: HashJob) => {
  let answer: HashAnswer;
  try {
    answer = { type: 'done', value: work(job) };
  } catch (error) {
    answer = { type: 'failed', message: String(error) };
  }
  parentPort?.postMessage(answer);
});
