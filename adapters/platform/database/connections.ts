import type { Socket } from 'node:net';
import pg from 'pg';
import { isStorableJson, storable } from '../../../application/shared/text.js';
import { isTracing } from '../observability/tracing.js';
import { traceStatements } from './traced-statements.js';

/** How long things may take, in milliseconds. */
export interface DatabaseLimits {
  /** To get a connection, free or new. */
  connectMs: number;
  /** For a statement; its sender waits a little longer for the server's own error. */
  statementMs: number;
  /** For a statement that waits for a lock. */
  lockMs: number;
  /** For a transaction that is idle. */
  idleTransactionMs: number;
  /** For an idle connection; then both sides ask whether the other one is still there. */
  keepAliveMs: number;
}

/** How much longer than its limit we wait for a statement's answer. */
const GRACE_MS = 500;
/** Connections that nobody needs end after this: opening many at once holds everybody up. */
const IDLE_MS = 300_000;

/** int8 comes as text from pg; every bigint we store is a safe integer, so numbers are exact. */
function safeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new Error(`int8 out of the safe range: ${text}`);
  return value;
}

/**
 * Old `json` values, from before texts were checked, may hold characters that no column takes; they are read as the
 * view `readable_event` reads them.
 */
export function parseJson(text: string): unknown {
  if (isStorableJson(text)) return JSON.parse(text);
  return JSON.parse(text, (_, value: unknown) => (typeof value === 'string' ? storable(value) : value));
}

const PARSERS = new Map<number, (text: string) => unknown>([
  [pg.types.builtins.INT8, safeInteger],
  [pg.types.builtins.JSON, parseJson],
  // A day is no moment.
  [pg.types.builtins.DATE, (text) => text],
]);

/** Ours alone: pg's own table of parsers is shared with every library in the process. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (id, format) =>
    PARSERS.get(id) ?? (pg.types.getTypeParser(id, format) as (text: string) => unknown),
};

/** How to make a connection; `setUp` is the first statement on it. */
export const clientConfig = (url: string, limits: DatabaseLimits): pg.ClientConfig => ({
  connectionString: url,
  types,
  connectionTimeoutMillis: limits.connectMs,
  query_timeout: limits.statementMs + GRACE_MS,
  keepAlive: true,
  keepAliveInitialDelayMillis: limits.keepAliveMs,
});

/**
 * What the server is to keep to on our connections. Compiling (JIT) helps reports; our look-ups take many times longer
 * with it.
 */
export const serverSettings = (limits: DatabaseLimits): Record<string, string> => ({
  jit: 'off',
  statement_timeout: String(limits.statementMs),
  lock_timeout: String(limits.lockMs),
  idle_in_transaction_session_timeout: String(limits.idleTransactionMs),
  tcp_keepalives_idle: String(Math.ceil(limits.keepAliveMs / 1_000)),
  tcp_keepalives_interval: '3',
  tcp_keepalives_count: '3',
});

/** Sent as statements, because whoever stands between us and the server may refuse parameters of the connection. */
export const setUp = (limits: DatabaseLimits): string =>
  Object.entries(serverSettings(limits))
    .map(([name, value]) => `set ${name} = ${value}`)
    .join('; ');

export interface PoolOptions {
  max: number;
  pipeline?: boolean;
  setUp?: string;
  /** A pooler gives us another connection of the server for each transaction, so none keeps anything of ours. */
  pooled?: boolean;
  /** Its statements may take minutes; `watchLongStatements` finds those that nothing answers. */
  isPatient?: boolean;
}

/** With what its types do not name. */
export type Client = pg.PoolClient & { processID: number; _getActiveQuery(): object | null };

/** How long a connection in doubt may go on without a byte before it is broken off. */
export const DOUBT_MS = 1_000;

/**
 * The pools of one database. When one connection gets no answer, or leads to a server that takes no writes, the others
 * most likely lead to the same end, and each would cost a request its whole wait.
 */
export class Connections {
  private readonly idle = new Set<pg.PoolClient>();
  private readonly held = new Set<Client>();

  /** Opens a pool whose connections have these limits. */
  open(url: string, limits: DatabaseLimits, options: PoolOptions): pg.Pool {
    const first = [setUp(limits), options.setUp ?? ''].join(';');
    const pool = new pg.Pool({
      ...clientConfig(url, limits),
      max: options.max,
      idleTimeoutMillis: IDLE_MS,
      pipeline: options.pipeline,
      ...(!options.pooled && {
        onConnect: async (client: pg.ClientBase) =>
          void (await client.query({ text: first, query_timeout: limits.connectMs } as pg.QueryConfig)),
      }),
    } as pg.PoolConfig);
    if (options.pooled) pool.on('connect', forgetNames);
    if (isTracing()) traceStatements(pool);
    // A lost connection fails the query that uses it, and is replaced; without listeners it would end the process.
    pool.on('error', () => {});
    pool.on('connect', (client) => client.on('error', () => {}));
    pool.on('acquire', (client) => {
      this.idle.delete(client);
      if (!options.isPatient) this.held.add(client as Client);
    });
    pool.on('remove', (client) => this.forget(client));
    pool.on('release', (error, client) => {
      this.forget(client);
      if (!error) this.idle.add(client);
      else if (isUnanswered(error) || isReadOnly(error)) this.doubt();
    });
    return pool;
  }

  /** Breaks off the idle connections at once, and those whose statement gets no byte for a moment longer. */
  doubt(): void {
    for (const client of this.idle) breakOff(client);
    const waits = [...this.held].flatMap((client) => waitOf(client) ?? []);
    setTimeout(() => {
      for (const wait of waits) if (goesOn(wait)) breakOff(wait.client);
    }, DOUBT_MS).unref();
  }

  private forget(client: pg.PoolClient): void {
    this.idle.delete(client);
    this.held.delete(client as Client);
  }
}

/** A statement that waits for its answer, and how many bytes had come on its connection by then. */
export interface Wait {
  client: Client;
  statement: object;
  bytesRead: number;
}

export function waitOf(client: Client): Wait | undefined {
  const statement = client._getActiveQuery();
  return statement
    ? { client, statement, bytesRead: (client.connection.stream as Socket).bytesRead }
    : undefined;
}

/** Whether it still waits, and nothing has come. */
export function goesOn(wait: Wait): boolean {
  const now = waitOf(wait.client);
  return now !== undefined && isSame(wait, now);
}

export const isSame = (one: Wait, other: Wait): boolean =>
  one.client === other.client && one.statement === other.statement && one.bytesRead === other.bytesRead;

/** What this connection has prepared under a name, the next one has not. */
function forgetNames(client: pg.PoolClient): void {
  const query = client.query.bind(client) as (...given: unknown[]) => unknown;
  const unnamed = (first: unknown, ...others: unknown[]) =>
    query(isNamed(first) ? { ...first, name: undefined } : first, ...others);
  client.query = unnamed as pg.PoolClient['query'];
}

const isNamed = (query: unknown): query is pg.QueryConfig =>
  typeof query === 'object' && query !== null && 'name' in query && !('submit' in query);

/** No answer came in time. The server would have ended the statement itself, so the server must be gone. */
export const isUnanswered = (error: unknown): boolean =>
  /^(Query read timeout|Connection terminated due to connection timeout|timeout expired)/.test(
    (error as Error).message,
  );

/** The server at the other end is not the primary, or not any more; a new connection may lead to who is. */
export const isReadOnly = (error: unknown): boolean => (error as { code?: unknown }).code === '25006';

/** Ends a connection without asking the other side. */
export function breakOff(client: pg.ClientBase): void {
  (client as pg.ClientBase & { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
}
