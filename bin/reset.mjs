/** `npm run reset`: empties the data folder, including all accounts, packs and audio. */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ensure, giveUp, Obstacle, ROOT } from './ensure.mjs';

/** The folder of the embedded database. A folder without it is not a data folder. */
const DATABASE = 'postgres';

async function reset() {
  const folder = resolve(process.env.DATA_DIR || join(ROOT, '.data'));
  if (!existsSync(folder) || readdirSync(folder).length === 0) return `${folder} is empty already`;
  const database = join(folder, DATABASE);
  if (!existsSync(database))
    throw new Obstacle(`${folder} does not look like a data folder of Offcut; nothing was removed`);
  await ensure();
  const { claimFolder, DatabaseFolderError, endOrphan } =
    await import('../dist/server/adapters/platform/database/embedded/data-folder.js');
  try {
    // Nothing may write during the deletion: neither a running Offcut nor an orphaned database server.
    claimFolder(database);
    await endOrphan(join(database, 'cluster'));
  } catch (error) {
    throw error instanceof DatabaseFolderError ? new Obstacle(error.message) : error;
  }
  // The database goes last, so that after an interruption the folder is still a data folder and can be reset again.
  const entries = readdirSync(folder).filter((name) => name !== DATABASE);
  for (const name of [...entries, DATABASE]) rmSync(join(folder, name), { recursive: true, force: true });
  return `${folder} is empty now; the next start fills it again`;
}

reset().then((done) => console.log(`offcut: ${done}`), giveUp);
