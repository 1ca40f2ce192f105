/** The closed word lists of the catalogue, in the order in which screens offer them. */

export const GENRES = [
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
] as const;

export const MOODS = [
  'Romantic',
  'Melancholic',
  'Nostalgic',
  'Aggressive',
  'Peaceful',
  'Energetic',
  'Uplifting',
  'Euphoric',
  'Smooth',
  'Powerful',
  'Elegant',
  'Groovy',
  'Driving',
  'Funky',
  'Dramatic',
  'Spiritual',
  'Intense',
  'Chill',
  'Dark',
  'Mysterious',
  'Motivational',
  'Dreamy',
] as const;

export const INSTRUMENTS = [
  'Piano',
  'Guitar',
  'Bass',
  'Drums',
  'Synth',
  'Strings',
  'Brass',
  'Vocals',
  'Rhodes',
  'Wurlitzer',
  'Organ',
  'Clavinet',
  'Upright Bass',
  '808',
  'Kick',
  'Snare',
  'Hi-Hat',
  'Percussion',
  'Pad',
  'Lead',
  'Pluck',
  'Mallets',
  'Harp',
  'Flute',
  'Saxophone',
  'Clarinet',
  'FX',
  'Field Recording',
  'Choir',
] as const;

/** The tags that a listener can follow. */
export const TAGS = [...GENRES, ...MOODS, ...INSTRUMENTS] as const;

/** Returns the tag with this label, whether in upper or lower case. */
export const tagOf = (label: string): (typeof TAGS)[number] | undefined =>
  TAGS.find((tag) => tag.toLowerCase() === label.toLowerCase());

export const NOTES = [
  'C',
  'C#',
  'Db',
  'D',
  'D#',
  'Eb',
  'E',
  'F',
  'F#',
  'Gb',
  'G',
  'G#',
  'Ab',
  'A',
  'A#',
  'Bb',
  'B',
] as const;

export type Genre = (typeof GENRES)[number];
export type Mood = (typeof MOODS)[number];
export type Instrument = (typeof INSTRUMENTS)[number];
export type Note = (typeof NOTES)[number];
export type MusicalKey = `${Note} ${'Major' | 'Minor'}`;

export const KEYS: readonly MusicalKey[] = NOTES.flatMap(
  (note) => [`${note} Major`, `${note} Minor`] as const,
);

const ENHARMONIC_NOTES: Partial<Record<Note, Note>> = {
  'C#': 'Db',
  Db: 'C#',
  'D#': 'Eb',
  Eb: 'D#',
  'F#': 'Gb',
  Gb: 'F#',
  'G#': 'Ab',
  Ab: 'G#',
  'A#': 'Bb',
  Bb: 'A#',
};

/** Returns `key` and the label that sounds the same, such as C# Major and Db Major. */
export function enharmonicKeys(key: MusicalKey): MusicalKey[] {
  const [note, scale] = key.split(' ') as [Note, 'Major' | 'Minor'];
  const other = ENHARMONIC_NOTES[note];
  return other ? [key, `${other} ${scale}`] : [key];
}

export const SCALES = ['Major', 'Minor'] as const;
export type Scale = (typeof SCALES)[number];

/** Returns the labels that a chosen key accepts: its spellings, or every key of a scale. */
export const keysChosenBy = (chosen: MusicalKey | Scale): MusicalKey[] => {
  const key = KEYS.find((each) => each === chosen);
  return key ? enharmonicKeys(key) : KEYS.filter((each) => each.endsWith(chosen));
};

/** Reads a genre as spelled in addresses and old imports. Returns undefined if it is none of the 12. */
export function genreFrom(label: string): Genre | undefined {
  const wanted = label.trim().toLowerCase();
  if (wanted === 'expermental') return 'Experimental';
  return GENRES.find((genre) => genre.toLowerCase() === wanted);
}

/** Returns the key that a label names, in any common spelling such as `c# minor`, `C#m`, `C#min` or `C# maj`. */
export function keyOf(label: string | undefined): MusicalKey | undefined {
  const match = /^\s*([A-Ga-g])([#♯b♭]?)\s*(major|maj|minor|min|m)?\s*$/i.exec(label ?? '');
  if (!match) return undefined;
  const [, letter = '', sign = '', scale = ''] = match;
  const accidental = sign === '♯' ? '#' : sign === '♭' ? 'b' : sign;
  // `CM` is C major and `Cm` is C minor, so the case of a single letter counts.
  const mode = scale !== 'M' && /^(minor|min|m)$/i.test(scale) ? 'Minor' : 'Major';
  return KEYS.find((key) => key === `${letter.toUpperCase()}${accidental} ${mode}`);
}
