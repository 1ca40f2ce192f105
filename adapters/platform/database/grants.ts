/** Raw SQL for privileges, which the query builder cannot grant. */
import type { ClientBase } from 'pg';
import type { Database } from './database.js';
import { serverSettings } from './connections.js';

/** Grants `role` what a node needs. Only the owner of the tables may change the schema, migrations or past events. */
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

export async function grantsOn(client: ClientBase, table: string): Promise<string[]> {
  const { rows } = await client.query<{ statement: string }>(
    `select format('grant %s on public.%I to %s', privilege_type, relname,
                   case grantee when 0 then 'public' else grantee::regrole::text end) as statement
       from pg_class, aclexplode(relacl) where pg_class.oid = $1::regclass and grantee <> relowner`,
    [`public.${table}`],
  );
  return rows.map(({ statement }) => statement);
}

export async function ownsTables(client: ClientBase, tables: readonly string[]): Promise<boolean> {
  const { rows } = await client.query<{ owns: boolean }>(
    `select has_database_privilege(current_database(), 'create')
            and bool_and(pg_has_role(relowner, 'usage')) as owns
       from pg_class where oid = any ($1::regclass[])`,
    [tables.map((table) => `public.${table}`)],
  );
  return rows[0]?.owns === true;
}

const TURN = 7_284_310;

/**
 * Stores the limits in our role for this database, because a session behind a pooler cannot set them. The limits
 * apply to connections that the pooler opens later. Until then only the client's own query timeout applies.
 */
export async function keepLimits(database: Database): Promise<void> {
  const wanted = Object.entries(serverSettings(database.limits));
  await database.longTransaction(async (client) => {
    await client.query('select pg_advisory_xact_lock($1)', [TURN]);
    const { rows } = await client.query<{ name: string; kept: string[] | null }>(
      `select current_database() as name, (
         select setconfig from pg_db_role_setting
         where setrole = (select oid from pg_roles where rolname = current_user)
           and setdatabase = (select oid from pg_database where datname = current_database())) as kept`,
    );
    const { name, kept } = rows[0] as { name: string; kept: string[] | null };
    for (const [setting, value] of wanted)
      if (!kept?.includes(`${setting}=${value}`))
        await client.query(
          `alter role current_user in database ${client.escapeIdentifier(name)} set ${setting} = ${value}`,
        );
  });
}
