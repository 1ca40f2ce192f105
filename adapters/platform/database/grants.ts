/** Raw SQL for rights, which are the server's own. */
import type { ClientBase } from 'pg';
import type { Database } from './database.js';

/**
 * What the role that serves may do: read and write rows, and only add to the log. The schema, and what was migrated, are
 * the business of the role that owns the tables.
 */
export async function grantServing(database: Database, role: string): Promise<void> {
  await database.longTransaction(async (client) => {
    const name = client.escapeIdentifier(role);
    for (const statement of [
      // Older servers let everybody make tables there.
      `revoke create on schema public from public`,
      `grant usage on schema public, jobs to ${name}`,
      `grant select, insert, update, delete on all tables in schema public, jobs to ${name}`,
      `grant usage on all sequences in schema public to ${name}`,
      `revoke update, delete on event from ${name}`,
      `revoke update on log_end from ${name}`,
      `revoke insert, update, delete on kysely_migration, kysely_migration_lock, schema_floor from ${name}`,
    ])
      await client.query(statement);
  });
}

/** The statements that give what others may do with a table to the one that takes its place. */
export async function grantsOn(client: ClientBase, table: string): Promise<string[]> {
  const { rows } = await client.query<{ statement: string }>(
    `select format('grant %s on public.%I to %s', privilege_type, relname,
                   case grantee when 0 then 'public' else grantee::regrole::text end) as statement
       from pg_class, aclexplode(relacl) where pg_class.oid = $1::regclass and grantee <> relowner`,
    [`public.${table}`],
  );
  return rows.map(({ statement }) => statement);
}

/** Whether our role may replace tables. */
export async function ownsTables(client: ClientBase, tables: readonly string[]): Promise<boolean> {
  const { rows } = await client.query<{ owns: boolean }>(
    `select has_database_privilege(current_database(), 'create')
            and bool_and(pg_has_role(relowner, 'usage')) as owns
       from pg_class where oid = any ($1::regclass[])`,
    [tables.map((table) => `public.${table}`)],
  );
  return rows[0]?.owns === true;
}
