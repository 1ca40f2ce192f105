import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Registry } from 'prom-client';
import { registerFinanceMetrics } from '../../adapters/ledger/finance-metrics.js';
import { Database } from '../../adapters/platform/database/database.js';
import { PostgresEventStore } from '../../adapters/platform/event-log/postgres-event-store.js';
import { PROJECTIONS } from '../../bootstrap/projections.js';
import { Clock } from '../../application/shared/clock.js';
import { booksOn } from '../support/books.js';
import { breaksBooks } from '../support/invariants.js';
import { startTestDatabase, type TestDatabase } from '../support/postgres.js';

class Calendar extends Clock {
  declare readonly movable: false;
  private seconds = 0;
  override now(): Date {
    return new Date(Date.UTC(2026, 10, 20, 12) + this.seconds * 1_000);
  }
  moveTo(seconds: number): void {
    this.seconds = seconds;
  }
}

let test: TestDatabase;
const clock = new Calendar();
let head: string | undefined;
let asked = 0;
const registry = new Registry();

const newest = async () => {
  asked += 1;
  return head === undefined ? null : { hour: '', signedAt: head, position: 1 };
};

/** Returns the finance metrics by name, without the prefix `finance_`. */
async function told(of = registry): Promise<Record<string, number>> {
  const lines = (await of.metrics()).split('\n').filter((line) => line.startsWith('finance_'));
  return Object.fromEntries(
    lines.map((line) => [
      line.slice('finance_'.length, line.lastIndexOf(' ')),
      Number(line.split(' ').at(-1)),
    ]),
  );
}

beforeAll(async () => {
  test = await startTestDatabase();
  breaksBooks(test.database, 'money moves without a provider', [14, 15]);
  registerFinanceMetrics({ registry }, { database: test.database, clock, wallClock: clock }, { newest });
});
afterAll(() => test.close());

it('[FIN-90] monitoring learns of rules, alerts, suspense, heads, the difference to Stripe and of unhandled reports', async () => {
  expect(await told()).toEqual({
    alerts_open: 0,
    suspense_micro_usd: 0,
    suspense_oldest_seconds: 0,
    webhooks_unhandled_oldest_seconds: 0,
  });
  const log = new PostgresEventStore(test.database, clock, PROJECTIONS.appendedInline);
  const cause = { actor: 'system:payments', correlationId: 'c' };
  for (const [n, amountMicroUsd] of [5_000_000, -5_000_000].entries()) {
    const transactionId = `txn_${n}`;
    const held = { transactionId, item: transactionId, amountMicroUsd, feeMicroUsd: 0, reason: 'a top-up' };
    const data = { ...held, at: clock.now().toISOString() };
    await log.append(
      [
        {
          stream: `balance-transaction-${transactionId}`,
          expectedVersion: 0,
          events: [{ type: 'MovementHeldInSuspense', data }],
        },
      ],
      cause,
    );
    clock.moveTo(60 * (n + 1));
  }
  const data = { key: 'a', kind: 'suspense', text: 'Look.', at: clock.now().toISOString() };
  const raised = { stream: 'alert-a', expectedVersion: 0, events: [{ type: 'AlertRaised', data }] };
  await log.append([raised], cause);
  await booksOn(test, undefined, clock).post();
  const { pool } = test.database;
  await pool.query(
    `insert into book_check (night, started_at, checked_at, position, broken)
     values ('2026-11-20', now(), now(), 2, '[{"number": 15, "name": "", "detail": ""}]')`,
  );
  await pool.query(
    `insert into stripe_webhook (event_id, type, object_id, created_at, received_at) values ('evt_1', 't', 'o', $1, $1)`,
    [clock.now()],
  );
  await pool.query(
    `insert into balance_sweep (complete_until, provider_micro_usd, compared_position, compared_at) values ($1, -70000, 2, $1)`,
    [clock.now()],
  );
  await pool.query(
    `insert into book_proof (part, position, hash, began_at, finished_at, faults)
     select part, 0, '', $1::timestamptz, case when part <> 'rules' then $1::timestamptz - ago * interval '1 second' end, '[]'
       from (values ('log', 60), ('rules', 0), ('read model journal', 10), ('read model earnings', 30), ('new events', 5)) as t(part, ago)`,
    [clock.now()],
  );
  head = clock.now().toISOString();
  clock.moveTo(14);
  expect(await told()).toMatchObject({ alerts_open: 0 });
  expect(asked).toBe(1);
  clock.moveTo(134);
  const rules = Array.from({ length: 25 }, (_, at) => [
    `rule_broken{rule="${at + 1}"}`,
    at + 1 === 15 ? 1 : 0,
  ]);
  expect(await told()).toEqual({
    alerts_open: 1,
    head_age_seconds: 14,
    stripe_difference_micro_usd: -70_000,
    suspense_micro_usd: 10_000_000,
    suspense_oldest_seconds: 134,
    webhooks_unhandled_oldest_seconds: 14,
    'whole_proof_age_seconds{part="log"}': 74,
    'whole_proof_age_seconds{part="read models"}': 44,
    ...Object.fromEntries(rules),
  });
});

it('[FIN-90] without the database the rest is told', async () => {
  const away = new Database('postgres://nobody:nothing@127.0.0.1:1/none');
  const alone = new Registry();
  head = clock.now().toISOString();
  registerFinanceMetrics({ registry: alone }, { database: away, clock, wallClock: clock }, { newest });
  expect(await told(alone)).toEqual({ head_age_seconds: 0 });
  await away.close();
});
