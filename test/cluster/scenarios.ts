import { spawnSync } from 'node:child_process';
import { rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { serverOf, type Cluster, type DatabaseNode } from './cluster.js';
import type { Part } from './part.js';
import { ARCHIVE_SECONDS } from './settings.js';
import type { Goals } from './verdict.js';

export interface Scenario extends Goals {
  /** The event, with the numbers of the behaviours that it shows. */
  title: string;
  /** Why the scenario cannot run here. */
  lacks?(cluster: Cluster): string | undefined;
  /** @returns when the servers were lost, if acknowledged purchases may be lost with them */
  run(cluster: Cluster): Promise<void | number>;
}

const FAILOVER_SECONDS = 10;
const USUAL_SECONDS = 1;
/** Buyers give up after 90 s. */
const RECOVERY_SECONDS = 85;
/** How long killed parts stay away. */
const AWAY_MS = 8_000;

export const SCENARIOS: Scenario[] = [
  {
    title: '[OPS-234] nodes of an older version are replaced by this one, one after the other',
    goalSeconds: USUAL_SECONDS,
    unnoticed: true,
    lacks: ({ isOlder }) => (isOlder ? undefined : '--from names no version to come from'),
    run: async (cluster) => {
      const nodes = [...cluster.workers, ...cluster.apis];
      for (const node of nodes) cluster.upgrade(node);
      await restartAll(nodes);
    },
  },
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
    run: ({ apis, workers }) => restartAll([...apis, ...workers]),
  },
  {
    title: '[OPS-227] PgBouncer is killed, and started again',
    goalSeconds: USUAL_SECONDS,
    run: ({ pooler }) => killAndStart(pooler),
  },
  {
    title: '[OPS-227] haproxy before the servers is killed, and started again',
    goalSeconds: USUAL_SECONDS,
    run: ({ databaseProxy }) => killAndStart(databaseProxy),
  },
  {
    title: '[OPS-227] haproxy before the nodes is killed, and started again',
    goalSeconds: USUAL_SECONDS,
    run: ({ entrance }) => killAndStart(entrance),
  },
  {
    title: '[OPS-228] an API node is killed, and comes back later',
    goalSeconds: USUAL_SECONDS,
    run: ({ apis: [first] }) => killAndStart(first as Part, AWAY_MS),
  },
  {
    title: '[OPS-228] a worker is killed, and comes back later',
    goalSeconds: USUAL_SECONDS,
    run: ({ workers: [first] }) => killAndStart(first as Part, AWAY_MS),
  },
  {
    title: '[OPS-229] each etcd is killed in turn, and comes back later',
    goalSeconds: USUAL_SECONDS,
    // One of them is the leader.
    run: async ({ etcd }) => {
      for (const each of etcd) await killAndStart(each, AWAY_MS);
    },
  },
  {
    title: '[OPS-230] the gateway of the object storage is killed, and comes back later',
    goalSeconds: USUAL_SECONDS,
    run: ({ gateway }) => killAndStart(gateway, AWAY_MS),
  },
  {
    title: '[OPS-231] the payment provider is killed, and comes back',
    goalSeconds: USUAL_SECONDS,
    run: ({ simulator }) => simulator.restart(),
  },
  {
    title: '[OPS-231] the mail server says nothing for a while',
    goalSeconds: USUAL_SECONDS,
    run: async ({ mail }) => {
      mail.isSilent = true;
      await pause(AWAY_MS);
      mail.isSilent = false;
    },
  },
  {
    title: '[OPS-232] bytes between an API node and the servers are swallowed for 20 s',
    goalSeconds: USUAL_SECONDS,
    run: async ({ wayOfFirst }) => {
      wayOfFirst.goBlack();
      await pause(20_000);
      wayOfFirst.goLight();
    },
  },
  {
    title: '[OPS-233] the disk of the primary is full for a while',
    goalSeconds: AWAY_MS / 1_000 + FAILOVER_SECONDS,
    lacks: ({ databases }) =>
      databases.every(({ hasDisk }) => hasDisk) ? undefined : 'no disk can be mounted by whoever runs this',
    run: async (cluster) => {
      const { folder } = await nodeWith(cluster, 'leader');
      const ballast = join(folder, '..', 'ballast');
      const { bavail, bsize } = statfsSync(folder);
      // fallocate takes all space and then fails, because no more is left.
      spawnSync('fallocate', ['-l', String(bavail * bsize), ballast]);
      await pause(AWAY_MS);
      rmSync(ballast);
    },
  },
  {
    // The last one, because the buyers' records have lost purchases from here on.
    title: '[BACK-715] all servers are lost with their data, and come back from the archive',
    goalSeconds: RECOVERY_SECONDS,
    run: async (cluster) => {
      // Until segments with purchases are archived.
      await pause(2 * ARCHIVE_SECONDS * 1_000);
      return cluster.loseServers();
    },
  },
];

async function restartAll(parts: Part[]): Promise<void> {
  for (const part of parts) {
    await part.end('SIGTERM');
    await part.start();
    // Waits until the entrance has noticed.
    await pause(2_000);
  }
}

async function killAndStart(part: Part, awayMs = 0): Promise<void> {
  await part.end('SIGKILL');
  await pause(awayMs);
  await part.start();
}

async function nodeWith(cluster: Cluster, role: string): Promise<DatabaseNode> {
  let found: DatabaseNode | undefined;
  await until(async () => {
    const roles = await cluster.roles();
    found = cluster.databases.find(({ name }) => roles[name] === role);
    return found !== undefined;
  });
  return found as DatabaseNode;
}

/** Kills a node as a power failure would. @returns a function that brings it back */
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
