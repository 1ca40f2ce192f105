import type { JobDecision } from '../application/administration/decide-on-job.js';
import { type Chosen, StoredJobs } from '../adapters/platform/jobs/stored-jobs.js';
import type { Print, Tools } from './tools.js';

const SHOWN = 200;

export async function listJobs(
  { database }: Tools,
  { json }: { json: boolean },
  print: Print,
): Promise<number> {
  const jobs = new StoredJobs(database);
  const kinds = await jobs.kinds();
  const running = await jobs.running(SHOWN);
  const failed = await jobs.failed(SHOWN);
  const code = failed.length > 0 ? 1 : 0;
  if (json) {
    print(JSON.stringify({ kinds, running, failed }, null, 2));
    return code;
  }
  for (const { kind, waiting, running, failed, oldestSeconds } of kinds)
    print(
      `${kind.padEnd(12)} ${waiting} waiting, the first for ${Math.round(oldestSeconds)} s  ${running} running  ${failed} failed`,
    );
  if (running.length > 0) print('Running:');
  for (const { id, kind, name, attempt, startedAt } of running)
    print(`${id}  ${kind}: ${name}; attempt ${attempt}, since ${startedAt}`);
  if (failed.length > 0) print('Failed:');
  for (const { id, kind, name, attempts, error, failedAt } of failed)
    print(`${id}  ${kind}: ${name}: ${error}; ${attempts} attempts, the last ${failedAt}`);
  return code;
}

export async function decideOnJobs(
  { database }: Tools,
  { action, id, kind }: { action: JobDecision; id?: string; kind?: string },
  print: Print,
): Promise<number> {
  if ((id === undefined) === (kind === undefined)) {
    print('Name either a job or a kind.');
    return 1;
  }
  const chosen: Chosen = id === undefined ? { kind: kind as string } : { id };
  const count = await new StoredJobs(database)[action](chosen);
  print(count === 0 ? 'There is no such job.' : `${count} jobs ${SAID[action]}.`);
  return count === 0 ? 1 : 0;
}

const SAID: Record<JobDecision, string> = {
  retry: 'will be run again',
  discard: 'will not be run',
  cancel: 'are being cancelled',
};
