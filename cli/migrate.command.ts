import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../adapters/platform/database/database.js';
import { grantServing } from '../adapters/platform/database/grants.js';
import { isLostConnection } from '../adapters/platform/database/lost-connection.js';
import { migrate, readSchema } from '../adapters/platform/database/migrate.js';
import type { Config } from '../bootstrap/config.js';
import { connectDatabase } from '../bootstrap/open-database.js';
import type { Print } from './tools.js';

/** How long the command waits for a database that starts at the same time, such as one in a container. */
const PATIENCE_MS = 60_000;
const RETRY_MS = 500;

interface Options {
  /** Lists the missing migrations, but does not run them. */
  check: boolean;
  /** How long to wait for the database. */
  patienceMs?: number;
  json?: boolean;
}

/**
 * Runs the missing migrations, and grants rights to the database role of the
 * nodes. Waits for a database that does not answer yet.
 * @returns the exit code: 1 if migrations are missing and `check` is set
 */
export async function runMigrate(
  config: Config,
  { check, patienceMs = PATIENCE_MS, json = false }: Options,
  print: Print,
): Promise<number> {
  const closers: (() => Promise<unknown>)[] = [];
  try {
    const database = await connectDatabase(config, 'beside', (closer) => closers.push(closer));
    await reachable(database, patienceMs, json ? console.error : print);
    const names = check ? (await readSchema(database)).missing : await migrate(database);
    const role = config.databaseAppRole;
    if (role && !check) await grantServing(database, role);
    if (json) print(JSON.stringify({ [check ? 'missing' : 'done']: names }, null, 2));
    else if (names.length === 0) print('The database has the schema of this version.');
    else for (const name of names) print(`${check ? 'missing' : 'done'}  ${name}`);
    return check && names.length > 0 ? 1 : 0;
  } finally {
    for (const close of closers.reverse()) await close();
  }
}

/**
 * Waits until the database answers. @throws the connection error if the database does not answer within
 * `patienceMs`; any other error at once
 */
async function reachable(database: Database, patienceMs: number, print: Print): Promise<void> {
  const until = Date.now() + patienceMs;
  for (let tries = 0; ; tries += 1) {
    try {
      await database.long.query('select');
      return;
    } catch (error) {
      if (!isLostConnection(error) || Date.now() >= until) throw error;
      if (tries === 0)
        print(`The database does not answer yet. Waiting up to ${Math.ceil(patienceMs / 1_000)} s for it.`);
      await pause(RETRY_MS);
    }
  }
}
