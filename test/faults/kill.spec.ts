import { afterEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { startChildProduct, type ChildProduct } from '../support/child-product.js';
import type { HttpClient } from '../support/http-client.js';
import { expectBooksToHold } from '../support/invariants.js';
import { Database } from '../../adapters/platform/database/database.js';
import { PostgresEventStore } from '../../adapters/platform/event-log/postgres-event-store.js';
import { SystemClock } from '../../application/shared/clock.js';
import { sizeOf } from '../support/sizes.js';
import { executorOn, stock } from '../support/stock.js';
import { wavOf } from '../support/wav.js';

const KILLS = sizeOf('PRODUCT_KILLS');
const SAMPLES = 100 * KILLS;
const BUYERS = 4;

describe('killed in the middle of purchases', () => {
  let product: ChildProduct | undefined;
  afterEach(() => product?.remove());

  it.each([
    ['the application', (child: ChildProduct) => child.kill()],
    ['the database', async (child: ChildProduct) => child.killDatabase()],
  ])('[FIN-29, OPS-06] %s: every answered purchase is in the log, none twice', async (victim, strike) => {
    product = await startChildProduct();
    const child = product;
    const buyers = await Promise.all(Array.from({ length: BUYERS }, () => signedUp(child)));
    await prepare(child, buyers);
    const answered = new Map<string, string>();

    for (let kill = 1; kill <= KILLS; kill += 1) {
      const open = buyers.flatMap((buyer) =>
        Array.from({ length: SAMPLES }, (_, n) => ({
          buyer,
          sampleId: `s${n}`,
          key: keyFor(buyer, n),
        })).filter(({ key }) => !answered.has(key)),
      );
      const storm = Promise.all(
        Array.from({ length: 16 }, async () => {
          for (let order = open.shift(); order; order = open.shift()) {
            const answer = await buy(order.buyer, order.sampleId, order.key).catch(() => undefined);
            if (answer?.status === 201) answered.set(order.key, `${order.buyer.userId} ${order.sampleId}`);
            else if (!answer || answer.status >= 500) {
              if (victim === 'the application') return; // no process answers any more
              // Buyers without an answer retry with the same key, so the storm lasts until the database is back.
              open.unshift(order);
              await new Promise((resolve) => setTimeout(resolve, 50));
            }
          }
        }),
      );
      // Kills in the middle of the storm, whatever its speed.
      const enough = answered.size + 1 + Math.floor(Math.random() * 60);
      const inTheMiddle = async () => {
        while (answered.size < enough) await new Promise((resolve) => setTimeout(resolve, 5));
      };
      await Promise.race([inTheMiddle(), storm]);
      const before = answered.size;
      await strike(child);
      if (victim === 'the database') open.length = Math.min(open.length, 200);
      await storm;
      if (victim === 'the application') await child.restart();
      await ready(child);
      expect(answered.size).toBeGreaterThanOrEqual(before);
    }
    expect(answered.size).toBeGreaterThanOrEqual(KILLS);
    await check(child, buyers, answered);
  });
});

const keys = new Map<string, string>();
/** Returns the key of an order, which stays the same in every retry. */
function keyFor(buyer: HttpClient, n: number): string {
  const order = `${buyer.userId} ${n}`;
  if (!keys.has(order)) keys.set(order, randomUUID());
  return keys.get(order) as string;
}

const buy = (buyer: HttpClient, sampleId: string, key: string) =>
  buyer.post('/api/downloads', { sampleId, expectedCredits: 1 }, { headers: { 'idempotency-key': key } });

async function signedUp(child: ChildProduct): Promise<HttpClient> {
  const buyer = child.browser();
  const answer = await buyer.post('/api/auth/sign-up', {
    email: `${randomUUID()}@example.com`,
    password: 'a fine pass phrase',
  });
  buyer.userId = answer.body.user.id;
  return buyer;
}

/** Fills the running product's own database and folder. */
async function prepare(child: ChildProduct, buyers: HttpClient[]): Promise<void> {
  const database = new Database(databaseUrl(child));
  try {
    const ids = await stock(database, SAMPLES);
    const { executor } = executorOn(database);
    for (const buyer of buyers) {
      await executor.grantPromotion(
        { userId: buyer.userId, grantId: buyer.userId, credits: SAMPLES, grantedAt: new Date() },
        { correlationId: 'test' },
      );
    }
    const creator = await signedUp(child);
    // Any object serves as the file; it only has to exist.
    const put = await putOriginal(child, creator);
    await database.pool.query(`update sample set original_key = $1 where sample_id = any($2)`, [put, ids]);
  } finally {
    await database.close();
  }
}

/** Uploads one real file through the product. @returns its key */
async function putOriginal(child: ChildProduct, creator: HttpClient): Promise<string> {
  await creator.post('/api/creator/application', {});
  const pack = await creator.post('/api/creator/packs', { name: 'Kill', genre: 'Soul', mood: 'Chill' });
  const form = new FormData();
  form.append('meta', JSON.stringify({ name: 'Tone', bpm: 90 }));
  form.append(
    'audio',
    new Blob([new Uint8Array(wavOf({ seconds: 1, hertz: 440 }))], { type: 'audio/wav' }),
    'tone.wav',
  );
  const added = await creator.post(`/api/creator/packs/${pack.body.id}/samples`, undefined, { raw: form });
  if (added.status !== 201) throw new Error(`upload: ${added.status} ${JSON.stringify(added.body)}`);
  const database = new pg.Client({ connectionString: databaseUrl(child) });
  await database.connect();
  const found = await database.query(`select original_key from sample where sample_id = $1`, [
    added.body.sample.id,
  ]);
  await database.end();
  return found.rows[0].original_key;
}

function databaseUrl(child: ChildProduct): string {
  const folder = join(child.dataDir, 'postgres');
  const port = readFileSync(join(folder, 'cluster/postmaster.pid'), 'utf8').split('\n')[3];
  return `postgres://offcut:${readFileSync(join(folder, 'password'), 'utf8').trim()}@127.0.0.1:${port}/offcut`;
}

async function ready(child: ChildProduct): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt += 1) {
    const answer = await child
      .browser()
      .get('/readyz')
      .catch(() => undefined);
    if (answer?.status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`not ready again:\n${child.log()}`);
}

async function check(
  child: ChildProduct,
  buyers: HttpClient[],
  answered: Map<string, string>,
): Promise<void> {
  const database = new Database(databaseUrl(child));
  try {
    const store = new PostgresEventStore(database, new SystemClock());
    const sold = (await store.readAll({ after: 0, limit: 100_000, types: ['SamplePurchased'] })).map(
      (event) => `${event.data.buyerId} ${event.data.sampleId}`,
    );
    expect(new Set(sold).size).toBe(sold.length);
    const inLog = new Set(sold);
    expect([...answered.values()].filter((order) => !inLog.has(order))).toEqual([]);
    for (const buyer of buyers) {
      const bought = sold.filter((order) => order.startsWith(buyer.userId)).length;
      expect((await buyer.get('/api/credits')).body.balance).toBe(SAMPLES - bought);
    }
    // A key whose answer was lost repeats that answer and charges nothing more.
    const [key, order] = [...answered][0] as [string, string];
    const buyer = buyers.find(({ userId }) => order.startsWith(userId)) as HttpClient;
    const again = await buy(buyer, order.split(' ')[1] as string, key);
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
    await expectBooksToHold(database);
  } finally {
    await database.close();
  }
}
