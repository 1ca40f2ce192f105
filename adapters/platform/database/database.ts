import { Injectable } from '@nestjs/common';
import type pg from 'pg';
import { Kysely, PostgresDialect, type PostgresPool, type QueryCreator } from 'kysely';
import { Connections, isReadOnly, isUnanswered, onConnection, type DatabaseLimits } from './connections.js';
import { watchLongStatements } from './long-statements.js';
import type { DB } from './schema.js';
import type { QueryConfig } from 'pg';

/** Builds queries, typed by the schema. Hot paths use `prepared` on the pool instead. */
export type Queries = QueryCreator<DB>;

export type Transacted<Result> = (client: pg.PoolClient, db: Queries) => Promise<Result>;

const MAX_PIPELINES = 2;
/**
 * The server ends a purchase's transaction after this idle time. The transaction may hold the lock on the end of the
 * log, for which all other sales
 * wait. It must end before the other sales reach their lock timeout, even if this node has vanished.
 */
const MAX_SILENCE_MS = 2_000;
/** Makes PostgreSQL plan each statement once: planning took a third of the time of a single purchase. */
const ONE_PLAN = 'set plan_cache_mode = force_generic_plan';
/**
 * Plans are discarded at this age, because a plan suits the table sizes at the time of planning. Plans made when a
 * table had few analysed rows scan whole tables, and the next analysis comes a minute later. A new shop that sells a
 * thousand samples a second has sixty thousand more rows by then.
 */
const PLAN_LIFETIME_MS = 1_000;

const MAX_LONG = 8;
const MINUTES: DatabaseLimits = {
  connectMs: 30_000,
  statementMs: 600_000,
  lockMs: 60_000,
  idleTransactionMs: 300_000,
  keepAliveMs: 10_000,
};

/** Injects the database that serves the public catalogue: the replica, or the main database if there is none. */
export const CATALOGUE_DATABASE = Symbol('CATALOGUE_DATABASE');

export interface DatabaseOptions {
  maxConnections?: number;
  /** Limits of statements that users wait for. If absent, every statement may take minutes. */
  limits?: DatabaseLimits;
  longLimits?: DatabaseLimits;
  /** URL of the server if `url` leads to a pooler in transaction mode. Only direct connections keep session state. */
  directUrl?: string;
}

/** Hot paths send `prepared` statements to `pool`; `db` builds all other queries over it. */
export class Database {
  readonly directUrl: string;
  readonly pool: pg.Pool;
  readonly db: Queries;
  readonly pipelines: pg.Pool;
  readonly long: pg.Pool;
  readonly limits: DatabaseLimits;
  readonly connections = new Connections();

  constructor(
    readonly url: string,
    { maxConnections = 24, limits = MINUTES, longLimits = MINUTES, directUrl }: DatabaseOptions = {},
  ) {
    this.limits = limits;
    this.directUrl = directUrl ?? url;
    this.pool = this.connections.open(url, limits, { max: maxConnections, pooled: directUrl !== undefined });
    const silence = { ...limits, idleTransactionMs: Math.min(limits.idleTransactionMs, MAX_SILENCE_MS) };
    this.pipelines = this.connections.open(this.directUrl, silence, {
      max: MAX_PIPELINES,
      pipeline: true,
      setUp: ONE_PLAN,
    });
    this.long = this.connections.open(this.directUrl, longLimits, { max: MAX_LONG, isPatient: true });
    watchLongStatements(this.long, this.pool, limits);
    this.db = queries(this.pool);
    this.renewPlans();
  }

  /** Runs `work` on one connection, for statements that need the same session. Each statement may take minutes. */
  async connected<Result>(work: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
    return onConnection(this.long, work);
  }

  async transaction<Result>(work: Transacted<Result>): Promise<Result> {
    return this.within(this.pool, committed(work));
  }

  async longTransaction<Result>(work: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
    return this.within(this.long, committed(work));
  }

  /**
   * Like `transaction`, for the fastest paths: sends each statement without waiting for earlier answers. The `last`
   * statement of `work` may still run when the commit is sent.
   */
  async pipelinedTransaction<Result>(
    work: (client: pg.PoolClient) => Promise<{ result: Result; last?: Promise<unknown> }>,
  ): Promise<Result> {
    return this.within(this.pipelines, async (client) => {
      const [, { result, last }] = await Promise.all([client.query('begin'), work(client)]);
      // After a failed statement this commit rolls back.
      await Promise.all([last, client.query('commit')]);
      return result;
    });
  }

  async close(): Promise<void> {
    await Promise.all([this.pool.end(), this.pipelines.end(), this.long.end()]);
  }

  private async within<Result>(
    pool: pg.Pool,
    work: (client: pg.PoolClient) => Promise<Result>,
  ): Promise<Result> {
    const client = await pool.connect();
    let broken: Error | undefined;
    try {
      return await work(client);
    } catch (error) {
      // A server that did not answer will answer no rollback either. It rolls back when the connection closes.
      if (isUnanswered(error) || isReadOnly(error)) broken = error as Error;
      else await client.query('rollback').catch((reason: Error) => (broken = reason));
      throw error;
    } finally {
      client.release(broken);
    }
  }

  private renewPlans(): void {
    const plannedAt = new WeakMap<pg.PoolClient, number>();
    this.pipelines.on('acquire', (client) => {
      const now = performance.now();
      const age = now - (plannedAt.get(client) ?? now);
      if (age > PLAN_LIFETIME_MS) client.query('discard plans').catch(() => {});
      if (age === 0 || age > PLAN_LIFETIME_MS) plannedAt.set(client, now);
    });
  }
}

/** Base class of adapters that need only the database, which Nest injects. */
@Injectable()
export abstract class DatabaseAdapter {
  constructor(protected readonly database: Database) {}
}

/** Returns a query builder that runs its queries on a client, inside its transaction, or on a pool. */
export const queries = (on: Pick<pg.ClientBase, 'query'>): Queries =>
  new Kysely<DB>({
    dialect: new PostgresDialect({
      pool: {
        connect: async () => ({
          query: (text: string, values: readonly unknown[]) => on.query(text, [...values]),
          release: () => {},
        }),
        end: async () => {},
      } as unknown as PostgresPool,
    }),
  });

const committed =
  <Result>(work: Transacted<Result>) =>
  async (client: pg.PoolClient): Promise<Result> => {
    await client.query('begin');
    const result = await work(client, queries(client));
    await client.query('commit');
    return result;
  };

/** Returns a statement that each connection plans once, at a third of the builder's cost (`bench/statements.ts`). */
export const prepared = (name: string, text: string, values: unknown[] = []): QueryConfig => ({
  name,
  text,
  values,
});
