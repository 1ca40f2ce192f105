/** Notes in fifths: the major keys with seven flats to seven sharps, and the minor keys of the last three of them. */
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
