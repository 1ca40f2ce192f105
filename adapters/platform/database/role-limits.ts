/** Raw SQL for settings and the catalogue of roles, which the server keeps. */
import { serverSettings } from './connections.js';
import type { Database } from './database.js';

/** An arbitrary lock number: nodes that start together take turns. */
const TURN = 7_284_310;

/**
 * Stores the limits in our role for this database, because a session behind a pooler cannot set them. They apply to
 * connections that the pooler opens later. Until then only the client's own query timeout applies.
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
