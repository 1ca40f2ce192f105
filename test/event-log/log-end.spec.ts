import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Database } from '../../adapters/platform/database/database.js';
import { PostgresEventStore } from '../../adapters/platform/event-log/postgres-event-store.js';
import { verifyChain } from '../../application/operations/verify-chain.js';
import { SystemClock } from '../../application/shared/clock.js';
import { startTestDatabase, type TestDatabase } from '../support/postgres.js';

const METADATA = { actor: 'test', correlationId: 'c' };

describe('the end of the log', () => {
  let test: TestDatabase;
  let store: PostgresEventStore;
  let stream = 0;

  beforeAll(async () => {
    test = await startTestDatabase();
    store = new PostgresEventStore(test.database, new SystemClock());
  });
  afterAll(() => test.close());

  const append = async (count: number): Promise<void> => {
    for (let n = 0; n < count; n += 1) {
      const events = [{ type: 'Noted', data: { n } }];
      await store.append([{ stream: `s-${(stream += 1)}`, expectedVersion: 0, events }], METADATA);
    }
  };
  /** Returns the pages that an append reads to find the end of the log. */
  const pagesToTheEnd = async (): Promise<number> => {
    const { rows } = await test.database.pool.query(
      `explain (analyze, buffers, format json) select position, hash from log_end order by position desc limit 1`,
    );
    const { Plan } = (
      rows[0] as {
        'QUERY PLAN': { Plan: { 'Shared Hit Blocks': number; 'Shared Read Blocks': number } }[];
      }
    )['QUERY PLAN'][0] as { Plan: { 'Shared Hit Blocks': number; 'Shared Read Blocks': number } };
    return Plan['Shared Hit Blocks'] + Plan['Shared Read Blocks'];
  };

  it('[OPS-31] is as near after many appends while another transaction is open', async () => {
    const other = await test.database.pool.connect();
    await other.query('begin isolation level repeatable read');
    await other.query('select count(*) from event');
    await append(50);
    const before = await pagesToTheEnd();
    await append(700);
    expect(await pagesToTheEnd()).toBeLessThanOrEqual(before + 2);
    await other.query('commit');
    other.release();
  });

  it('[OPS-31] is shared with processes of the version before: positions stay gap-free', async () => {
    /** Appends as the former version did. */
    const appendAsBefore = async (name: string): Promise<void> => {
      await test.database.transaction(async (client) => {
        const held = await client.query(
          `select position, encode(hash, 'hex') as hash from log_head for update`,
        );
        const { position } = held.rows[0] as { position: number };
        await client.query(
          `insert into event (position, stream, version, type, data, metadata, recorded_at, hash)
           values ($1, $2, 1, 'Noted', '{}', '{}', now(), sha256(convert_to($2, 'UTF8')))`,
          [position + 1, name],
        );
        await client.query(
          `update log_head set position = $1, hash = (select hash from event where position = $1)`,
          [position + 1],
        );
      });
    };
    const { position } = await store.head();
    await Promise.all([
      ...Array.from({ length: 40 }, (_, n) => appendAsBefore(`before-${n}`)),
      ...Array.from({ length: 4 }, () => append(10)),
    ]);
    const { rows } = await test.database.pool.query(
      `select count(*)::int as events, max(position) - min(position) + 1 as positions from event where position > $1`,
      [position],
    );
    expect(rows).toEqual([{ events: 80, positions: 80 }]);
    expect((await store.head()).position).toBe(position + 80);
    // The statements with which the former version reads the log's end, in its purchases too.
    const asked = await test.database.pool.query('select position from log_head');
    expect(asked.rows).toEqual([{ position: position + 80 }]);
    const moved = `with moved as (update log_head set position = $1 where position = $2 returning position) select count(*)::int as rows from moved`;
    const stale = await test.database.pool.query(moved, [position + 99, position + 79]);
    expect(stale.rows).toEqual([{ rows: 0 }]);
  });

  it('[OPS-31] forgets its former places, and goes on from the newest', async () => {
    const { position } = await store.head();
    await test.database.pool.query(
      `insert into log_end (position, hash) select -n, sha256('') from generate_series(200000, 200100) n`,
    );
    await store.forgetFormerEnds();
    const { rows } = await test.database.pool.query(
      `select count(*) filter (where position < 0)::int as former, max(position) as newest from log_end`,
    );
    expect(rows).toEqual([{ former: 0, newest: position }]);
    await append(1);
    expect((await store.head()).position).toBe(position + 1);
  });

  it('[OPS-37] is reached over connections that compile nothing and wait no longer than they are told', async () => {
    const limits = {
      connectMs: 20_000,
      statementMs: 1_000,
      lockMs: 200,
      idleTransactionMs: 900,
      keepAliveMs: 1_500,
    };
    const near = new Database(test.url, { limits, longLimits: { ...limits, statementMs: 7_000 } });
    const told = [];
    for (const pool of [near.pool, near.pipelines, near.long]) {
      const { rows } = await pool.query(
        `select current_setting('jit') as jit, current_setting('statement_timeout') as statement,
                current_setting('lock_timeout') as lock, current_setting('idle_in_transaction_session_timeout') as idle,
                current_setting('tcp_keepalives_idle') as "keepAlive"`,
      );
      told.push(rows[0]);
    }
    const wanted = { jit: 'off', statement: '1s', lock: '200ms', idle: '900ms', keepAlive: '2' };
    expect(told).toEqual([wanted, wanted, { ...wanted, statement: '7s' }]);
    await expect(near.pool.query('select pg_sleep(60)')).rejects.toMatchObject({ code: '57014' });
    await near.close();
  });

  it('[FIN-19] is a witness: a log without its last events is found', async () => {
    await test.database.pool.query(
      'alter table event disable trigger user; delete from event where position = (select max(position) from event); alter table event enable trigger user',
    );
    expect(await verifyChain(store)).toMatchObject({ verified: false });
  });
});
