/**
 * Compares three ways to run the same queries: with the builder, as text that is parsed each time, and as prepared
 * statements. The queries read one row of one table, and 12 listed samples from five tables.
 *
 *   npm run bench -- bench/statements.ts
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Database, prepared } from '../adapters/platform/database/database.js';
import { createDatabase, startEmbeddedPostgres } from '../adapters/platform/database/embedded/embedded.js';
import { CREATOR_JOINS, SAMPLE, viewerColumns } from '../adapters/platform/database/json-shapes.js';
import { migrate } from '../adapters/platform/database/migrate.js';
import { growCatalogue } from './support/big-catalogue.js';
import { cpuMs } from './support/cpu.js';
import { keepInFlight, print, sideBySide } from './support/measure.js';

const folder = mkdtempSync(join(tmpdir(), 'offcut-bench-'));
const server = await startEmbeddedPostgres(folder);
await createDatabase(server.url, 'statements');
const url = new URL(server.url);
url.pathname = '/statements';
const database = new Database(url.href, { maxConnections: 1 });
try {
  await migrate(database);
  await growCatalogue(database, 0, 2_000);
  const { db, pool } = database;
  const samples = await db.selectFrom('sample').select('sample_id').limit(12).execute();
  const ids = samples.map((sample) => sample.sample_id);
  const one = (id: string) =>
    db.selectFrom('sample').select(['title', 'bpm', 'key', 'price_credits']).where('sample_id', '=', id);
  const row = one(ids[0] as string).compile().sql;
  const page = `select ${SAMPLE} as sample, ${viewerColumns('$2')}
                  from unnest($1::text[]) with ordinality as wanted(sample_id, place)
                  join sample s on s.sample_id = wanted.sample_id and s.available
                  join pack p on p.pack_id = s.pack_id ${CREATOR_JOINS} order by wanted.place`;
  const ways: Record<string, () => Promise<unknown>> = {
    'one row, builder': () => one(ids[0] as string).execute(),
    'one row, text': () => pool.query(row, [ids[0]]),
    'one row, named': () => pool.query(prepared('row', row, [ids[0]])),
    'page, text': () => pool.query(page, [ids, null]),
    'page, named': () => pool.query(prepared('page', page, [ids, null])),
  };
  const contenders = Object.entries(ways).map(([name, ask]) => ({
    name,
    run: (durationMs: number) => keepInFlight(1, durationMs, ask),
  }));
  print(
    await sideBySide(contenders, { durationMs: 3_000, cpuMs: () => cpuMs(server.pid) }),
    'one row, builder',
  );
} finally {
  await database.close();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}
