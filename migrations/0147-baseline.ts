import { sql, type Kysely } from 'kysely';
import * as catalogue from './baseline/catalogue.js';
import * as money from './baseline/money.js';
import * as people from './baseline/people.js';

/** The schema of version 1.0. It replaces the 68 migrations of earlier versions. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create extension if not exists pg_trgm`.execute(db);
  for (const part of [
    people.eventLog,
    people.accounts,
    people.profiles,
    people.mail,
    people.staff,
    catalogue.packs,
    catalogue.search,
    catalogue.sounds,
    catalogue.files,
    catalogue.library,
    money.purchases,
    money.payments,
    money.payouts,
    money.books,
  ])
    await part.execute(db);

  // The tables of pg-boss. A pg-boss version with other tables needs a migration with `getMigrationPlans`.
  // Imported only here, because a start with a migrated database does not need it.
  const { getConstructionPlans } = await import('pg-boss');
  // Each migration already runs in a transaction.
  const plans = getConstructionPlans('jobs').replaceAll(/^\s*(?:begin|commit);\s*$/gim, '');
  await sql.raw(plans).execute(db);
}
