import { DEMO_PACKS, labelsOf } from '../../demo/catalogue.js';
import { CREATORS } from '../../demo/catalogue/creators.js';
import type { DemoPack, DemoSample } from '../../demo/catalogue/entries.js';
import { isLoop } from '../../demo/recipes.js';

/** A sample of the demo catalogue, with the facts that a producer hears or reads. */
export interface HeardSample {
  title: string;
  pack: string;
  creator: string;
  genre: string;
  mood: string;
  bpm: number;
  key: string | null;
  instruments: string[];
  isLoop: boolean;
  durationMs: number;
  hasMidi: boolean;
  hasStems: boolean;
}

export const DEMO_CREATORS = [...CREATORS, { key: 'offcut-creator', displayName: 'Teo Marchetti' }];
const HIT_MS = 600;

function durationMs(pack: DemoPack, { bars, bpm = pack.bpm, recipe }: DemoSample): number {
  if (isLoop(recipe)) return Math.round((bars * 240_000) / bpm);
  return 'seconds' in recipe ? Math.round(recipe.seconds * 1_000) : HIT_MS;
}

export const heardSample = (pack: DemoPack, sample: DemoSample): HeardSample => ({
  title: sample.name,
  pack: pack.name,
  creator: DEMO_CREATORS.find(({ key }) => key === pack.creator)?.displayName ?? '',
  genre: pack.genre,
  mood: pack.mood,
  ...labelsOf(pack, sample),
  instruments: sample.instruments,
  isLoop: isLoop(sample.recipe),
  durationMs: durationMs(pack, sample),
  hasMidi: sample.midi === true,
  hasStems: sample.stems === true,
});

export const PUBLISHED_PACKS = DEMO_PACKS.filter(({ draft }) => !draft);

type Right = (sample: HeardSample) => boolean;
/** A question, the samples that answer it, and the words that no answer can have. */
export type Question = readonly [typed: string, isRight: Right, dropped?: readonly string[]];

const all =
  (...rights: Right[]): Right =>
  (sample) =>
    rights.every((right) => right(sample));
const any =
  (...rights: Right[]): Right =>
  (sample) =>
    rights.some((right) => right(sample));
const plays = (...instruments: string[]): Right =>
  any(
    ...instruments.map(
      (one): Right =>
        (sample) =>
          sample.instruments.includes(one),
    ),
  );
const genre =
  (...genres: string[]): Right =>
  (sample) =>
    genres.includes(sample.genre);
const mood =
  (...moods: string[]): Right =>
  (sample) =>
    moods.includes(sample.mood);
const tempo =
  (min: number, max = min): Right =>
  ({ bpm }) =>
    bpm >= min && bpm <= max;
const key =
  (...keys: string[]): Right =>
  (sample) =>
    sample.key !== null && keys.includes(sample.key);
const scale =
  (name: string): Right =>
  (sample) =>
    sample.key?.endsWith(name) === true;
const titled =
  (words: RegExp): Right =>
  ({ title, pack }) =>
    words.test(title) || words.test(pack);
const by =
  (name: string): Right =>
  ({ creator }) =>
    creator === name;
const loop: Right = (sample) => sample.isLoop;
const oneShot: Right = (sample) => !sample.isLoop;
const midi: Right = ({ hasMidi }) => hasMidi;
const stems: Right = ({ hasStems }) => hasStems;

const drums = plays('Drums');
const keys = plays('Piano', 'Rhodes', 'Wurlitzer', 'Organ', 'Clavinet');
const MELODIC =
  'Piano Guitar Strings Brass Rhodes Wurlitzer Organ Synth Lead Pluck Mallets Harp Flute Saxophone Clarinet';
const melodic = plays(...MELODIC.split(' '));
const chords = any(keys, plays('Guitar', 'Pad', 'Strings', 'Choir', 'Brass', 'Synth'));
const fSharpMinor = key('F# Minor', 'Gb Minor');

