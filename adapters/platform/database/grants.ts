/** Raw SQL for rights, which the server manages. */
import type { ClientBase } from 'pg';
import type { Database } from './database.js';

/**
 * Grants what the serving role needs: read and write rows, and only append to the log. The role that owns the tables
 * changes the schema and records migrations.
 */
export async function grantServing(database: Database, role: string): Promise<void> {
  await database.longTransaction(async (client) => {
    const name = client.escapeIdentifier(role);
    for (const statement of [
      // Older servers let every role create tables in this schema.
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

/** Returns statements that copy other roles' rights on a table to the table that replaces it. */
export async function grantsOn(client: ClientBase, table: string): Promise<string[]> {
  const { rows } = await client.query<{ statement: string }>(
    `select format('grant %s on public.%I to %s', privilege_type, relname,
                   case grantee when 0 then 'public' else grantee::regrole::text end) as statement
       from pg_class, aclexplode(relacl) where pg_class.oid = $1::regclass and grantee <> relowner`,
    [`public.${table}`],
  );
  return rows.map(({ statement }) => statement);
}

/** Returns whether our role may replace the tables. */
export async function ownsTables(client: ClientBase, tables: readonly string[]): Promise<boolean> {
  const { rows } = await client.query<{ owns: boolean }>(
    `select has_database_privilege(current_database(), 'create')
            and bool_and(pg_has_role(relowner, 'usage')) as owns
       from pg_class where oid = any ($1::regclass[])`,
    [tables.map((table) => `public.${table}`)],
  );
  return rows[0]?.owns === true;
}
