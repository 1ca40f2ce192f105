/**
 * Notes in steps of a fifth. The first 15 are the major keys, from seven flats to seven sharps. Each relative minor key
 * is three places after its major key.
 */
export const NOTES_BY_FIFTHS = [
  'B',
  'Gb',
  'Db',
  'Ab',
  'Eb',
  'Bb',
  'F',
  'C',
  'G',
  'D',
  'A',
  'E',
  'B',
  'F#',
  'C#',
  'G#',
  'D#',
  'A#',
] as const;

/** Notes by semitones above C, as DAWs number them. */
export const NOTES_BY_SEMITONES = ['C', 'C#', 'D', 'D#', 'E', 'F', 'F#', 'G', 'G#', 'A', 'A#', 'B'] as const;
