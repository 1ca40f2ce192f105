import { TEMPO_RANGE_BPM } from '../../../domain/catalogue/filter.js';
import { KINDS as KIND_LIST, type Kind } from '../../../domain/shared/kind.js';
import { GENRES, INSTRUMENTS, MOODS } from '../../../domain/catalogue/vocabulary.js';

/** The meaning of a word or phrase in a search. A sample matches if it fits any of the fields. */
export interface Meaning {
  /** Texts that labels or titles of matching samples contain. */
  texts?: readonly string[];
  bpm?: { min: number; max: number };
  kind?: Kind;
  feature?: 'hasMidi' | 'hasStems';
  isKey?: true;
}

/** Synonyms, one group per line. Each name finds all names of its group. */
const SAME = [
  'boom-bap, boombap, bap',
  'r&b, rnb, r n b, r and b',
  'hi-hat, hihat, hi-hats, hihats, hat, hats, hh',
  'kick, kick drum, kick drums, kicks, bass drum, bd, kik',
  'snare, snare drum, snare drums, snares, snr',
  'percussion, perc, percs, percussive, percusión, perkussion',
  'vocal, vocals, vox, voice, voices, acapella, a cappella, vocales, stimme',
  'saxophone, sax, saxofon',
  'synth, synths, synthesizer, synthesiser, sintetizador',
  'fx, sfx, sound effect, sound effects, effects, effect',
  'field recording, field recordings, foley, ambience, atmos, atmosphere',
  '808, 808s, tr-808, tr808, roland 808, eight oh eight, eight-oh-eights, eight o eight, 8o8',
  'break, breaks, breakbeat, breakbeats, drum break, drum breaks, break beat, break beats',
  'rhodes, rodes, rhoads, rhoades, fender rhodes, rhodes piano',
  'wurlitzer, wurli, wurly, wurlie',
  'clavinet, clav, clavi',
  'guitar, guitars, gitarre, guitarra, chitarra, guitare',
  'piano, pianos, klavier, pianoforte',
  'drums, drum, drum kit, batería, batteria, batterie, schlagzeug',
  'bass, bassline, basslines, bass line, bass lines, bajo, basso',
  'choir, choirs, chant, chants',
  'flute, flutes, flöte, flauta, flauto',
  'harp, harps, harfe, arpa',
  'vinyl, crackle, vinyl crackle, vinyl noise, record noise',
  'rim, rims, rimshot, rimshots, rim shot, sidestick, side stick',
  'shaker, shakers, maraca, maracas',
  'chop, chops, chopped',
];

const MELODIC =
  'piano, guitar, strings, brass, rhodes, wurlitzer, organ, synth, lead, pluck, mallets, harp, flute, saxophone, clarinet';
const KEYS = 'piano, rhodes, wurlitzer, organ, clavinet';
const CHORDS = 'chord, piano, rhodes, wurlitzer, organ, guitar, pad, strings, choir, brass';
const SAD = 'melancholic, nostalgic';
const HAPPY = 'uplifting, euphoric, energetic';