export const QUESTIONS: readonly Question[] = [
  // A producer asked these, and found nothing or the wrong sounds.
  ['90 bpm minor drum loop', all(tempo(90), drums, loop), ['minor']],
  ['lo-fi keys', all(genre('Lofi'), keys)],
  ['dark trap melody', all(genre('Trap'), mood('Dark'), melodic)],
  ['melody', melodic],
  ['dusty drums', all(drums, any(titled(/dust|tape|vinyl/i), genre('Lofi', 'Boom-Bap')))],
  ['breakbeat', titled(/break/i)],
  ['violin', plays('Strings')],
  ['stems', stems],
  ['90-95 bpm', tempo(90, 95)],
  ['hihta', plays('Hi-Hat')],
  ['rhoads', plays('Rhodes')],
  ['one shot', oneShot],
  ['am', key('A Minor')],
  ['midi', midi],
  ['fast', tempo(130, 200)],
  ['drum loop', all(drums, loop)],
  ['boom bap drums', all(genre('Boom-Bap'), drums)],
  ['a minor rhodes', plays('Rhodes'), ['a minor']],
  // Creators
  ['junie okafor', by('Junie Okafor')],
  ['ines calderón', by('Ines Calderon')],
  ['rook and daughters', by('Rook & Daughters')],
  ['kesler bros', by('Kessler Bros')],
  ['okafur', by('Junie Okafor')],
  ['teo marchetti drums', all(by('Teo Marchetti'), drums)],
  // Keys
  ['f# min', fSharpMinor],
  ['gbm', fSharpMinor],
  ['f sharp minor', fSharpMinor],
  ['in the key of c minor', key('C Minor')],
  ['any minor loop', all(scale('Minor'), loop)],
  ['major piano', all(scale('Major'), plays('Piano'))],
  ['8a', key('A Minor')],
  ['bb bass', all(key('Bb Minor', 'Bb Major', 'A# Minor', 'A# Major'), plays('Bass'))],
  // Tempos
  ['slow', tempo(1, 85)],
  ['around 100 bpm', tempo(95, 105)],
  ['under 80 bpm', tempo(1, 79)],
  ['140+ bpm', tempo(140, 200)],
  ['140 bpm trap', all(tempo(140), genre('Trap'))],
  ['119 bpm', tempo(116, 122)],
  // Kinds and features
  ['kick one shots', all(plays('Kick'), oneShot)],
  ['onshot', oneShot],
  ['drumloop', all(drums, loop)],
  ['guitar loops with midi', all(plays('Guitar'), loop, midi)],
  ['multitrack', stems],
  // 808
  ['808s', any(plays('808'), titled(/808|eight-oh-eight/i))],
  ['eight oh eight', any(plays('808'), titled(/808|eight-oh-eight/i))],
  ['tr-808', any(plays('808'), titled(/808|eight-oh-eight/i))],
  ['808 bass', any(plays('808'), titled(/808|eight-oh-eight/i))],
  // Instruments
  ['hi hat', plays('Hi-Hat')],
  ['snaer', plays('Snare')],
  ['saxaphone', plays('Saxophone')],
  ['wurly', plays('Wurlitzer')],
  ['electric piano', plays('Rhodes', 'Wurlitzer')],
  ['horns', plays('Brass', 'Saxophone')],
  ['trumpet', plays('Brass')],
  ['acoustic guitar', plays('Guitar')],
  ['double bass', plays('Upright Bass')],
  ['percusion', plays('Percussion')],
  ['vocal chops', all(plays('Vocals'), titled(/chop/i))],
  ['gitarre', plays('Guitar')],
  ['batería', drums],
  ['risers', titled(/riser|lift into|swell/i)],
  // Genres and moods
  ['neo soul chords', all(genre('Neo R&B'), chords)],
  ['chillhop', genre('Lofi')],
  ['uk drill', genre('Drill')],
  ['reggaeton drums', all(genre('Latin'), drums)],
  ['sad piano', all(mood('Melancholic', 'Nostalgic'), plays('Piano'))],
  ['melancolic', mood('Melancholic')],
  ['happy keys', all(mood('Uplifting', 'Euphoric', 'Energetic'), keys)],
  ['jazz piano', plays('Piano'), ['jazz']],
  ['techno kick', any(plays('Kick'), titled(/kick/i)), ['techno']],
];

const SHOWN_FIRST = 10;
const ENOUGH = 0.8;

/**
 * Returns why an answer fails its question, or undefined. If n samples are right, but at most ten, four in five of the
 * first n that are shown must be right.
 */
export function faultOf(
  [, isRight, expected = []]: Question,
  answer: { items: readonly HeardSample[]; dropped: readonly string[] },
  catalogue: readonly HeardSample[],
): string | undefined {
  const findable = Math.min(SHOWN_FIRST, catalogue.filter(isRight).length);
  if (findable === 0) return 'nothing in the catalogue answers it';
  if (answer.dropped.join() !== expected.join()) return `dropped ${answer.dropped.join(', ') || 'nothing'}`;
  const first = answer.items.slice(0, findable);
  const wrong = first.find((sample) => !isRight(sample));
  const right = first.filter(isRight).length;
  return right < ENOUGH * findable
    ? `${right} of the first ${findable} are right${wrong ? `, not ${wrong.title}` : ''}`
    : undefined;
}
