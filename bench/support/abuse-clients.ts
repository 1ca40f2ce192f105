/**
 * Honest or hostile clients of `bench/abuse.ts`, in a separate process:
 *
 *   node --import ./test/support/typescript.mjs bench/support/abuse-clients.ts <JSON of a task>
 *
 * Honest clients send 50 requests a second, even while others are unanswered. Latency counts from the planned
 * moment. They print `{latenciesMs, refused}`.
 */
import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { attackOf, type Amplifier, type Target } from './amplifiers.js';

export type ClientTask =
  | { kind: 'honest'; url: string; paths: string[]; seconds: number }
  | { kind: 'hostile'; amplifier: Amplifier; target: Target; connections: number; seconds: number };
export interface HonestReport {
  latenciesMs: number[];
  /** Counts of outcomes other than status 200. */
  refused: Record<string, number>;
}

const A_SECOND = 50;

async function visit({ url, paths, seconds }: ClientTask & { kind: 'honest' }): Promise<HonestReport> {
  const agent = new Agent({ keepAlive: true });
  const latenciesMs: number[] = [];
  const refused: Record<string, number> = {};
  const startedAt = performance.now();
  const visits: Promise<void>[] = [];
  for (let n = 0; n < seconds * A_SECOND; n += 1) {
    const plannedAt = startedAt + (n * 1_000) / A_SECOND;
    await pause(Math.max(0, plannedAt - performance.now()));
    const path = paths[n % paths.length] as string;
    visits.push(
      ask(agent, url + path, `198.51.100.${n % 50}`).then((status) => {
        latenciesMs.push(performance.now() - plannedAt);
        if (status === '200') return;
        const what = `${path} ${status}`;
        refused[what] = (refused[what] ?? 0) + 1;
      }),
    );
  }
  await Promise.all(visits);
  return { latenciesMs, refused };
}

const ask = (agent: Agent, address: string, from: string): Promise<string> =>
  new Promise((resolve) => {
    const asked = request(address, { agent, headers: { 'x-forwarded-for': from } }, (answer) => {
      answer.resume().once('close', () => resolve(`${answer.statusCode}`));
    });
    asked.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    asked.end();
  });

async function attack(hostile: ClientTask & { kind: 'hostile' }): Promise<void> {
  const until = performance.now() + hostile.seconds * 1_000;
  await Promise.all(
    Array.from({ length: hostile.connections }, async (_, n) => {
      const once = await attackOf(hostile.amplifier, hostile.target, `203.0.113.${n}`);
      while (performance.now() < until) await once();
    }),
  );
}

const task = JSON.parse(process.argv[2] ?? '') as ClientTask;
if (task.kind === 'honest') console.log(JSON.stringify(await visit(task)));
else await attack(task);
// Slow requests are not awaited.
process.exit();
