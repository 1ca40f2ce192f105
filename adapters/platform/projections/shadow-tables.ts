/** Raw SQL: it works on tables of any shape, and on PostgreSQL's system catalogue. */
import type { ClientBase } from 'pg';
import type pg from 'pg';

type Connection = ClientBase | pg.Pool;

/** PostgreSQL's schema of temporary tables: every role may create them, and they end with their session. */
export const OWN_SESSION = 'pg_temp';

export async function createShadow(
  connection: Connection,
  schema: string,
  tables: readonly string[],
  { bare }: { bare: boolean },
): Promise<void> {
  if (schema !== OWN_SESSION) await connection.query(`create schema ${schema}`);
  for (const table of tables) {
    const like = bare ? 'including all excluding indexes' : 'including all';
    await connection.query(`create table ${schema}.${table} (like public.${table} ${like})`);
  }
}

/** Gives a table without indexes the indexes and keys of the live table, under the same names. */
export async function createIndexes(connection: Connection, schema: string, table: string): Promise<void> {
  const { rows } = await connection.query(
    `select c.relname as name, pg_get_indexdef(i.indexrelid) as definition, pg_get_constraintdef(k.oid) as key
       from pg_index i join pg_class c on c.oid = i.indexrelid
       left join pg_constraint k on k.conindid = i.indexrelid and k.conrelid = i.indrelid and k.contype in ('p', 'u')
      where i.indrelid = $1::regclass order by k.contype = 'p' desc nulls last, c.relname`,
    [`public.${table}`],
  );
  for (const { name, definition, key } of rows as {
    name: string;
    definition: string;
    key: string | null;
  }[]) {
    await connection.query(
      key
        ? `alter table ${schema}.${table} add constraint "${name}" ${key}`
        : definition.replace(` ON public.${table} `, ` ON ${schema}.${table} `),
    );
  }
  await connection.query(`analyze ${schema}.${table}`);
}

/** Counts the rows that only one of the two tables has. A row whose values differ counts twice. */
export async function differingRows(client: ClientBase, schema: string, table: string): Promise<number> {
  const { rows: keys } = await client.query(
    `select a.attname as name from pg_index i
       join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any(i.indkey)
      where i.indrelid = $1::regclass and i.indisprimary`,
    [`public.${table}`],
  );
  const columns = (keys as { name: string }[]).map(({ name }) => `"${name}"`);
  const missing = (side: string) => `${side}.${columns[0]} is null`;
  const counted = await client.query(
    `select coalesce(sum(case when ${missing('live')} or ${missing('fold')} then 1 else 2 end), 0)::int as rows
       from public.${table} live full join ${schema}.${table} fold using (${columns.join(', ')})
      where ${missing('live')} or ${missing('fold')} or live::text <> fold::text`,
  );
  return (counted.rows[0] as { rows: number }).rows;
}
