import type pg from 'pg';
import { isWithinSpan, traced } from '../observability/tracing.js';

/** Returns what a statement does, without its values, such as `SQL select event`. */
function nameOf(first: unknown): string {
  const { name, text } = (typeof first === 'string' ? { text: first } : first) as Partial<pg.QueryConfig>;
  if (name) return `SQL ${name}`;
  const [, verb = 'statement'] = /^[\s(]*([a-z]+)/i.exec(text ?? '') ?? [];
  const [, table] = /\b(?:from|into|update)\s+"?([a-z_.]+)/i.exec(text ?? '') ?? [];
  return `SQL ${verb.toLowerCase()}${table ? ` ${table}` : ''}`;
}

type Query = (first: unknown, ...others: unknown[]) => Promise<unknown>;

/**
 * Makes every statement over the pool a span of the current trace. Statements outside a span, such as polls, are not
 * traced.
 */
export function traceStatements(pool: pg.Pool): void {
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
  const send: Query = async (first, ...others) => {
    const client = await pool.connect();
    let failed: Error | undefined;
    try {
      return await (client.query as Query)(first, ...others);
    } catch (error) {
      failed = error as Error;
      throw error;
    } finally {
      client.release(failed);
    }
  };
  pool.query = send as typeof pool.query;
}