/** Names and further texts that they find. Unlike synonyms, the texts do not find the names. */
const FINDS: readonly (readonly [names: string, finds: string])[] = [
  ['lofi, lo-fi, chillhop, chill hop, lofi hip hop, lo-fi hip hop, study beats', 'lofi'],
  ['neo r&b, neo soul, neosoul, neo rnb, alt r&b, alternative r&b', 'neo r&b'],
  ['hip hop, hiphop, rap', 'hip hop, hip-hop, rap, boom-bap, trap, lofi, drill'],
  ['old school, oldschool, golden era, jazz rap', 'boom-bap'],
  ['uk drill, ny drill, brooklyn drill', 'drill'],
  ['reggaeton, reggaetón, dembow, salsa, bossa, bossa nova, cumbia, samba, bachata, latino', 'latin'],
  ['motown, gospel, funk', 'gospel, funk, soul, funky'],
  ['glitch, weird, abstract', 'glitch, experimental'],
  ['cinematic, epic', 'dramatic, intense, powerful'],
  ['drone, drones, soundscape, soundscapes', 'ambient, drone, pad'],
  ['keys, keyboard, keyboards, tasten, teclado', `keys, ${KEYS}`],
  ['electric piano, epiano, e-piano, elektrisches klavier', 'rhodes, wurlitzer'],
  ['melody, melodies, melodic, melodía, melodie, tune, tunes, hook, hooks, riff, riffs, topline', MELODIC],
  ['chord, chords, progression, chord progression, harmony', CHORDS],
  ['violin, violins, violine, geige, viola, cello, fiddle, string section, orchestral', 'strings'],
  ['horn, horns, horn section', 'horn, brass, saxophone'],
  ['trumpet, trumpets, trombone, trombones, brass section', 'brass'],
  ['wind, winds, woodwind, woodwinds', 'saxophone, clarinet, flute'],
  ['sub, subs, sub bass', 'sub, 808, bass'],
  ['double bass, acoustic bass, contrabass, kontrabass, standup bass', 'upright bass'],
  ['acoustic guitar, nylon, nylon guitar, electric guitar', 'guitar'],
  ['bell, bells, vibes, vibraphone, marimba, xylophone, kalimba, glockenspiel, music box', 'mallets'],
  ['arp, arps, arpeggio, arpeggios', 'pluck, synth, lead'],
  ['hum, humming, singing, sung, singer, hummed', 'vocals'],
  ['conga, congas, bongo, bongos, tambourine, clap, claps, clave, cowbell', 'percussion'],
  ['beat, beats, groove, grooves', 'beat, groove, drums'],
  ['cymbal, cymbals', 'cymbal, crash, ride, hi-hat'],
  ['nature, rain, thunder, birds, room tone', 'field recording'],
  [
    'riser, risers, uplifter, uplifters, build up, buildup, sweep',
    'riser, uplifter, lift into, swell, sweep',
  ],
  ['noise, hiss, static, tape hiss', 'noise, hiss, tape, vinyl'],
  ['impact, impacts, downlifter, transition, transitions', 'fx'],
  ['dusty, gritty, grimy', 'dusty, dust, vinyl, tape, lofi, boom-bap'],
  ['sad, emotional, moody, heartbreak, triste, traurig', SAD],
  ['happy, bright, joyful, feel good, feelgood, alegre, fröhlich', HAPPY],
  ['angry, hard, aggro', 'aggressive, intense'],
  ['relaxed, relaxing, calm, mellow, laid back, soft', 'chill, peaceful, smooth'],
  ['sexy, love, sensual', 'romantic, smooth'],
  ['scary, spooky, creepy, eerie, horror, evil', 'dark, mysterious'],
  ['hype, upbeat, party, banger', 'energetic, driving, euphoric'],
  ['retro, vintage', 'nostalgic, vinyl, tape'],
];

/** Words that fit every sample or only join others. They are ignored if the search contains other words. */
const NOISE =
  'bpm, sample, samples, sound, sounds, wav, with, and, in, the, of, for, from, key, key of, any, some, a, an, by, royalty free, like, type, style, pack, packs';
const FEATURES = {
  hasMidi: 'midi, midis, midi file, midi files',
  hasStems: 'stem, stems, multitrack, multitracks, trackout, trackouts',
} as const;
/** Names of the kinds. A take is longer than a one-shot and, unlike a loop, has no tempo for repetition. */
const KINDS = {
  loop: 'loop, loops, looped',
  'one-shot': 'one shot, one shots, oneshot, oneshots, hit, hits, single hit, single hits',
  take: 'take, takes, full take, full takes',
} as const;
const SCALES = { minor: 'minor, min, moll, menor', major: 'major, maj, dur, mayor' } as const;
const TEMPOS = { slow: { min: 1, max: 85 }, fast: { min: 130, max: TEMPO_RANGE_BPM.max } };

const listed = (names: string): string[] => names.split(', ');

/** Removes accents: "batería" becomes "bateria". */
export const withoutAccents = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '');

/** Returns the spelling of a name in `VOCABULARY`: without accents, and with spaces for hyphens. */
export const nameOf = (text: string): string => withoutAccents(text).replaceAll('-', ' ');

function vocabulary(): Map<string, Meaning> {
  const known = new Map<string, Meaning>();
  const put = (name: string, meaning: Meaning): void => {
    const before = known.get(nameOf(name));
    const texts = [...new Set([...(before?.texts ?? []), ...(meaning.texts ?? [])])];
    known.set(nameOf(name), { ...before, ...meaning, ...(texts.length > 0 && { texts }) });
  };
  for (const label of [...GENRES, ...MOODS, ...INSTRUMENTS].map((each) => each.toLowerCase()))
    put(label, { texts: [label] });
  for (const names of SAME.map(listed)) for (const name of names) put(name, { texts: names });
  for (const [names, finds] of FINDS)
    for (const name of listed(names)) put(name, { texts: [name, ...listed(finds)] });
  for (const kind of KIND_LIST) for (const name of listed(KINDS[kind])) put(name, { kind });
  for (const feature of ['hasMidi', 'hasStems'] as const)
    for (const name of listed(FEATURES[feature])) put(name, { feature });
  for (const [scale, names] of Object.entries(SCALES))
    for (const name of listed(names)) put(name, { texts: [scale], isKey: true });
  for (const [name, bpm] of Object.entries(TEMPOS)) put(name, { bpm });
  return known;
}

/** The meanings of words and phrases that producers use. The keys are spelled by `nameOf`. */
export const VOCABULARY: ReadonlyMap<string, Meaning> = vocabulary();

const IGNORED = new Set(listed(NOISE).map(nameOf));
export const isIgnored = (surface: string): boolean => IGNORED.has(nameOf(surface));
