import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';

/** int8 comes as text from pg; every bigint we store is a safe integer, so numbers are exact. */
function safeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new Error(`int8 out of the safe range: ${text}`);
  return value;
}

/** Ours alone: pg's own table of parsers is shared with every library in the process. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (id, format) =>
    id === pg.types.builtins.INT8
      ? safeInteger
      : (pg.types.getTypeParser(id, format) as (text: string) => unknown),
};

/** Tables are typed where they are queried: rows go straight into a contract's shape. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Tables = any;

/** The pool for hot paths (named prepared statements), Kysely over the same pool for the rest. */
export class Database {
  readonly pool: pg.Pool;
  readonly kysely: Kysely<Tables>;

  constructor(
    readonly url: string,
    options: { maxConnections?: number } = {},
  ) {
    this.pool = new pg.Pool({ connectionString: url, max: options.maxConnections ?? 24, types });
    // A lost connection fails the query that uses it, and is replaced; without listeners it would end the process.
    this.pool.on('error', () => {});
    this.pool.on('connect', (client) => client.on('error', () => {}));
    this.kysely = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: this.pool }) });
  }

  /** Runs `work` in one transaction: commits its result, rolls back what throws. */
  async transaction<Result>(work: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
    const client = await this.pool.connect();
    let broken: Error | undefined;
    try {
      await client.query('begin');
      const result = await work(client);
      await client.query('commit');
      return result;
    } catch (error) {
      await client.query('rollback').catch((reason: Error) => (broken = reason));
      throw error;
    } finally {
      client.release(broken);
    }
  }

  async close(): Promise<void> {
    // Ends the shared pool too.
    await this.kysely.destroy();
  }
}
