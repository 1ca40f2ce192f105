import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { isStorableJson, storable } from '../../application/shared/text.js';

/** int8 comes as text from pg; every bigint we store is a safe integer, so numbers are exact. */
function safeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new Error(`int8 out of the safe range: ${text}`);
  return value;
}

/** `json` from before texts were checked may hold what no column takes; it is read as the view `readable_event` reads it. */
export function parseJson(text: string): unknown {
  if (isStorableJson(text)) return JSON.parse(text);
  return JSON.parse(text, (_, value: unknown) => (typeof value === 'string' ? storable(value) : value));
}

const PARSERS = new Map<number, (text: string) => unknown>([
  [pg.types.builtins.INT8, safeInteger],
  [pg.types.builtins.JSON, parseJson],
]);

/** Ours alone: pg's own table of parsers is shared with every library in the process. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (id, format) =>
    PARSERS.get(id) ?? (pg.types.getTypeParser(id, format) as (text: string) => unknown),
};

/** Tables are typed where they are queried: rows go straight into a contract's shape. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Tables = any;

/** As many as the desk runs batches at a time. */
const MAX_PIPELINES = 2;
/** Each statement is planned once, by key whatever the statistics say: planning took a third of a lone purchase. */
const ONE_PLAN = 'set plan_cache_mode = force_generic_plan; set enable_seqscan = off';

/** The pool for hot paths (named prepared statements), Kysely over the same pool for the rest. */
export class Database {
  readonly pool: pg.Pool;
  readonly kysely: Kysely<Tables>;
  /** Connections of the purchase path. */
  readonly pipelines: pg.Pool;

  constructor(
    readonly url: string,
    options: { maxConnections?: number } = {},
  ) {
    this.pool = new pg.Pool({ connectionString: url, max: options.maxConnections ?? 24, types });
    this.pipelines = new pg.Pool({ connectionString: url, max: MAX_PIPELINES, types, pipeline: true });
    for (const pool of [this.pool, this.pipelines]) {
      // A lost connection fails the query that uses it, and is replaced; without listeners it would end the process.
      pool.on('error', () => {});
      pool.on('connect', (client) => client.on('error', () => {}));
    }
    this.pipelines.on('connect', (client) => void client.query(ONE_PLAN).catch(() => {}));
    this.kysely = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: this.pool }) });
  }

  /** Runs `work` on one connection of the pool, for what the pool itself cannot run. */
  async connected<Result>(work: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
    const client = await this.pool.connect();
    let failed: Error | undefined;
    try {
      return await work(client);
    } catch (error) {
      failed = error as Error;
      throw error;
    } finally {
      // One that failed is not used again: it may be about to end.
      client.release(failed);
    }
  }

  /** Runs `work` in one transaction: commits its result, rolls back what throws. */
  async transaction<Result>(work: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
    return this.within(this.pool, async (client) => {
      await client.query('begin');
      const result = await work(client);
      await client.query('commit');
      return result;
    });
  }

  /**
   * The same where every wait counts: a statement is sent without waiting for the answers to those before it.
   * The `last` statement of `work` may be under way still; the commit goes out behind it.
   */
  async pipelinedTransaction<Result>(
    work: (client: pg.PoolClient) => Promise<{ result: Result; last?: Promise<unknown> }>,
  ): Promise<Result> {
    return this.within(this.pipelines, async (client) => {
      const [, { result, last }] = await Promise.all([client.query('begin'), work(client)]);
      // After a statement that failed, this commit rolls back.
      await Promise.all([last, client.query('commit')]);
      return result;
    });
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
      await client.query('rollback').catch((reason: Error) => (broken = reason));
      throw error;
    } finally {
      client.release(broken);
    }
  }

  async close(): Promise<void> {
    // Ends the shared pool too.
    await Promise.all([this.kysely.destroy(), this.pipelines.end()]);
  }
}
