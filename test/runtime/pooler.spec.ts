import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { Database } from '../../adapters/platform/database/database.js';
import { readConfig } from '../../bootstrap/config.js';
import { pgbouncer, startPooler, type Pooler } from '../support/pooler.js';
import { startTestDatabase, type TestDatabase } from '../support/postgres.js';
import { startTestProduct, type TestProduct } from '../support/product.js';
import { listenerWith, openShop } from '../support/shop.js';
import { LIMIT_MS } from '../support/until.js';

const SOUNDS = Array.from({ length: 2 }, (_, n) => ({ name: `Sound ${n}`, creditCost: 1 }));

// Without PgBouncer, the test run itself reports the skipped tests at its end.
(pgbouncer ? describe : describe.skip)('[OPS-102] behind PgBouncer in transaction mode', () => {
  let behind: TestDatabase;
  let pooler: Pooler;
  let product: TestProduct;

  beforeAll(async () => {
    behind = await startTestDatabase();
    // Two for all clients, so a connection with leftover state would pass it to another client.
    pooler = await startPooler(behind.url, 2);
    product = await startTestProduct({
      DATABASE_URL: pooler.url,
      DATABASE_DIRECT_URL: behind.url,
      DATABASE_STATEMENT_TIMEOUT_MS: '21000',
    });
  });
  afterAll(async () => {
    await product?.stop();
    await pooler?.stop();
    await behind?.close();
  });

  it('packs are published and found, bought by many at once, and licensed', async () => {
    await openShop(product, [{ name: 'Pool', genre: 'Trap', mood: 'Dark', sounds: SOUNDS }]);
    const found = await product.browser().get('/api/samples?q=sound');
    const sampleIds = (found.body.items as { id: string }[]).map(({ id }) => id);
    expect(sampleIds).toHaveLength(SOUNDS.length);
    const buyers = await Promise.all(Array.from({ length: 12 }, () => listenerWith(product, SOUNDS.length)));
    const bought = await Promise.all(
      buyers.flatMap((buyer) =>
        sampleIds.map((sampleId) =>
          buyer.post(
            '/api/downloads',
            { sampleId, expectedCredits: 1 },
            { headers: { 'idempotency-key': randomUUID() } },
          ),
        ),
      ),
    );
    expect(new Set(bought.map(({ status }) => status))).toEqual(new Set([201]));
    for (const buyer of buyers) expect((await buyer.get('/api/credits')).body.balance).toBe(0);
    // Log subscriptions listen and hold their leases on direct connections.
    const { position } = await product.resources.eventStore.head();
    expect(await product.resources.logSubscriptions.caughtUp(position, LIMIT_MS)).toBe(true);
    const licensed = async () =>
      (await behind.database.pool.query(`select count(*)::int as n from certificate`)).rows[0];
    while (((await licensed()) as { n: number }).n < bought.length)
      await new Promise((resolve) => setTimeout(resolve, 20));
  });

  it('its connections have the limits of their role, and nothing that anybody prepared', async () => {
    const client = new pg.Client(pooler.url);
    await client.connect();
    const told = new Set<string>();
    // Each transaction may use either of the two.
    for (let n = 0; n < 20; n += 1) {
      const { rows } = await client.query(
        `select current_setting('jit') as jit, current_setting('statement_timeout') as statement,
                (select count(*)::int from pg_prepared_statements) as prepared`,
      );
      told.add(JSON.stringify(rows[0]));
    }
    await client.end();
    expect([...told]).toEqual([JSON.stringify({ jit: 'off', statement: '21s', prepared: 0 })]);
  });
});

describe('[OPS-103] a process', () => {
  it('opens as many connections as DATABASE_POOL_SIZE says, however many ask', async () => {
    const test = await startTestDatabase();
    const url = new URL(test.url);
    url.searchParams.set('application_name', 'counted');
    const database = new Database(url.href, readConfig({ DATABASE_POOL_SIZE: '3' }).databaseOptions);
    await Promise.all(Array.from({ length: 30 }, () => database.pool.query('select pg_sleep(0.01)')));
    const { rows } = await test.database.pool.query(
      `select count(*)::int as n from pg_stat_activity where application_name = 'counted'`,
    );
    expect(rows).toEqual([{ n: 3 }]);
    await database.close();
    await test.close();
  });
});
