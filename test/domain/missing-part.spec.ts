import { describe, expect, it } from '@jest/globals';
import {
  missingPart,
  suggestedFor,
  SUGGESTED_LIMIT,
  whyMissing,
  type Candidate,
  type PlayedSample,
} from '../../domain/catalogue/missing-part.js';
import {
  COMPARED,
  DESCRIPTORS,
  PITCH_START,
  SOUND_FACTS,
  type SoundFacts,
} from '../../domain/catalogue/sound/facts.js';

const PROJECT = { tempo: 90, key: 'C Minor' } as const;
const MIDDLE: SoundFacts = { brightness: 50, punch: 50, decay: 50, noisiness: 50, warmth: 50 };

/** @param pitchHz the pitch, which is clear */
function descriptors(facts: Partial<SoundFacts>, pitchHz?: number): Int8Array {
  const all = new Int8Array(DESCRIPTORS);
  for (const [at, fact] of SOUND_FACTS.entries()) all[COMPARED + at] = { ...MIDDLE, ...facts }[fact];
  if (pitchHz !== undefined) {
    all[PITCH_START] = 30 * (Math.log2(pitchHz / 30) - 4);
    all[PITCH_START + 1] = 60;
  }
  return all;
}

const lane = (instruments: string[], facts: Partial<SoundFacts> = {}, pitchHz?: number): PlayedSample => ({
  bpm: 90,
  key: 'C Minor',
  instruments,
  descriptors: descriptors(facts, pitchHz),
});

let number = 0;
const candidate = (facts: Partial<SoundFacts>, changes: Partial<Candidate> = {}): Candidate => ({
  ...lane(['Bass'], facts),
  sampleId: `s${(number += 1)}`,
  creatorId: `c${number}`,
  ...changes,
});
const suggested = (lanes: PlayedSample[], ...candidates: Candidate[]) =>
  suggestedFor('bass', lanes, candidates, PROJECT);
const reasonFor = (lanes: PlayedSample[], one: Candidate) => suggested(lanes, one)[0]?.reason;

describe('the missing part', () => {
  it.each([
    [[], 'drums'],
    [['Piano'], 'drums'],
    [['Kick'], 'bass'],
    [['Drums', '808'], 'chords'],
    [['Percussion', 'Upright Bass', 'Rhodes'], 'texture'],
    [['Drums', 'Bass', 'Pad'], undefined],
    [['Vocals', 'Flute'], 'drums'],
  ] as const)('[WORK-705] of %j is %s', (instruments, missing) => {
    expect(missingPart(instruments.map((instrument) => lane([instrument])))).toBe(missing);
    expect(missingPart(instruments.length > 0 ? [lane([...instruments])] : [])).toBe(missing);
  });

  it('[WORK-705] says how low the other lanes reach in the project, without drums', () => {
    const [kick, hiss] = [lane(['Kick'], {}, 55), lane(['Vocals'])];
    expect(whyMissing('drums', [], PROJECT)).toBe('No drums play yet.');
    expect(whyMissing('bass', [kick, hiss], PROJECT)).toBe('No bass plays yet.');
    const keys = lane(['Piano'], {}, 220);
    expect(whyMissing('bass', [kick, keys, lane(['Flute'], {}, 880)], PROJECT)).toBe(
      'No bass plays yet. The lowest pitch is about 220 Hz.',
    );
    // In the key of the project it plays two semitones lower.
    expect(whyMissing('bass', [{ ...keys, key: 'D Minor' }], PROJECT)).toContain('about 200 Hz');
    expect(whyMissing('bass', [{ ...keys, descriptors: null }], PROJECT)).toBe('No bass plays yet.');
  });
});

describe('suggestions for the missing part', () => {
  it('[WORK-705] keep their order, mask no lane, are not stretched, and are two of one creator at most', () => {
    const keys = lane(['Piano'], { brightness: 60, warmth: 30 });
    const masking = candidate({ brightness: 62, warmth: 35 });
    const stretched = candidate({ warmth: 90 }, { bpm: 120 });
    const unknown = candidate({}, { descriptors: null });
    const [first, second, third, other] = [0, 1, 2, 3].map((at) =>
      candidate({ warmth: 90 - at }, at < 3 ? { creatorId: 'one' } : {}),
    ) as [Candidate, Candidate, Candidate, Candidate];
    expect(
      suggested([keys], masking, stretched, unknown, first, second, third, other).map(
        ({ sampleId }) => sampleId,
      ),
    ).toEqual([first.sampleId, second.sampleId, other.sampleId]);
    const many = Array.from({ length: 9 }, () => candidate({ warmth: 90 }));
    expect(suggested([keys], ...many)).toHaveLength(SUGGESTED_LIMIT);
  });

  it('[WORK-705] do not double drums that play', () => {
    const drums = lane(['Drums'], { noisiness: 90 });
    const both = candidate({}, { instruments: ['Bass', 'Drums'] });
    expect(suggested([drums], both)).toEqual([]);
    expect(suggested([lane(['Piano'], { noisiness: 90 })], both)).toHaveLength(1);
  });

  it.each([
    ['Leaves room for the kick', { warmth: 40 }],
    ['Darker than the rest', { brightness: 20, warmth: 80 }],
    ['Brighter than the rest', { brightness: 80, warmth: 80 }],
    ['Softer attack than the rest', { punch: 30, warmth: 90 }],
    ['Punchier than the rest', { punch: 95, warmth: 90 }],
    ['Already in your key', { warmth: 90, punch: 65 }],
  ])('[WORK-705] say “%s” only where it is so', (reason, facts) => {
    const lanes = [
      lane(['Kick'], { brightness: 35, warmth: 70, punch: 80 }),
      lane(['Piano'], { brightness: 60, warmth: 20 }),
    ];
    expect(reasonFor(lanes, candidate(facts))).toBe(reason);
  });

  it('[WORK-705] give reasons of fit where the sound has none, and each reason once', () => {
    const lanes = [lane(['Piano'], { noisiness: 90 })];
    expect(reasonFor(lanes, candidate({}, { key: 'Eb Major' }))).toBe('In the relative key');
    expect(reasonFor(lanes, candidate({}, { key: null }))).toBe('Fits as it is');
    expect(reasonFor(lanes, candidate({}, { key: 'A Minor' }))).toBe('Fits after a shift');
    expect(reasonFor([], candidate({}))).toBe('Already in your key');
    const reasons = suggested(lanes, candidate({ brightness: 20 }), candidate({ brightness: 20 })).map(
      ({ reason }) => reason,
    );
    expect(reasons).toEqual(['Darker than the rest', 'Already in your key']);
  });
});
