import { setTimeout as pause } from 'node:timers/promises';
import { serverOf, type Cluster, type DatabaseNode } from './cluster.js';
import type { Goals } from './verdict.js';

export interface Scenario extends Goals {
  /** What happens, with the behaviours that it shows. */
  title: string;
  run(cluster: Cluster): Promise<void>;
}

const FAILOVER_SECONDS = 10;
const USUAL_SECONDS = 1;

export const SCENARIOS: Scenario[] = [
  {
    title: '[OPS-222] the primary is killed with its Patroni, and comes back later',
    goalSeconds: FAILOVER_SECONDS,
    run: async (cluster) => {
      const { lost, come } = await killNode(cluster, 'leader');
      await until(async () => leaderOf(await cluster.roles()) !== lost.name);
      await come();
    },
  },
  {
    title: '[OPS-222] the server of the primary is killed, its Patroni lives',
    goalSeconds: FAILOVER_SECONDS,
    run: async (cluster) => process.kill(serverOf(await nodeWith(cluster, 'leader')), 'SIGKILL') && undefined,
  },
  {
    title: '[OPS-223] the standby that repeats each commit is killed, and comes back later',
    goalSeconds: USUAL_SECONDS,
    run: async (cluster) => {
      const { lost, come } = await killNode(cluster, 'sync_standby');
      await until(async () =>
        Object.entries(await cluster.roles()).some(
          ([name, role]) => role === 'sync_standby' && name !== lost.name,
        ),
      );
      await come();
    },
  },
  {
    title: '[OPS-224] primary and standby change places',
    goalSeconds: FAILOVER_SECONDS,
    run: (cluster) => cluster.switchOver(),
  },
  {
    title: '[OPS-225] API nodes and workers are restarted one after the other',
    goalSeconds: USUAL_SECONDS,
    unnoticed: true,
    run: async ({ apis, workers }) => {
      for (const part of [...apis, ...workers]) {
        await part.end('SIGTERM');
        await part.start();
        // Until the entrance has seen it.
        await pause(2_000);
      }
    },
  },
];

async function nodeWith(cluster: Cluster, role: string): Promise<DatabaseNode> {
  let found: DatabaseNode | undefined;
  await until(async () => {
    const roles = await cluster.roles();
    found = cluster.databases.find(({ name }) => roles[name] === role);
    return found !== undefined;
  });
  return found as DatabaseNode;
}

/** As a machine that loses its power. @returns how it comes back */
async function killNode(
  cluster: Cluster,
  role: string,
): Promise<{ lost: DatabaseNode; come(): Promise<void> }> {
  const lost = await nodeWith(cluster, role);
  const server = serverOf(lost);
  const gone = lost.patroni.end('SIGKILL');
  process.kill(server, 'SIGKILL');
  await gone;
  return { lost, come: () => lost.patroni.start() };
}

const leaderOf = (roles: Record<string, string>): string | undefined =>
  Object.keys(roles).find((name) => roles[name] === 'leader');

const LIMIT_MS = 60_000;

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + LIMIT_MS;
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error('it did not come to that within a minute');
    await pause(100);
  }
}
