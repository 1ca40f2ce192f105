import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { outageOf } from '../../adapters/platform/http/problem.filter.js';
import { PostgresEventStore } from '../../adapters/platform/event-log/postgres-event-store.js';
import { InlineVersions } from '../../adapters/platform/projections/inline-versions.js';
import type { InlineProjection } from '../../adapters/platform/projections/projection.js';
import { Projector } from '../../adapters/platform/projections/projector.js';
import { credits } from '../../adapters/credits/credits.js';
import { ownedSamples } from '../../adapters/purchases/owned-samples.js';
import { SystemClock } from '../../application/shared/clock.js';
import type { AnyEvent } from '../../application/shared/event-store.js';
import { isOutage } from '../../adapters/platform/database/lost-connection.js';
import { startTestDatabase, type TestDatabase } from '../support/postgres.js';
import { executorOn, grantPromotional, purchaseOf, stock } from '../support/stock.js';

const METADATA = { actor: 'test', correlationId: 'c' };

describe('[OPS-108] read models that are written with the events', () => {
  let test: TestDatabase;
  let streams = 0;
  let applied = 0;

  /** Each version writes its number. */
  const tallies = (version: number): InlineProjection<AnyEvent> => ({
    name: 'tallies',
    version,
    lifecycle: 'inline',
    types: ['Tallied'],
    tables: ['tally'],
    async apply(client, events) {
      applied += events.length;
      for (const { position } of events)
        await client.query('insert into tally values ($1, $2)', [position, version]);
    },
  });
  /** Creates a node of that version. */
  const node = (version: number) => {
    const projections = [tallies(version)];
    const store = new PostgresEventStore(test.database, new SystemClock(), projections);
    const versions = new InlineVersions(test.database, projections);
    return {
      starts: () => versions.bringUpToDate(new Projector(test.database, store)),
      isOutdated: () => versions.areOutdated(),
      tally: async () => {
        const stream = `tally-${(streams += 1)}`;
        await store.append(
          [{ stream, expectedVersion: 0, events: [{ type: 'Tallied', data: {} }] }],
          METADATA,
        );
      },
    };
  };
  const sql = async (text: string) => (await test.database.pool.query(text)).rows;
  const tallied = async () =>
    (await sql('select version from tally order by position')).map(({ version }) => version);
  const head = async () => (await sql('select max(position) as position from log_end'))[0].position;
  const setVersion = (name: string, version: number) =>
    test.database.pool.query(
      `insert into checkpoint (name, version, position, types) values ($1, $2, 0, '{}')
         on conflict (name) do update set version = excluded.version`,
      [name, version],
    );

  beforeAll(async () => {
    test = await startTestDatabase();
    await sql('create table tally (position bigint primary key, version int not null)');
  });
  afterAll(() => test.close());

  it('are made anew once when nodes of a newer version start; the older ones then append nothing', async () => {
    const [older, newer, other] = [node(1), node(2), node(2)];
    await older.starts();
    await older.tally();
    await older.tally();
    expect(await older.isOutdated()).toBe(false);
    applied = 0;
    await Promise.all([newer.starts(), other.starts()]);
    expect([applied, await tallied()]).toEqual([2, [2, 2]]);
    expect([await older.isOutdated(), await newer.isOutdated()]).toEqual([true, false]);
    const before = await head();
    const refused = await older.tally().catch((error: Error) => error);
    expect(outageOf(refused)).toMatchObject({ code: 'ServiceUnavailable' });
    // For a reactor this is an outage: it waits for a newer node and parks no event.
    expect(isOutage(refused)).toBe(true);
    expect(await head()).toBe(before);
    await newer.tally();
    // An older node that starts does not change them.
    await older.starts();
    expect(await tallied()).toEqual([2, 2, 2]);
  });

  it.each([credits, ownedSamples])(
    'are not written by purchases of an older version: $name',
    async ({ name, version }) => {
      const { executor } = executorOn(test.database);
      const samples = await stock(test.database, 5, { prefix: name });
      const buyers = [`${name}-ada`, `${name}-eve`];
      for (const buyer of buyers) await grantPromotional(executor, buyer, 9);
      const buy = (buyer: string, n: number) => executor.buy(purchaseOf(buyer, [samples[n] as string]));
      const bought = async () =>
        (await sql(`select count(*)::int as bought from owned_sample where buyer_id like '${name}%'`))[0]
          .bought;
      await setVersion(name, version + 1);
      const before = await head();
      // Covers single purchases and batches.
      const refused = [
        ...(await Promise.allSettled([buy(buyers[0] as string, 0)])),
        ...(await Promise.allSettled(buyers.map((buyer) => buy(buyer, 1)))),
      ];
      expect(refused.map((answer) => answer.status === 'rejected' && outageOf(answer.reason)?.code)).toEqual(
        Array(3).fill('ServiceUnavailable'),
      );
      expect([await head(), await bought()]).toEqual([before, 0]);
      await setVersion(name, version);
      for (const buyer of buyers) expect((await buy(buyer, 1)).outcome.status).toBe('bought');
      expect(await bought()).toBe(2);
    },
  );

  it('are made anew while purchases go on', async () => {
    const { executor, eventStore } = executorOn(test.database);
    const samples = await stock(test.database, 200, { prefix: 'meanwhile' });
    const buyers = ['ida', 'joe', 'kim'];
    for (const buyer of buyers) await grantPromotional(executor, buyer, 900);
    const projector = new Projector(test.database, eventStore);
    let done = false;
    const buying = buyers.map(async (buyer) => {
      for (let n = 0; n < samples.length && !done; n += 1)
        expect((await executor.buy(purchaseOf(buyer, [samples[n] as string]))).outcome.status).toBe('bought');
    });
    await projector.rebuild(credits);
    await projector.rebuild(ownedSamples);
    done = true;
    await Promise.all(buying);
    const drift = [...(await projector.drift(credits)), ...(await projector.drift(ownedSamples))];
    expect(drift.filter(({ rows }) => rows > 0)).toEqual([]);
  });
});
