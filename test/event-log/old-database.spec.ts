import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PROJECTIONS } from '../../bootstrap/projections.js';
import { PostgresEventStore } from '../../adapters/platform/event-log/postgres-event-store.js';
import { Projector } from '../../adapters/platform/projections/projector.js';
import { verifyChain } from '../../application/operations/verify-chain.js';
import { SystemClock } from '../../application/shared/clock.js';
import { GENESIS_HASH, nextHash } from '../../application/shared/proof/hash-chain.js';
import { drafted, published, recorder, sampleAdded } from '../support/pack-events.js';
import { startTestDatabase, type TestDatabase } from '../support/postgres.js';

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

describe('a log of the version before', () => {
  let test: TestDatabase;
  beforeAll(async () => void (test = await startTestDatabase()), 60_000);
  afterAll(() => test?.close());

  it('[OPS-38] gives every read model, and its chain holds', async () => {
    const { database } = test;
    const { pool } = database;
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
    await pool.query(`insert into log_end (position, hash) values ($1, decode($2, 'hex'))`, [
      log.length,
      head,
    ]);

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
    expect(await one(`select status, change_kind from subscription`)).toEqual([
      { status: 'active', change_kind: null },
    ]);
    expect(await one(`select status, work->>'kind' as kind, reason, lapses_at from approval`)).toEqual([
      { status: 'waiting', kind: 'adjustment', reason: 'x', lapses_at: new Date('2026-10-27T12:00:00.000Z') },
    ]);
    expect(await one(`select data->>'text' as text from readable_event where stream = 'noted-1'`)).toEqual([
      { text: 'a NUL \ufffd and half a \ufffd' },
    ]);
  });
});
