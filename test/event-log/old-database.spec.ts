import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PROJECTIONS } from '../../bootstrap/projections.js';
import { Database } from '../../adapters/platform/database/database.js';
import { createDatabase } from '../../adapters/platform/database/embedded/embedded.js';
import { PostgresEventStore } from '../../adapters/platform/event-log/postgres-event-store.js';
import { migrate, migrator } from '../../adapters/platform/database/migrate.js';
import { Projector } from '../../adapters/platform/projections/projector.js';
import { PostgresIdempotentRequests } from '../../adapters/platform/http/postgres-idempotent-requests.js';
import { verifyChain } from '../../application/operations/verify-chain.js';
import { SystemClock } from '../../application/shared/clock.js';
import { GENESIS_HASH, nextHash } from '../../application/shared/proof/hash-chain.js';
import { migrations } from '../../migrations/index.js';
import { drafted, published, recorder, sampleAdded } from '../support/pack-events.js';
import { startTestDatabase, type TestDatabase } from '../support/postgres.js';

const LAST_BEFORE = '0019-late-facts';
const at = '2026-10-20T12:00:00.000Z';
const subject = { userId: 'eve', subscriptionId: 'sub_1', at };

/** A log of the former version, including shapes of events that are no longer written. */
function formerLog() {
  const record = recorder();
  return [
    ...record('creator-ada', { type: 'CreatorApplied', data: { userId: 'ada', at } }),
    ...record('creator-ada', { type: 'CreatorApproved', data: { userId: 'ada', by: 'root', at } }),
    ...record('pack-p1', drafted(), sampleAdded(), published(), {
      type: 'PackUnpublished',
      data: { packId: 'p1', at },
    }),
    // In that version, publishing again set a new date.
    ...record('pack-p1', published('p1', '2026-11-21T12:00:00.000Z')),
    ...record('subscription-eve', {
      type: 'SubscriptionStarted',
      data: {
        ...subject,
        plan: 'starter',
        periodStart: at,
        periodEnd: '2026-11-20T12:00:00.000Z',
        invoiceId: 'in_1',
      },
    }),
    ...record('adjustment-a1', {
      type: 'AdjustmentRequested',
      data: {
        adjustmentId: 'a1',
        userId: 'eve',
        credits: 900,
        valueMicroUsd: 5,
        explanation: 'x',
        by: 'root',
        at,
      },
    }),
    ...record('noted-1', { type: 'Noted', data: { text: 'a NUL \0 and half a \ud800' } }),
  ];
}

const ROWS = [
  `insert into user_account (user_id, email, display_name, password_hash, roles, created_at) values
     ('ada', 'ada@example.com', 'ada', 'x', '{}', now()), ('eve', 'eve.b@example.com', 'eve.b', 'x', '{}', now()),
     ('root', 'root@example.com', 'Root', 'x', '{admin}', now())`,
  `insert into user_account (user_id, display_name, created_at, erased_at) values ('gone', 'Deleted user', now(), now())`,
  `insert into creator_profile (user_id, handle, updated_at) values ('ada', 'ada', now())`,
  `insert into creator_folder values ('ada', 'ada')`,
  `insert into session (session_id, user_id, created_at) values ('s1', 'eve', '2026-10-01T00:00:00Z')`,
  `insert into mail_token (token_hash, purpose, user_id, email, created_at, expires_at) values ('t1', 'verify-email', 'eve', 'eve.b@example.com', now(), now())`,
  `insert into idempotent_request (user_id, key, route, request_hash, started_at) values ('eve', 'k1', 'POST /x', 'h', now() - interval '5 minutes')`,
  `insert into stripe_invoice (invoice_id, user_id, paid_at, settled_at) values ('in_1', 'eve', now(), now())`,
  `insert into subscription (user_id, subscription_id, plan, status, current_period_end, version) values ('eve', 'sub_1', 'starter', 'active', now(), 1)`,
  `insert into balance_sweep (complete_until) values (now())`,
  `insert into receipt (fact, begun_at) values ('invoice in_1', now())`,
];

describe('a database of the version before', () => {
  let test: TestDatabase;
  let database: Database;
  beforeAll(async () => {
    test = await startTestDatabase();
    const url = new URL(test.url);
    const name = `${url.pathname.slice(1)}_old`;
    await createDatabase(url.href, name);
    url.pathname = `/${name}`;
    database = new Database(url.href);
  }, 60_000);
  afterAll(async () => {
    await database?.close();
    await test?.close();
  });

  it('[OPS-38] is brought up to date with all that it holds, and its log gives every read model again', async () => {
    const former = Object.fromEntries(Object.entries(migrations).filter(([key]) => key <= LAST_BEFORE));
    expect((await migrator(database, former).migrateToLatest()).error).toBeUndefined();
    const { pool } = database;
    for (const row of ROWS) await pool.query(row);
    let head = GENESIS_HASH;
    const log = formerLog();
    for (const { position, stream, version, type, data, metadata, recordedAt } of log) {
      const texts = { data: JSON.stringify(data), metadata: JSON.stringify(metadata) };
      head = nextHash(head, { position, stream, version, type, recordedAt, ...texts });
      await pool.query(
        `insert into event (position, stream, version, type, data, metadata, recorded_at, hash) values ($1, $2, $3, $4, $5, $6, $7, decode($8, 'hex'))`,
        [position, stream, version, type, texts.data, texts.metadata, recordedAt, head],
      );
    }
    await pool.query(`update log_head set position = $1, hash = decode($2, 'hex')`, [log.length, head]);

    expect(await migrate(database)).toEqual(Object.keys(migrations).filter((key) => key > LAST_BEFORE));

    const store = new PostgresEventStore(database, new SystemClock(), PROJECTIONS.appendedInline);
    await store.append([{ stream: 'noted-2', expectedVersion: 0, events: [{ type: 'Noted', data: {} }] }], {
      actor: 'test',
      correlationId: 'c',
    });
    expect(await verifyChain(store)).toMatchObject({ verified: true });
    const projector = new Projector(database, store);
    for (const projection of PROJECTIONS.all) {
      await projector.rebuild(projection);
      for (const { table, rows } of await projector.drift(projection))
        expect([table, rows]).toEqual([table, 0]);
    }
    const one = async (sql: string) => (await pool.query(sql)).rows;
    expect(await one('select user_id, role from staff_role')).toEqual([{ user_id: 'root', role: 'admin' }]);
    expect(await one(`select status, change_kind from subscription`)).toEqual([
      { status: 'active', change_kind: null },
    ]);
    expect(await one(`select status from adjustment`)).toEqual([{ status: 'waiting' }]);
    expect(await one(`select user_id from user_account where display_name ~ '^Listener \\d{4}$'`)).toEqual([
      { user_id: 'eve' },
    ]);
    expect(await one(`select authenticated_at = created_at as same from session`)).toEqual([{ same: true }]);
    expect(await one(`select sells_plan from stripe_invoice`)).toEqual([{ sells_plan: true }]);
    expect(await one(`select data->>'text' as text from readable_event where stream = 'noted-1'`)).toEqual([
      { text: 'a NUL \ufffd and half a \ufffd' },
    ]);
    // A claim without an owner can be taken over like any other.
    const claim = { userId: 'eve', key: 'k1', route: 'POST /x', requestHash: 'h' };
    const requests = new PostgresIdempotentRequests(database);
    expect(await requests.claim(claim, new Date())).toMatchObject({ kind: 'first' });
  }, 60_000);
});
