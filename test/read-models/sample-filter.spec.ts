import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { filterConditions } from '../../adapters/catalogue/search/table-order.js';
import { ORIGINS } from '../../domain/shared/origin.js';
import { passesFilter, type FilterableTrack, type TrackFilter } from '../../domain/catalogue/filter.js';
import { KINDS } from '../../domain/shared/kind.js';
import { GENRES, INSTRUMENTS, KEYS, MOODS, SCALES } from '../../domain/catalogue/vocabulary.js';
import { startTestDatabase, type TestDatabase } from '../support/postgres.js';

let test: TestDatabase;
beforeAll(async () => {
  test = await startTestDatabase();
});
afterAll(async () => test?.close());

// Few words each, so that random choices match random tracks often.
const some = <Word>(words: readonly Word[]) => fc.constantFrom(...words.slice(0, 5));
const keys = fc.constantFrom(...KEYS.filter((key) => /^(C#|Db|D|A#|Bb) /.test(key)));
const tempo = fc.oneof(fc.constantFrom(0, 1, 90, 199, 200, 240), fc.integer({ min: 0, max: 260 }));

const track: fc.Arbitrary<FilterableTrack> = fc.record({
  bpm: tempo,
  key: fc.option(keys, { nil: null }),
  mood: some(MOODS),
  genre: some(GENRES),
  instruments: fc.uniqueArray(some(INSTRUMENTS), { maxLength: 4 }),
  durationMs: fc.integer({ min: 1, max: 20 }),
  kind: fc.constantFrom(...KINDS),
  hasMidi: fc.boolean(),
  hasStems: fc.boolean(),
  creditCost: fc.integer({ min: 1, max: 5 }),
  origin: fc.option(fc.constantFrom(...ORIGINS), { nil: null }),
});
const bound = fc.oneof(fc.constantFrom(0, 90, 200), fc.integer({ min: 0, max: 200 }));
const filter: fc.Arbitrary<TrackFilter> = fc
  .record(
    {
      mode: fc.constantFrom('search' as const, 'collection' as const),
      range: fc.tuple(bound, bound),
      moods: fc.uniqueArray(some(MOODS), { maxLength: 3 }),
      genres: fc.uniqueArray(some(GENRES), { maxLength: 3 }),
      instruments: fc.uniqueArray(some(INSTRUMENTS), { maxLength: 3 }),
      key: fc.oneof(keys, fc.constantFrom(...SCALES)),
      minMs: fc.integer({ min: 1, max: 20 }),
      maxMs: fc.integer({ min: 1, max: 20 }),
      kind: fc.constantFrom(...KINDS),
      hasMidi: fc.boolean(),
      hasStems: fc.boolean(),
      maxCredits: fc.integer({ min: 1, max: 5 }),
      origins: fc.uniqueArray(fc.constantFrom(...ORIGINS), { maxLength: 3 }),
      fits: fc.record({
        tempo: fc.double({ min: 40, max: 240, noNaN: true }),
        key: fc.option(keys, { nil: null }),
      }),
    },
    { requiredKeys: ['mode', 'range', 'moods', 'genres', 'instruments'] },
  )
  .map(({ range: [a, b], ...rest }) => ({ ...rest, bpmMin: Math.min(a, b), bpmMax: Math.max(a, b) }));

describe('[FLT-01] [FLT-03] [FLT-07] [FLT-08] the filter in SQL', () => {
  it('lets through exactly what the rule lets through', async () => {
    const tracks = fc.sample(track, { numRuns: 400, seed: 11 });
    await test.database.pool.query(
      `insert into catalogue_sample (sample_id, pack_id, creator_id, title_lower, text_lower, genre, mood, key, bpm,
                                     instruments, popularity, published_at, shuffle, duration_ms, kind, has_midi,
                                     has_stems, price_credits, origin)
       select n::text, 'p', 'c', '', '', t->>'genre', t->>'mood', t->>'key', (t->>'bpm')::int,
              array(select jsonb_array_elements_text(t->'instruments')), 0, now(), 0,
              (t->>'durationMs')::int, t->>'kind', (t->>'hasMidi')::boolean, (t->>'hasStems')::boolean,
              (t->>'creditCost')::int, t->>'origin'
         from jsonb_array_elements($1::jsonb) with ordinality as each(t, n)`,
      [JSON.stringify(tracks)],
    );
    await fc.assert(
      fc.asyncProperty(filter, async (chosen) => {
        const values: unknown[] = [];
        const conditions = filterConditions(chosen, values);
        const { rows } = await test.database.pool.query<{ sample_id: string }>(
          `select sample_id from catalogue_sample ${conditions.length > 0 ? `where ${conditions.join(' and ')}` : ''}`,
          values,
        );
        const found = rows.map((row) => Number(row.sample_id)).sort((a, b) => a - b);
        const expected = tracks.flatMap((each, index) => (passesFilter(each, chosen) ? [index + 1] : []));
        expect(found).toEqual(expected);
      }),
      { numRuns: 300, seed: 12 },
    );
  });
});
