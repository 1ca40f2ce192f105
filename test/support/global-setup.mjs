/** Starts one PostgreSQL for the whole run; each test file makes a database of its own in it. */
import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = (name) => fileURLToPath(new URL(name, import.meta.url));

export default async function startSharedPostgres() {
  if (process.env.TEST_DATABASE_URL) return;
  const folder = mkdtempSync(join(tmpdir(), 'offcut-tests-'));
  // Nothing in it outlives the run, so waiting for the disk would only cost time.
  const args = ['--import', here('typescript.mjs'), here('hold-postgres.ts'), folder, 'fsync=off'];
  // The channel closes when this process ends, however it ends; the server then ends too.
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  const said = await new Promise((resolve) => {
    child.stdout.setEncoding('utf8').once('data', resolve);
    child.once('exit', (code) => resolve(`ended with ${code}`));
  });
  const [url] = said.trim().split(' ');
  if (!url?.startsWith('postgres://')) throw new Error(`No PostgreSQL for the tests: ${said.trim()}`);
  process.env.TEST_DATABASE_URL = url;
  globalThis.sharedPostgres = child;
}
