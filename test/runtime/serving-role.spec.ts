import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes, randomUUID } from 'node:crypto';
import { Database } from '../../adapters/platform/database/database.js';
import { PostgresEventStore } from '../../adapters/platform/event-log/postgres-event-store.js';
import { Projector } from '../../adapters/platform/projections/projector.js';
import { SystemClock } from '../../application/shared/clock.js';
import { readConfig } from '../../bootstrap/config.js';
import { PROJECTIONS } from '../../bootstrap/projections.js';
import { runMigrate } from '../../cli/migrate.command.js';
import { rebuild } from '../../cli/projections.command.js';
import type { Tools } from '../../cli/tools.js';
import { startTestDatabase, type TestDatabase } from '../support/postgres.js';
import { startTestProduct, type TestProduct } from '../support/product.js';
import { listenerWith } from '../support/shop.js';
import { stock } from '../support/stock.js';
import { LIMIT_MS } from '../support/until.js';

const ROLE = `serving_${randomBytes(4).toString('hex')}`;
const [ASYNC] = PROJECTIONS.async;
/** Filled by hand, without events. */
const STOCKED = ['pack', 'sample'];

describe('[OPS-140] a role that only serves', () => {
  let owned: TestDatabase;
  let product: TestProduct;
  let serving: Database;

  beforeAll(async () => {
    owned = await startTestDatabase();
    const { pool } = owned.database;
    await pool.query(`create role ${ROLE} login password 'serving'`);
    const config = readConfig({ NODE_ENV: 'test', DATABASE_URL: owned.url, DATABASE_APP_ROLE: ROLE });
    await runMigrate(config, { check: false, json: false }, () => {});
    const url = Object.assign(new URL(owned.url), { username: ROLE, password: 'serving' }).href;
    product = await startTestProduct({ DATABASE_URL: url, MIGRATE: 'never' });
    serving = product.resources.database;
  });
  afterAll(async () => {
    await product?.stop();
    await owned?.database.pool.query(`drop owned by ${ROLE}; drop role ${ROLE}`);
    await owned?.close();
  });

  const projector = (database: Database) =>
    new Projector(database, new PostgresEventStore(database, new SystemClock(), PROJECTIONS.appendedInline));

  it('sells, follows the log and compares its read models', async () => {
    const { storage, eventStore, logSubscriptions } = product.resources;
    const [sampleId = ''] = await stock(serving, 1, { priceCredits: 2 });
    await storage.put(`Users/x/${sampleId}`, Buffer.from('RIFF'), { contentType: 'audio/wav' });
    const ada = await listenerWith(product, 5);
    const bought = await ada.post(
      '/api/downloads',
      { sampleId, expectedCredits: 2 },
      { headers: { 'idempotency-key': randomUUID() } },
    );
    expect(bought.status).toBe(201);
    const { position } = await eventStore.head();
    expect(await logSubscriptions.caughtUp(position, LIMIT_MS)).toBe(true);
    for (const projection of PROJECTIONS.all)
      for (const { table, rows } of await projector(serving).drift(projection))
        if (!STOCKED.includes(table)) expect([table, rows]).toEqual([table, 0]);
  });

  it.each([
    ['rewrite the log', `update event set type = 'Other'`],
    ['shorten the log', `delete from event`],
    ['empty the log', `truncate event`],
    ['move the end of the log', `update log_end set position = 7`],
    ['take the guard off the log', `alter table event disable trigger user`],
    ['make a table', `create table mine (n int)`],
    ['say what was migrated', `delete from kysely_migration`],
    ['say who may serve', `update schema_floor set migration = 'none'`],
  ])('may not %s', async (_, statement) => {
    await expect(serving.pool.query(statement)).rejects.toMatchObject({ code: '42501' });
  });

  it('says who rebuilds a read model of an older version, and may write to what was rebuilt', async () => {
    if (!ASYNC) throw new Error('there is an async projection');
    const newer = { ...ASYNC, version: ASYNC.version + 1 };
    await expect(projector(serving).advance(newer)).rejects.toThrow(
      `${ASYNC.name} is of an older version: run "offcut projections rebuild ${ASYNC.name}" with the role that owns its tables`,
    );
    const printed: string[] = [];
    const eventStore = new PostgresEventStore(owned.database, new SystemClock());
    const owner = { database: owned.database, eventStore } as Tools;
    expect(await rebuild(owner, ASYNC.name, (line) => printed.push(line))).toBe(0);
    expect(await rebuild(owner, 'none', (line) => printed.push(line))).toBe(1);
    expect(printed).toEqual([
      expect.stringMatching(/^\S+ was rebuilt from \d+ events\.$/),
      expect.stringContaining('There is no read model none'),
    ]);
    for (const table of ASYNC.tables) await serving.pool.query(`delete from ${table} where false`);
  });
});
