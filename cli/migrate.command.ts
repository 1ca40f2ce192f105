import { grantServing } from '../adapters/platform/database/grants.js';
import { migrate, readSchema } from '../adapters/platform/database/migrate.js';
import type { Config } from '../bootstrap/config.js';
import { connectDatabase } from '../bootstrap/open-database.js';
import type { Print } from './tools.js';

/** Migrates, and grants the nodes' role its rights. `check` only lists missing migrations, and returns 1 if any are. */
export async function runMigrate(
  config: Config,
  { check }: { check: boolean },
  print: Print,
): Promise<number> {
  const closers: (() => Promise<unknown>)[] = [];
  try {
    const database = await connectDatabase(config, 'beside', (closer) => closers.push(closer));
    const names = check ? (await readSchema(database)).missing : await migrate(database);
    const role = config.databaseAppRole;
    if (role && !check) await grantServing(database, role);
    for (const name of names) print(`${check ? 'missing' : 'done'}  ${name}`);
    if (names.length === 0) print('The database has the schema of this version.');
    return check && names.length > 0 ? 1 : 0;
  } finally {
    for (const close of closers.reverse()) await close();
  }
}
