import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SampleQueries } from '../../adapters/catalogue/sample-queries.js';
import { catalogueSearch } from '../../adapters/catalogue/search/catalogue-search.js';
import { IndexSubscription } from '../../adapters/catalogue/search/index-subscription.js';
import { PostgresEventStore } from '../../adapters/platform/event-log/postgres-event-store.js';
import { Projector } from '../../adapters/platform/projections/projector.js';
import { SamplesQuery } from '../../application/catalogue/contract.js';
import { SystemClock } from '../../application/shared/clock.js';
import { PROJECTIONS } from '../../bootstrap/projections.js';
import { recordPack } from '../support/catalogue.js';
import { startTestDatabase, type TestDatabase } from '../support/postgres.js';
import {
  DEMO_CREATORS,
  faultOf,
  heardSample,
  PUBLISHED_PACKS,
  QUESTIONS,
  type HeardSample,
} from '../support/relevance-questions.js';

const LEAST_SHARE = 0.95;
const attachment = { filename: 'a', path: 'a', sha256: 'c', sizeBytes: 3, contentType: 'application/zip' };

let test: TestDatabase;
let subscription: IndexSubscription;
let reader: SampleQueries;
const heard = new Map<string, HeardSample>();

beforeAll(async () => {
  test = await startTestDatabase();
  const eventStore = new PostgresEventStore(test.database, new SystemClock(), PROJECTIONS.appendedInline);
  for (const { key, displayName } of DEMO_CREATORS) {
    await test.database.pool.query(
      `insert into user_account (user_id, email, display_name, created_at) values ($1, $1 || '@example.com', $2, now())`,
      [key, displayName],
    );
    await test.database.pool.query(
      `insert into creator_profile (user_id, handle, updated_at) values ($1, $1, now())`,
      [key],
    );
  }
  for (const [at, pack] of PUBLISHED_PACKS.entries()) {
    const packId = `pack-${String(at).padStart(2, '0')}`;
    const { name, genre, mood, creator: creatorId } = pack;
    const samples = pack.samples.map((sample) => heardSample(pack, sample));
    await recordPack(eventStore, { packId, creatorId, name, genre, mood, slug: packId }, samples);
    const attached = samples.flatMap(({ hasMidi, hasStems }, n) => [
      ...(hasMidi ? [{ type: 'MidiAttached', n }] : []),
      ...(hasStems ? [{ type: 'StemsAttached', n }] : []),
    ]);
    const events = attached.map(({ type, n }) => ({
      type,
      data: { packId, at: '2026-11-20T12:00:00.000Z', sampleId: `${packId}-${n}`, ...attachment },
    }));
    if (events.length > 0)
      await eventStore.append([{ stream: `pack-${packId}`, expectedVersion: samples.length + 2, events }], {
        actor: 'test',
        correlationId: 'test',
      });
    for (const [n, sample] of samples.entries()) heard.set(`${packId}-${n}`, sample);
  }
  const projector = new Projector(test.database, eventStore);
  while ((await projector.advance(catalogueSearch)) !== 'caught-up');
  subscription = new IndexSubscription(test.database, console, 20_000);
  subscription.onApplicationBootstrap();
  await subscription.built();
  reader = new SampleQueries(test.database, subscription);
});
afterAll(async () => {
  await subscription?.onApplicationShutdown();
  await test?.close();
});

describe('[SRCH-703] [SRCH-704] what producers ask for', () => {
  it(`is found in at least ${LEAST_SHARE * 100} of 100 questions`, async () => {
    const catalogue = [...heard.values()];
    const faults: string[] = [];
    for (const question of QUESTIONS) {
      const { items, interpretation } = await reader.search(
        SamplesQuery.parse({ q: question[0] }),
        undefined,
      );
      const answer = {
        items: items.map(({ id }) => heard.get(id) as HeardSample),
        dropped: interpretation.dropped,
      };
      const fault = faultOf(question, answer, catalogue);
      if (fault) faults.push(`"${question[0]}": ${fault}`);
    }
    const share = 1 - faults.length / QUESTIONS.length;
    console.info(`${(share * 100).toFixed(1)} % of ${QUESTIONS.length} questions\n${faults.join('\n')}`);
    expect({ faults, isEnough: share >= LEAST_SHARE }).toMatchObject({ isEnough: true });
  });
});
