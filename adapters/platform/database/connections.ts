import pg from 'pg';
import type { Socket } from 'node:net';
import { isStorableJson, storable } from '../../../application/shared/text.js';
import { isTracing, isWithinSpan, traced } from '../observability/tracing.js';

export interface DatabaseLimits {
  connectMs: number;
  /** Time limit of a statement. The client waits `GRACE_MS` longer, so that the server can report its own error. */
  statementMs: number;
  lockMs: number;
  idleTransactionMs: number;
  /** The client and the server send TCP keepalives once a connection has been idle for this time. */
  keepAliveMs: number;
}

const GRACE_MS = 500;
/** Unused connections end after this time. The time is long, because opening many at once delays every request. */
const IDLE_MS = 300_000;

/** pg returns int8 as text. Every stored bigint is a safe integer, so a number is exact. */
function safeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new Error(`int8 out of the safe range: ${text}`);
  return value;
}

/** Parses JSON. Replaces characters that old events may contain but no column accepts, as `readable_event` does. */
export function parseJson(text: string): unknown {
  if (isStorableJson(text)) return JSON.parse(text);
  return JSON.parse(text, (_, value: unknown) => (typeof value === 'string' ? storable(value) : value));
}

const PARSERS = new Map<number, (text: string) => unknown>([
  [pg.types.builtins.INT8, safeInteger],
  [pg.types.builtins.JSON, parseJson],
  // A date stays text, because a `Date` would add a time and a time zone.
  [pg.types.builtins.DATE, (text) => text],
]);

/** Parsers for our pools only, because every library in the process shares pg's own table of parsers. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (id, format) =>
    PARSERS.get(id) ?? (pg.types.getTypeParser(id, format) as (text: string) => unknown),
};

export const clientConfig = (url: string, limits: DatabaseLimits): pg.ClientConfig => ({
  connectionString: url,
  types,
  connectionTimeoutMillis: limits.connectMs,
  query_timeout: limits.statementMs + GRACE_MS,
  keepAlive: true,
  keepAliveInitialDelayMillis: limits.keepAliveMs,
});

/** Returns the settings of a session. JIT compilation would make our short look-ups many times slower. */
export const serverSettings = (limits: DatabaseLimits): Record<string, string> => ({
  jit: 'off',
  statement_timeout: String(limits.statementMs),
  lock_timeout: String(limits.lockMs),
  idle_in_transaction_session_timeout: String(limits.idleTransactionMs),
  tcp_keepalives_idle: String(Math.ceil(limits.keepAliveMs / 1_000)),
  tcp_keepalives_interval: '3',
  tcp_keepalives_count: '3',
});

/** Returns the settings as statements, because a proxy in front of the server may refuse connection parameters. */
export const setUp = (limits: DatabaseLimits): string =>
  Object.entries(serverSettings(limits))
    .map(([name, value]) => `set ${name} = ${value}`)
    .join('; ');

export interface PoolOptions {
  max: number;
  pipeline?: boolean;
  setUp?: string;
  /** The URL leads to a pooler. Each transaction may run on another server connection, so session state is lost. */
  pooled?: boolean;
  /** True if statements may take minutes. `watchLongStatements` ends those whose server has vanished. */
  isPatient?: boolean;
}

export type Client = pg.PoolClient & { processID: number; _getActiveQuery(): object | null };

/** `doubt` closes a busy connection that receives no byte during this time. */
export const DOUBT_MS = 1_000;

/** Closes doubtful connections: if one gets no answer or reaches a read-only server, the others probably do too. */
export class Connections {
  private readonly idle = new Set<pg.PoolClient>();
  private readonly held = new Set<Client>();

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
    // The pool replaces a lost connection, and its query fails. Without listeners, the error would end this process.
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

  /** Closes idle connections at once, and busy ones that receive no byte for another `DOUBT_MS`. */
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

/** A statement in progress, and how many bytes its connection had received when `waitOf` looked. */
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

export function goesOn(wait: Wait): boolean {
  const now = waitOf(wait.client);
  return now !== undefined && isSame(wait, now);
}

export const isSame = (one: Wait, other: Wait): boolean =>
  one.client === other.client && one.statement === other.statement && one.bytesRead === other.bytesRead;

/** Strips the names of statements, because the next transaction may run on a connection that has not prepared them. */
function forgetNames(client: pg.PoolClient): void {
  const query = client.query.bind(client) as (...given: unknown[]) => unknown;
  const unnamed = (first: unknown, ...others: unknown[]) =>
    query(isNamed(first) ? { ...first, name: undefined } : first, ...others);
  client.query = unnamed as pg.PoolClient['query'];
}

const isNamed = (query: unknown): query is pg.QueryConfig =>
  typeof query === 'object' && query !== null && 'name' in query && !('submit' in query);

/**
 * Returns whether the error means that the server did not answer in time. A working server would have ended the
 * statement at its time limit.
 */
export const isUnanswered = (error: unknown): boolean =>
  /^(Query read timeout|Connection terminated due to connection timeout|timeout expired)/.test(
    (error as Error).message,
  );

/** Returns whether the server is a standby. A new connection may reach the new primary. */
export const isReadOnly = (error: unknown): boolean => (error as { code?: unknown }).code === '25006';

export function breakOff(client: pg.ClientBase): void {
  (client as pg.ClientBase & { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
}

/**
 * Runs `work` on one connection. If `work` fails, the connection may be broken, so the pool closes it instead of
 * reusing it.
 */
export async function onConnection<Result>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  let failed: Error | undefined;
  try {
    return await work(client);
  } catch (error) {
    failed = error as Error;
    throw error;
  } finally {
    client.release(failed);
  }
}

function nameOf(first: unknown): string {
  const { name, text } = (typeof first === 'string' ? { text: first } : first) as Partial<pg.QueryConfig>;
  if (name) return `SQL ${name}`;
  const [, verb = 'statement'] = /^[\s(]*([a-z]+)/i.exec(text ?? '') ?? [];
  const [, table] = /\b(?:from|into|update)\s+"?([a-z_.]+)/i.exec(text ?? '') ?? [];
  return `SQL ${verb.toLowerCase()}${table ? ` ${table}` : ''}`;
}

type Query = (first: unknown, ...others: unknown[]) => Promise<unknown>;

/** Traces statements that run within a span. Other statements, such as polls, are not traced. */
function traceStatements(pool: pg.Pool): void {
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as Query;
    const spanned: Query = (first, ...others) => {
      const isStream = typeof first === 'object' && first !== null && 'submit' in first;
      const isCalledBack = typeof others.at(-1) === 'function';
      if (isStream || isCalledBack || !isWithinSpan()) return query(first, ...others);
      return traced(nameOf(first), { kind: 'client', 'db.system.name': 'postgresql' }, () =>
        query(first, ...others),
      );
    };
    client.query = spanned as pg.PoolClient['query'];
  });
  // pg's own `pool.query` would send the statement in the async context of the caller that released the connection.
  const send: Query = (...given) => onConnection(pool, (client) => (client.query as Query)(...given));
  pool.query = send as typeof pool.query;
}
