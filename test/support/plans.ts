import type pg from 'pg';
import type { Database } from '../../adapters/platform/database/database.js';

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  Plans?: PlanNode[];
}

/** Returns the tables that the statements of `work` scan sequentially. */
export async function wholeTablesRead(database: Database, work: () => Promise<unknown>): Promise<string[]> {
  const sent: pg.QueryConfig[] = [];
  const { pool } = database;
  const query = pool.query;
  pool.query = ((text: string | pg.QueryConfig, values?: unknown[]) => {
    sent.push(typeof text === 'string' ? { text, values: values ?? [] } : text);
    return Reflect.apply(query, pool, [text, values]);
  }) as typeof pool.query;
  try {
    await work();
  } finally {
    pool.query = query;
  }
  const found = new Set<string>();
  for (const { text, values } of sent) {
    const { rows } = await pool.query(`explain (format json) ${text}`, values as unknown[]);
    collect((rows[0] as { 'QUERY PLAN': { Plan: PlanNode }[] })['QUERY PLAN'][0]?.Plan, found);
  }
  return [...found].sort();
}

function collect(node: PlanNode | undefined, found: Set<string>): void {
  if (!node) return;
  if (node['Node Type'] === 'Seq Scan') found.add(node['Relation Name'] as string);
  for (const child of node.Plans ?? []) collect(child, found);
}
