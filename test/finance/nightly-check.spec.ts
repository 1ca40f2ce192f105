import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { PostgresAlerts } from '../../adapters/ledger/postgres-alerts.js';
import { PostgresBookChecks } from '../../adapters/ledger/proof/postgres-book-proofs.js';
import { PublicAddress } from '../../adapters/platform/pages/public-address.js';
import { PostgresSecrets } from '../../adapters/platform/database/postgres-secrets.js';
import { PostgresNotices } from '../../adapters/mail/postgres-notices.js';
import { PostgresReceiptBook } from '../../adapters/mail/postgres-mails.js';
import { PostgresEventStore } from '../../adapters/platform/event-log/postgres-event-store.js';
import { PROJECTIONS } from '../../bootstrap/projections.js';
import type { SentMails } from '../../application/mail/sent-mails.js';
import type { AccountSettings } from '../../application/accounts/account-settings.js';
import type { AccountStore } from '../../application/accounts/account-store.js';
import type { StaffQueries } from '../../application/accounts/staff/staff-queries.js';
import { DecideAlertHandler } from '../../application/alerts/decide-alert.js';
import { NightlyCheck } from '../../application/ledger/nightly-check.js';
import { Reconcile } from '../../application/ledger/reconcile.js';
import { RuleMails } from '../../application/ledger/rule-mails.js';
import { FactMails } from '../../application/mail/fact-mails.js';
import type { Mail } from '../../application/mail/mailer.js';
import { SystemClock } from '../../application/shared/clock.js';
import { Streams } from '../../application/shared/streams.js';
import { busTo } from '../support/command-bus.js';
import { booksOn, paidInvoice } from '../support/books.js';
import { startTestDatabase, type TestDatabase } from '../support/postgres.js';
import { until } from '../support/until.js';

describe('the check of the books each night', () => {
  let test: TestDatabase;
  let on: ReturnType<typeof booksOn>;
  let checks: PostgresBookChecks;
  let now: string;
  let runs = 0;
  const clock = { now: () => new Date(now) };
  let mails: (Mail & { night: string })[];
  let mailServer: 'takes all' | 'is away';

  /** Also maintains the table of alerts. */
  const log = () => new PostgresEventStore(test.database, clock, PROJECTIONS.appendedInline);
  const news = () => {
    const accounts = {
      findById: async (userId: string) => ({ email: `${userId}@offcut.test`, displayName: userId }),
    } as unknown as AccountStore;
    const mailer = {
      deliver: async (mail: Mail) => {
        if (mailServer === 'is away') throw new Error('the mail server is away');
        mails.push({ ...mail, night: now.slice(0, 10) });
      },
    };
    const staff = {
      members: async () => [
        { userId: 'petra', role: 'finance' },
        { userId: 'adam', role: 'admin' },
        { userId: 'paul', role: 'finance' },
      ],
    } as unknown as StaffQueries;
    return new RuleMails(
      new PostgresAlerts(test.database),
      busTo(new DecideAlertHandler(new Streams(log()), clock)),
      staff,
      new FactMails(
        new PostgresReceiptBook(test.database),
        accounts,
        mailer,
        new PostgresNotices(test.database, new PublicAddress('https://offcut.test', undefined)),
        new SystemClock(),
        new PostgresSecrets(test.database),
        // The mails of a check are about no event.
        undefined as unknown as SentMails,
      ),
      { publicUrl: 'https://offcut.test' } as AccountSettings,
    );
  };

  const nightly = (reconcile: Pick<Reconcile, 'run'> = on.reconcile) => {
    const counted = {
      run: (...given: Parameters<Reconcile['run']>) => {
        runs += 1;
        return reconcile.run(...given);
      },
    };
    return new NightlyCheck(counted as Reconcile, checks, on.eventStore, clock, news());
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
    mails = [];
    mailServer = 'takes all';
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
    let die: (() => void) | undefined;
    const dying = nightly({ run: () => new Promise((_, reject) => (die = () => reject(new Error('late')))) });
    const dead = dying.run();
    await until(() => die !== undefined);
    now = '2026-11-21T03:30:00Z';
    expect(await nightly().run()).toBeUndefined();
    now = '2026-11-21T04:30:00Z';
    expect(await nightly().run()).toMatchObject({ holds: true });
    die?.();
    await expect(dead).rejects.toThrow('late');
    expect(await checks.list(9)).toHaveLength(1);
  });

  it('[OPS-260] ends where it is cancelled, and the night is checked again', async () => {
    now = '2026-11-20T04:00:00Z';
    const cancel = new AbortController();
    const running = nightly().run(cancel.signal);
    cancel.abort(new Error('the job was cancelled'));
    await expect(running).rejects.toThrow('the job was cancelled');
    expect(await nightly().run()).toMatchObject({ night: '2026-11-20' });
  });

  it('[FIN-91] raises an alert for each broken rule and mails finance each night, until it holds again', async () => {
    const { pool } = test.database;
    const lasting = () => new PostgresAlerts(test.database).lasting('rule-broken');
    const during = async (time: string) => {
      now = time;
      mails = [];
      await nightly().run();
      await nightly().run();
      return mails.map(({ to, subject }) => [to, subject]);
    };
    expect(await during('2026-11-22T03:00:00Z')).toEqual([]);
    await pool.query('update credit_account set balance = balance + 1');
    const both = (subject: string) => [
      ['petra@offcut.test', subject],
      ['paul@offcut.test', subject],
    ];
    expect(await during('2026-11-23T03:00:00Z')).toEqual(both('The books: 2 rules do not hold'));
    expect(mails[0]?.text).toMatch(/Broken since this night:\n3 A wallet is .*ada.*\n18 Read models/);
    expect(mails[0]?.text).not.toContain('Still');
    expect(await lasting()).toEqual(['rule-3', 'rule-18']);
    const head = (await on.eventStore.head()).position;
    expect(await during('2026-11-24T03:00:00Z')).toHaveLength(2);
    expect(mails[0]?.text).toContain('Still broken:\n3 ');
    expect((await on.eventStore.head()).position).toBe(head);
    await pool.query('update credit_account set balance = balance - 1');
    expect(await during('2026-11-25T03:00:00Z')).toEqual(both('The books: every rule holds again'));
    expect(mails[0]?.text).toContain('Holds again:\n3 A wallet is');
    expect(await lasting()).toEqual([]);
    expect(await during('2026-11-26T03:00:00Z')).toEqual([]);
  });

  it('[FIN-91] tells it after all where mails were not taken, without a second check', async () => {
    await test.database.pool.query('update credit_account set balance = balance + 1');
    now = '2026-11-27T03:00:00Z';
    mailServer = 'is away';
    await expect(nightly().run()).rejects.toThrow('mail server is away');
    expect((await checks.list(9)).map(({ holds }) => holds)).toEqual([false]);
    mailServer = 'takes all';
    expect(await nightly().run()).toBeUndefined();
    expect(mails.map(({ to }) => to)).toEqual(['petra@offcut.test', 'paul@offcut.test']);
    expect(runs).toBe(1);
    await test.database.pool.query('update credit_account set balance = balance - 1');
  });
});
