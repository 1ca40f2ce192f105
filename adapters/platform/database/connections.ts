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
}

/**
 * A pool whose connections have these limits. When one of them gets no answer, or leads to a server that takes no
 * writes, those that are idle are replaced.
 */
export function openPool(url: string, limits: DatabaseLimits, options: PoolOptions): pg.Pool {
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
  const idle = new Set<pg.PoolClient>();
  // A lost connection fails the query that uses it, and is replaced; without listeners it would end the process.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  pool.on('acquire', (client) => idle.delete(client));
  pool.on('remove', (client) => idle.delete(client));
  pool.on('release', (error, client) => {
    if (!error) idle.add(client);
    // They most likely lead to the same end, and each would cost a request: the whole wait, or its answer.
    else if (isUnanswered(error) || isReadOnly(error)) for (const other of idle) breakOff(other);
  });
  return pool;
}

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
