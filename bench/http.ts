/**
 * Measures the cost of a request that does nothing. Compares an authenticated POST without a body with the same on
 * bare Nest and Express, and with the product without each of its parts. The cost is processor time of the server's
 * main thread, which other work on the machine hardly changes: the lower quartile of the rounds. Servers and
 * clients are separate processes.
 *
 *   npm run build && npm run bench -- bench/http.ts [rounds] [part…]
 */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '../adapters/platform/database/embedded/embedded.js';
import { HttpClient } from '../test/support/http-client.js';
import { startClients } from './support/buying-clients.js';
import type { ServerTask } from './support/empty-server.js';
import { quantile } from './support/measure.js';

const PEOPLE = 4;
/** Connections per person. */
const CONNECTIONS = 4;
const RUN_MS = 500;
const GOAL = 1.35;
const PARTS = [
  'session memory',
  'sessions',
  'guards',
  'requestIds',
  'observe',
  'workOfAddress',
  'helmetMiddleware',
  'compression',
];

const [given = '12', ...parts] = process.argv.slice(2);
const rounds = Number(given);
const folder = mkdtempSync(join(tmpdir(), 'offcut-bench-'));
const server = await startEmbeddedPostgres(join(folder, 'postgres'));
const env = {
  NODE_ENV: 'test',
  ROLE: 'api',
  DATA_DIR: folder,
  DATABASE_URL: server.url,
  RATE_LIMIT_SCALE: '1000000',
  DEMO_CONTENT: 'off',
};
const children: ChildProcess[] = [];
const ends: (() => void)[] = [];
try {
  const first = await contender('the product', { kind: 'product', env });
  const tokens: string[] = [];
  for (let n = 0; n < PEOPLE; n += 1) {
    const client = await HttpClient.signUp(`http://127.0.0.1:${first.port}`);
    tokens.push(client.cookies.get('offcut_session') as string);
  }
  const servers = [await contender('bare Nest on Express', { kind: 'bare', env }), first];
  for (const without of parts.length > 0 ? parts : PARTS)
    servers.push(await contender(`without ${without}`, { kind: 'product', without, env }));
  const measured = await Promise.all(
    servers.map(async (one) => {
      const origin = `http://127.0.0.1:${one.port}`;
      const clients = await startClients({ port: one.port, origin, tokens, connections: CONNECTIONS });
      ends.push(clients.end);
      return { ...one, clients, costs: [] as number[] };
    }),
  );
  for (let round = -2; round < rounds; round += 1)
    for (const { clients, cpuUs, costs } of measured) {
      const before = await cpuUs();
      const { done } = await clients.run({ path: '/api/bench/empty', durationMs: RUN_MS });
      // The first rounds only warm up the compiler.
      if (round >= 0) costs.push(((await cpuUs()) - before) / done);
    }
  const cost = (at: number): number => quantile(measured[at]?.costs ?? [], 0.25);
  const [bare, whole] = [cost(0), cost(1)];
  for (const [at, { name }] of measured.entries()) {
    const less = at > 1 ? `  saves ${(whole - cost(at)).toFixed(0)} µs` : '';
    console.log(
      `${name.padEnd(28)} ${cost(at).toFixed(0).padStart(5)} µs  ×${(cost(at) / bare).toFixed(2)}${less}`,
    );
  }
  console.log(`goal ×${GOAL}: ${whole / bare <= GOAL ? 'met' : 'missed'}`);
} catch (error) {
  console.error(error);
  process.exitCode = 1;
} finally {
  for (const end of ends) end();
  for (const child of children) child.kill();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}
process.exit();

async function contender(name: string, task: ServerTask) {
  const child = fork('bench/support/empty-server.ts', [JSON.stringify(task)]);
  children.push(child);
  const ended = once(child, 'exit').then(() => Promise.reject(new Error(`${name} ended`)));
  ended.catch(() => {}); // Expected at the end.
  const [port] = (await Promise.race([ended, once(child, 'message')])) as [number];
  const cpuUs = async (): Promise<number> => {
    child.send('cpu');
    return ((await once(child, 'message')) as [number])[0];
  };
  return { name, port, cpuUs };
}
