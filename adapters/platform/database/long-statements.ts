/** Raw SQL for the server's own view of its sessions. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type pg from 'pg';
import {
  breakOff,
  goesOn,
  isSame,
  isUnanswered,
  waitOf,
  type Client,
  type DatabaseLimits,
  type Wait,
} from './connections.js';

export const LOOK_MS = 1_000;
/** A slow network or machine, for which an operator has set a longer `connectMs`, also has longer for this. */
export const lookAnswerMs = ({ connectMs }: DatabaseLimits): number => Math.max(3_000, connectMs);

/** Sessions that are gone or wait for us. The state of other roles' sessions is hidden, so those never match. */
const RESTING = `select pid from unnest($1::int[]) as asked (pid) left join pg_stat_activity using (pid)
                  where datname is null or state like 'idle%'`;

/**
 * Ends long statements whose server has vanished; otherwise they would wait for minutes. While long connections are
 * in use, this asks the server about their sessions every second, over `short`, whose connections have short
 * timeouts. It closes a waiting connection if the server does not answer there. It also closes one if the server
 * reports twice that it does not work on a statement that receives no bytes.
 */
export function watchLongStatements(long: pg.Pool, short: pg.Pool, limits: DatabaseLimits): void {
  const ask = short.query.bind(short) as (query: object) => Promise<{ rows: { pid: number }[] }>;
  // Run the checks outside the async context of the request that took the connection.
  const apart = AsyncLocalStorage.snapshot();
  const held = new Set<Client>();
  let timer: NodeJS.Timeout | undefined;
  let waits: Wait[] = [];
  let rested: Wait[] = [];

  const restingOf = async (): Promise<Wait[]> => {
    if (waits.length === 0) return [];
    const pids = waits.map(({ client }) => client.processID);
    const { rows } = await ask({ text: RESTING, values: [pids], query_timeout: lookAnswerMs(limits) });
    const resting = new Set(rows.map(({ pid }) => pid));
    return waits.filter((wait) => resting.has(wait.client.processID) && goesOn(wait));
  };
  const leaveIfUnanswered = (error: unknown): void => {
    // Other errors come from a busy pool, or from a server that answers.
    if (isUnanswered(error)) for (const wait of waits) if (goesOn(wait)) breakOff(wait.client);
  };
  const look = async (): Promise<void> => {
    waits = [...held].flatMap((client) => waitOf(client) ?? []);
    try {
      const resting = await restingOf();
      for (const wait of rested) if (resting.some((other) => isSame(wait, other))) breakOff(wait.client);
      rested = resting;
    } catch (error) {
      leaveIfUnanswered(error);
    }
    timer = held.size > 0 ? lookLater() : undefined;
  };
  const lookLater = () => setTimeout(() => apart(() => void look()), LOOK_MS).unref();

  long.on('acquire', (client) => {
    held.add(client as Client);
    timer ??= lookLater();
  });
  long.on('release', (_, client) => held.delete(client as Client));
  long.on('remove', (client) => held.delete(client as Client));
  // Unanswered statements of other requests are evidence, too.
  short.on('release', (error) => error && leaveIfUnanswered(error));
}
