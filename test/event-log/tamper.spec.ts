import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { PostgresEventStore } from '../../adapters/platform/event-log/postgres-event-store.js';
import { verifyChain } from '../../application/operations/verify-chain.js';
import { SystemClock } from '../../application/shared/clock.js';
import { startTestDatabase, type TestDatabase } from '../support/postgres.js';

/** Changes that the database owner could make after disabling the trigger. */
describe('tampering with the log', () => {
  let test: TestDatabase;
  let store: PostgresEventStore;
  const sql = (text: string) => test.database.pool.query(text);

  beforeAll(async () => {
    test = await startTestDatabase();
    store = new PostgresEventStore(test.database, new SystemClock());
    await sql('alter table event disable trigger user');
  });
  afterAll(() => test.close());
  beforeEach(async () => {
    await sql('truncate event');
    await sql(`delete from log_end where position > 0`);
    for (let n = 1; n <= 9; n += 1) {
      const metadata = { actor: 'ada', correlationId: `c${n}` };
      await store.append(
        [{ stream: `s-${n}`, expectedVersion: 0, events: [{ type: 'Noted', data: { n } }] }],
        metadata,
      );
    }
  });

  it('leaves an honest log alone', async () => {
    expect(await verifyChain(store)).toMatchObject({ verified: true, position: 9 });
  });

  it.each([
    ['an edited amount', `update event set data = '{"n":50}' where position = 5`, 5, 'hash'],
    ['the same data in other bytes', `update event set data = '{"n": 5}' where position = 5`, 5, 'hash'],
    [
      'another actor',
      `update event set metadata = '{"actor":"eve","correlationId":"c5"}' where position = 5`,
      5,
      'hash',
    ],
    [
      'another time',
      `update event set recorded_at = recorded_at - interval '1 day' where position = 5`,
      5,
      'hash',
    ],
    ['another type', `update event set type = 'Noticed' where position = 5`, 5, 'hash'],
    ['a deleted event', `delete from event where position = 5`, 5, 'gap'],
    ['a deleted end', `delete from event where position = 9`, 9, 'gap'],
    [
      'two events swapped',
      `with swap as (select * from event where position in (5, 6))
       update event e set data = s.data, stream = s.stream || 'x' from swap s where e.position in (5, 6) and e.position = 11 - s.position`,
      5,
      'hash',
    ],
    [
      'an event appended behind the product’s back',
      `insert into event select 10, 's-10', 1, type, data, metadata, credit_delta, recorded_at, hash from event where position = 9;
       update log_end set position = 10 where position = 9`,
      10,
      'hash',
    ],
    [
      'another head',
      `update log_end set hash = decode(repeat('11', 32), 'hex') where position = 9`,
      9,
      'head',
    ],
  ])('[FIN-19] finds %s and names the place', async (_, statement, position, reason) => {
    await sql(statement);
    expect(await verifyChain(store)).toMatchObject({ verified: false, position, reason });
  });
});
