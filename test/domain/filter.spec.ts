import { describe, expect, it } from '@jest/globals';
import { readCollectionSlug, genreSlug } from '../../domain/catalogue/collections.js';
import {
  EVERY_TRACK,
  passesFilter,
  type FilterableTrack,
  type TrackFilter,
} from '../../domain/catalogue/filter.js';
import { GENRES, INSTRUMENTS, KEYS, MOODS, genreFrom } from '../../domain/catalogue/vocabulary.js';

const track: FilterableTrack = {
  bpm: 90,
  key: 'C# Minor',
  mood: 'Dark',
  genre: 'Trap',
  instruments: ['808', 'Synth'],
  durationMs: 4_000,
  kind: 'loop',
  hasMidi: true,
  hasStems: false,
  creditCost: 2,
  origin: 'recorded',
};

const rows: Array<[string, Partial<TrackFilter>, Partial<FilterableTrack>, boolean]> = [
  ['[FLT-01] no tempo chosen', {}, {}, true],
  ['[FLT-01] at the lower end', { bpmMin: 90 }, {}, true],
  ['[FLT-01] at the upper end', { bpmMax: 90 }, {}, true],
  ['[FLT-01] below the range', { bpmMin: 91 }, {}, false],
  ['[FLT-01] above the range', { bpmMax: 89 }, {}, false],
  ['[FLT-01] a missing tempo counts as 0', { bpmMin: 1 }, { bpm: 0 }, false],
  ['[FLT-01] … which lies in a range from 0', { bpmMax: 100 }, { bpm: 0 }, true],
  ['[FLT-01] the whole range is no filter, also for tempos beyond it', {}, { bpm: 240 }, true],
  ['[FLT-01] … but a narrowed one ends at 200', { bpmMin: 10 }, { bpm: 240 }, false],
  ['[FLT-02] the key itself', { key: 'C# Minor' }, {}, true],
  ['[FLT-02] another key', { key: 'C Minor' }, {}, false],
  ['[FLT-02] no key at all', { key: 'C Minor' }, { key: null }, false],
  ['[FLT-03] the enharmonic equivalent', { key: 'Db Minor' }, {}, true],
  ['[FLT-03] the enharmonic equivalent the other way', { key: 'C# Minor' }, { key: 'Db Minor' }, true],
  ['[FLT-03] the enharmonic equivalent in another scale', { key: 'Db Major' }, {}, false],
  ['[FLT-07] search: mood alone must match', { moods: ['Chill'] }, {}, false],
  ['[FLT-07] search: one of the moods is enough', { moods: ['Chill', 'Dark'] }, {}, true],
  ['[FLT-07] search: genre alone must match', { genres: ['Soul'] }, {}, false],
  ['[FLT-07] search: either of both is enough (mood)', { moods: ['Dark'], genres: ['Soul'] }, {}, true],
  ['[FLT-07] search: either of both is enough (genre)', { moods: ['Chill'], genres: ['Trap'] }, {}, true],
  ['[FLT-07] search: neither', { moods: ['Chill'], genres: ['Soul'] }, {}, false],
  ['[FLT-07] search: every chosen instrument', { instruments: ['808', 'Synth'] }, {}, true],
  ['[FLT-07] search: one instrument missing', { instruments: ['808', 'Piano'] }, {}, false],
  [
    '[FLT-08] collection: both must match',
    { mode: 'collection', moods: ['Dark'], genres: ['Soul'] },
    {},
    false,
  ],
  [
    '[FLT-08] collection: both match',
    { mode: 'collection', moods: ['Dark'], genres: ['Trap', 'Soul'] },
    {},
    true,
  ],
  ['[FLT-08] collection: only mood chosen', { mode: 'collection', moods: ['Chill'] }, {}, false],
  [
    '[FLT-08] collection: any instrument is enough',
    { mode: 'collection', instruments: ['808', 'Piano'] },
    {},
    true,
  ],
  [
    '[FLT-08] collection: none of the instruments',
    { mode: 'collection', instruments: ['Harp', 'Piano'] },
    {},
    false,
  ],
  ['[FLT-703] its kind', { kind: 'loop' }, {}, true],
  ['[FLT-703] another kind', { kind: 'take' }, {}, false],
  ['[FLT-704] its scale', { key: 'Minor' }, {}, true],
  ['[FLT-704] the other scale', { key: 'Major' }, {}, false],
  ['[FLT-704] any key of a scale is none', { key: 'Minor' }, { key: null }, false],
  ['[FLT-705] as long as both bounds', { minMs: 4_000, maxMs: 4_000 }, {}, true],
  ['[FLT-705] too short', { minMs: 4_001 }, {}, false],
  ['[FLT-705] too long', { maxMs: 3_999 }, {}, false],
  ['[FLT-705] with MIDI and without stems', { hasMidi: true, hasStems: false }, {}, true],
  ['[FLT-705] without MIDI', { hasMidi: false }, {}, false],
  ['[FLT-705] at the price', { maxCredits: 2 }, {}, true],
  ['[FLT-705] too expensive', { maxCredits: 1 }, {}, false],
  ['[FLT-750] of one of the origins', { origins: ['synthesised', 'recorded'] }, {}, true],
  ['[FLT-750] of another origin', { origins: ['ai-assisted'] }, {}, false],
  ['[FLT-750] without a stated origin', { origins: ['recorded'] }, { origin: null }, false],
  ['all kinds must pass', { bpmMin: 80, key: 'C# Minor', moods: ['Dark'], instruments: ['808'] }, {}, true],
  [
    'one kind that fails is enough',
    { bpmMin: 80, key: 'D Minor', moods: ['Dark'], instruments: ['808'] },
    {},
    false,
  ],
];

