import fc from 'fast-check';
import type { Database } from '../../adapters/platform/database/database.js';
import { SamplesQuery } from '../../application/catalogue/contract.js';
import { GENRES, INSTRUMENTS, KEYS, MOODS } from '../../domain/catalogue/vocabulary.js';

// Few choices each, so that random queries match random samples often.
const some = <Word>(words: readonly Word[]) => fc.constantFrom(...words.slice(0, 5));
const keys = fc.constantFrom(...KEYS.filter((key) => /^(C#|Db|D|A#|Bb) /.test(key)));
const tempo = fc.oneof(fc.constantFrom(0, 1, 90, 199, 200, 240), fc.integer({ min: 0, max: 260 }));
const several = <Item>(item: fc.Arbitrary<Item>) => fc.uniqueArray(item, { maxLength: 3 });

/** Words that contain each other, other alphabets, special characters of LIKE and JSON, and an empty word. */
const WORDS = [
  'drum',
  'Drums',
  'snare drum',
  'kick',
  'kick kick',
  'a',
  'b',
  'a b',
  'VELVET',
  'velvety',
  '808',
  'Trap',
  'piano loop',
  'Überton',
  'Éclat',
  'ß',
  '音',
  '100%',
  'under_score',
  'back\\slash',
  'two  spaces',
  '"quoted"',
  'line\nfeed',
  'hat-loop',
  'one shot',
  '🥁',
];
const title = fc
  .array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 3 })
  .map((words) => words.join(' '));

export const ARTISTS = [
  { userId: 'c-1', handle: 'mira_drum', displayName: 'Mira Drummond' },
  { userId: 'c-2', handle: 'juno', displayName: 'Velvet Juno' },
  { userId: 'c-3', handle: 'a_b', displayName: 'A B' },
];

/** Inserts the accounts, which no event creates. */
export async function insertArtists({ pool }: Pick<Database, 'pool'>): Promise<void> {
  for (const { userId, handle, displayName } of ARTISTS) {
    await pool.query(
      `insert into user_account (user_id, email, display_name, created_at) values ($1, $1 || '@example.com', $2, now())`,
      [userId, displayName],
    );
    await pool.query(`insert into creator_profile (user_id, handle, updated_at) values ($1, $2, now())`, [
      userId,
      handle,
    ]);
    await pool.query(`insert into handle_history (user_id, handle_lower, given_at) values ($1, $2, now())`, [
      userId,
      handle.toLowerCase(),
    ]);
  }
}

export const randomSample = fc.record({
  title,
  bpm: tempo,
  key: fc.option(keys, { nil: null }),
  instruments: several(some(INSTRUMENTS)),
  durationMs: fc.constantFrom(600, 4_000, 20_000),
  priceCredits: fc.integer({ min: 1, max: 5 }),
});

export const randomPack = fc.record({
  name: title,
  genre: some(GENRES),
  mood: some(MOODS),
  creatorId: fc.constantFrom(...ARTISTS.map((artist) => artist.userId)),
  publishedAt: fc.constantFrom(
    '2026-11-01T00:00:00.000Z',
    '2026-11-02T00:00:00.000Z',
    '2026-11-03T08:30:00.123Z',
  ),
  samples: fc.array(randomSample, { minLength: 1, maxLength: 9 }),
});

const typed = fc.oneof(
  { weight: 2, arbitrary: fc.constant('') },
  { weight: 4, arbitrary: title },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      'dr',
      'um',
      ' k',
      'k k',
      'ck ki',
      'e d',
      'mira',
      'VELVET',
      '%',
      '_',
      '\\',
      '"',
      'ü',
      'pian',
      'chill',
      'zzz',
      '  drum   kick ',
      'kick drum',
      'boom bap',
      'lo-fi drum',
      'hihat',
      'drumm',
      'velvt',
      'pinao kick',
      '90 bpm',
      '90',
      'c# minor',
      'bbm',
      'kick loop',
      'mira trap',
      'rnb',
      'one shot drum',
      'midi',
      'am',
      'fast kick',
      '85-95 bpm',
      'kick nothing piano',
      'hihta zzz drum',
      '90 bpm minor drum loop',
    ),
  },
  // Any part of a title, also across word boundaries.
  {
    weight: 3,
    arbitrary: fc
      .tuple(title, fc.nat(9), fc.integer({ min: 1, max: 8 }))
      .map(([text, from, length]) => [...text].slice(from, from + length).join('')),
  },
);

const bound = fc.oneof(fc.constantFrom(0, 90, 200), fc.integer({ min: 0, max: 200 }));

/** A query as the contract parses it. */
export const randomQuery = fc
  .record({
    q: typed,
    range: fc.oneof(fc.constant([0, 200] as const), fc.tuple(bound, bound)),
    key: fc.option(fc.oneof(keys, fc.constantFrom('Major', 'Minor')), { nil: undefined }),
    mood: several(some(MOODS)),
    genre: several(some(GENRES)),
    instrument: several(some(INSTRUMENTS)),
    mode: fc.constantFrom('search', 'collection'),
    collection: fc.option(fc.constantFrom('all', 'artist-juno', 'artist-A_B', 'genre-trap', 'genre-soul'), {
      nil: undefined,
    }),
    facts: fc.oneof(
      { weight: 3, arbitrary: fc.constant({}) },
      {
        weight: 1,
        arbitrary: fc.record(
          {
            kind: fc.constantFrom('loop', 'one-shot', 'take'),
            hasMidi: fc.constantFrom('true', 'false'),
            hasStems: fc.constantFrom('true', 'false'),
            creditsMax: fc.integer({ min: 1, max: 5 }),
            origin: fc.constantFrom('recorded', 'ai-assisted', ['recorded', 'licensed']),
            secondsMin: fc.constantFrom(0, 0.6, 4),
            secondsMax: fc.constantFrom(4, 20, 60),
          },
          { requiredKeys: [] },
        ),
      },
    ),
    sort: fc.constantFrom('relevance', 'new', 'popular', 'title', 'tempo', 'length', 'fits'),
    project: fc.constantFrom('90,C# Minor', '47,Bb Major', '120,', '100.5,D Minor'),
    fits: fc.option(fc.constantFrom('90,Db Minor', '45,F Major', '120,'), { nil: undefined, freq: 2 }),
    limit: fc.constantFrom(3, 7, 100),
  })
  .map(({ range: [a, b], facts, ...rest }) =>
    SamplesQuery.parse({ ...rest, ...facts, bpmMin: Math.min(a, b), bpmMax: Math.max(a, b) }),
  );
