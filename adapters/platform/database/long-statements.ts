/** Raw SQL for the server's own view of its sessions. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type pg from 'pg';
import { breakOff, goesOn, isSame, isUnanswered, waitOf, type Client, type Wait } from './connections.js';

/** How often the server is asked, and how long it may take to answer. */
export const LOOK_MS = 1_000;
export const LOOK_ANSWER_MS = 3_000;

/** Which of these sessions are gone, or wait for us. Those of other roles tell nothing. */
const RESTING = `select pid from unnest($1::int[]) as asked (pid) left join pg_stat_activity using (pid)
                  where datname is null or state like 'idle%'`;

/**
 * Statements that may take minutes would wait as long for a server that has vanished. So while there are any, the server
 * is asked each second over `short`, whose connections have short limits. Where it gives no answer there, or says twice
 * that it does not work on a statement of which nothing comes, the connection is broken off, and the statement fails.
 */
export function watchLongStatements(long: pg.Pool, short: pg.Pool): void {
  const ask = short.query.bind(short) as (query: object) => Promise<{ rows: { pid: number }[] }>;
  // Looking belongs to none of those who use a connection.
  const apart = AsyncLocalStorage.snapshot();
  const held = new Set<Client>();
  let timer: NodeJS.Timeout | undefined;
  let waits: Wait[] = [];
  let rested: Wait[] = [];

  const restingOf = async (): Promise<Wait[]> => {
    if (waits.length === 0) return [];
    const pids = waits.map(({ client }) => client.processID);
    const { rows } = await ask({ text: RESTING, values: [pids], query_timeout: LOOK_ANSWER_MS });
    const resting = new Set(rows.map(({ pid }) => pid));
    return waits.filter((wait) => resting.has(wait.client.processID) && goesOn(wait));
  };
  const leaveIfUnanswered = (error: unknown): void => {
    // Else it is a busy pool, or a server that says why.
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
  // Other people's statements tell of it, too.
  short.on('release', (error) => error && leaveIfUnanswered(error));
}