describe('a track', () => {
  it.each(rows)('%s', (_, filter, changes, passes) => {
    expect(passesFilter({ ...track, ...changes }, { ...EVERY_TRACK, ...filter })).toBe(passes);
  });
});

describe('the vocabulary', () => {
  it('[FLT-02] has 34 keys', () => {
    expect(new Set(KEYS).size).toBe(34);
  });
  it('[FLT-09] has 12 genres and reads the misspelt one', () => {
    expect(GENRES).toEqual([
      'Trap',
      'Boom-Bap',
      'Soul',
      'Ambient',
      'Lofi',
      'Neo R&B',
      'Latin',
      'R&B',
      'Pop',
      'Experimental',
      'Drill',
      'Underground',
    ]);
    expect([genreFrom('Expermental'), genreFrom(' neo r&b '), genreFrom('Polka')]).toEqual([
      'Experimental',
      'Neo R&B',
      undefined,
    ]);
  });
  it('[FLT-10] has 22 moods', () => {
    expect(new Set(MOODS).size).toBe(22);
  });
  it('[FLT-11] has 29 instruments from Piano, Guitar, Bass, Drums, Synth to Choir', () => {
    expect(new Set(INSTRUMENTS).size).toBe(29);
    expect([...INSTRUMENTS.slice(0, 5), INSTRUMENTS.at(-1)]).toEqual([
      'Piano',
      'Guitar',
      'Bass',
      'Drums',
      'Synth',
      'Choir',
    ]);
  });
});

describe('[COLL-02] a collection’s address', () => {
  it('is all, artist-… or genre-…, and nothing else', () => {
    expect(readCollectionSlug('all')).toEqual({ kind: 'all' });
    expect(readCollectionSlug('artist-Ada_L')).toEqual({ kind: 'artist', handle: 'Ada_L' });
    expect(genreSlug('Neo R&B')).toBe('neo-r-b');
    for (const genre of GENRES)
      expect(readCollectionSlug(`genre-${genreSlug(genre)}`)).toEqual({ kind: 'genre', genre });
    expect(readCollectionSlug('genre-expermental')).toEqual({ kind: 'genre', genre: 'Experimental' });
    for (const wrong of ['', 'artist-', 'genre-', 'genre-polka', 'everything', 'mood-dark'])
      expect(readCollectionSlug(wrong)).toBeUndefined();
  });
});
