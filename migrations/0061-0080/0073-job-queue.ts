import { sql, type Kysely } from 'kysely';

/**
 * The tables of the job queue, in a schema of their own, as the library makes them. A later version of it that wants
 * other tables comes with a migration that brings these there by `getMigrationPlans`, where they are older.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Only now: starts that find everything migrated need nothing of it.
  const { getConstructionPlans } = await import('pg-boss');
  // Every migration has a transaction already.
  const plans = getConstructionPlans('jobs').replaceAll(/^\s*(?:begin|commit);\s*$/gim, '');
  await sql.raw(plans).execute(db);
}
