/**
 * Compares purchases on two servers in one run: the embedded PostgreSQL without JIT, and an installed one with its
 * default JIT. Then repeats it beside a long open transaction, as a backup has.
 *
 *   TEST_POSTGRES_BIN=/usr/lib/postgresql/15/bin npm run bench -- bench/servers.ts
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { createDatabase, startEmbeddedPostgres } from '../adapters/platform/database/embedded/embedded.js';
import { theExecutor } from './support/credit-executor.js';
import { print, sideBySide, type Contender } from './support/measure.js';

const programs = process.env.TEST_POSTGRES_BIN;
if (!programs) {
  console.error('TEST_POSTGRES_BIN names the folder with the programs of the other server.');
  process.exit(2);
}
const folders = [1, 2].map(() => mkdtempSync(join(tmpdir(), 'offcut-bench-')));
const servers = [
  { name: 'embedded', server: await startEmbeddedPostgres(folders[0] as string) },
  { name: 'installed', server: await startEmbeddedPostgres(folders[1] as string, { programs }) },
];
try {
  const contenders: Contender[] = [];
  const beside: Contender[] = [];
  for (const { name, server } of servers) {
    for (const [database, list] of [
      ['alone', contenders],
      ['beside', beside],
    ] as const) {
      await createDatabase(server.url, `${name}_${database}`);
      const url = new URL(server.url);
      url.pathname = `/${name}_${database}`;
      const executor = await theExecutor(url.href);
      if (database === 'beside') await holdTransaction(url.href);
      for (const inFlight of [256, 1]) {
        const { name: title, run } = executor(inFlight);
        list.push({
          name: `${name}${database === 'beside' ? ', a transaction open beside' : ''}: ${title}`,
          run,
        });
      }
    }
  }
  for (const inFlight of ['256', '1 ']) {
    const some = [...contenders, ...beside].filter(({ name }) => `${name} `.includes(` ${inFlight}`));
    print(await sideBySide(some, { rounds: 5, durationMs: 2_000 }), some[0]?.name as string);
  }
} finally {
  for (const { server } of servers) await server.stop();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}
process.exit();

/** Opens a transaction that keeps PostgreSQL from removing old row versions, as a backup does. */
async function holdTransaction(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {}); // The server stops before this process ends.
  await client.connect();
  await client.query('begin isolation level repeatable read');
  await client.query('select count(*) from event');
}
