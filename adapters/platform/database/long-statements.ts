/** Raw SQL for `pg_stat_activity`, the server's own list of its sessions. */
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
/** Time limit of one check of the sessions. If operators raise `connectMs` for slow networks, this limit rises too. */
export const lookAnswerMs = ({ connectMs }: DatabaseLimits): number => Math.max(3_000, connectMs);

/** Selects sessions that are gone or idle. The state of other roles' sessions is hidden, so those never match. */
const RESTING = `select pid from unnest($1::int[]) as asked (pid) left join pg_stat_activity using (pid)
                  where datname is null or state like 'idle%'`;

/**
 * Ends long statements whose server has vanished; otherwise they would wait for minutes. While long connections are
 * in use, checks their sessions every second over `short`, whose connections have short timeouts. Closes the waiting
 * connections if the server does not answer the check. Also closes a connection that received no bytes if two checks
 * in a row report its session as gone or idle.
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
    // Other errors prove nothing: the pool may be busy, or the server has answered.
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
  // An unanswered statement of a request also shows that the server may have vanished.
  short.on('release', (error) => error && leaveIfUnanswered(error));
}
