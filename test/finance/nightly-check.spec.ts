import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { PostgresBookChecks } from '../../adapters/ledger/postgres-book-checks.js';
import { NightlyCheck } from '../../application/ledger/nightly-check.js';
import { Reconcile } from '../../application/ledger/reconcile.js';
import { booksOn, paidInvoice } from '../support/books.js';
import { startTestDatabase, type TestDatabase } from '../support/postgres.js';

describe('the check of the books each night', () => {
  let test: TestDatabase;
  let on: ReturnType<typeof booksOn>;
  let checks: PostgresBookChecks;
  let now: string;
  let runs = 0;
  const clock = { now: () => new Date(now) };

  const nightly = (reconcile: Pick<Reconcile, 'run'> = on.reconcile) => {
    const counted = {
      run: (...given: Parameters<Reconcile['run']>) => {
        runs += 1;
        return reconcile.run(...given);
      },
    };
    return new NightlyCheck(counted as Reconcile, checks, on.eventStore, clock);
  };

  beforeAll(async () => {
    test = await startTestDatabase();
    on = booksOn(test);
    checks = new PostgresBookChecks(test.database);
  });
  afterAll(() => test.close());
  beforeEach(async () => {
    await test.database.pool.query('delete from book_check');
    runs = 0;
  });

  it('waits for a log that has events', async () => {
    now = '2026-11-20T04:00:00Z';
    expect(await nightly().run()).toBeUndefined();
    expect(await checks.list(9)).toEqual([]);
    await on.executor.grantInvoice(paidInvoice('ada'), { correlationId: 'c' });
    await on.post();
  });

  it('[FIN-22] runs once a night, by whichever worker comes first', async () => {
    now = '2026-11-20T04:00:00Z';
    const found = await Promise.all([nightly().run(), nightly().run(), nightly().run()]);
    expect(found.filter(Boolean)).toMatchObject([{ night: '2026-11-20', holds: true, broken: [] }]);
    now = '2026-11-21T02:59:00Z';
    expect(await nightly().run()).toBeUndefined();
    now = '2026-11-21T03:00:00Z';
    expect(await nightly().run()).toMatchObject({ night: '2026-11-21' });
    expect(runs).toBe(2);
    expect((await checks.list(9)).map(({ night }) => night)).toEqual(['2026-11-21', '2026-11-20']);
  });

  it('[FIN-22] keeps which rules were broken', async () => {
    const { pool } = test.database;
    await pool.query('update credit_account set balance = balance + 1');
    expect(await nightly().run()).toMatchObject({ holds: false });
    await pool.query('update credit_account set balance = balance - 1');
    const [kept] = await checks.list(1);
    expect(kept?.broken.map(({ number }) => number)).toContain(3);
    expect(kept?.broken[0]).toMatchObject({ detail: expect.stringContaining('ada') });
  });

  it('[FIN-22] tries a night again that failed at once, and one whose worker died after an hour', async () => {
    const failing = nightly({ run: () => Promise.reject(new Error('the database went away')) });
    await expect(failing.run()).rejects.toThrow('went away');
    let die: () => void = () => {};
    const dying = nightly({ run: () => new Promise((_, reject) => (die = () => reject(new Error('late')))) });
    const dead = dying.run();
    await new Promise((resolve) => setTimeout(resolve, 200));
    now = '2026-11-21T03:30:00Z';
    expect(await nightly().run()).toBeUndefined();
    now = '2026-11-21T04:30:00Z';
    expect(await nightly().run()).toMatchObject({ holds: true });
    die();
    await expect(dead).rejects.toThrow('late');
    expect(await checks.list(9)).toHaveLength(1);
  });
});
