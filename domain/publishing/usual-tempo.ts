/** Tempos at which music with these words in its file name, folder or genre is usually written, in BPM. */
const USUAL: readonly (readonly [RegExp, number])[] = [
  [/(?<![a-z])(dnb|d&b|drum ?(and|n|&) ?bass|jungle|neurofunk)(?![a-z])/, 172],
  [/(?<![a-z])(be-?bop|fast swing|quick ?step)(?![a-z])/, 190],
  [/(?<![a-z])(drill|trap|dubstep|footwork)(?![a-z])/, 140],
  [/(?<![a-z])(trance|hardstyle|psy)(?![a-z])/, 138],
  [/(?<![a-z])(techno|electro|rave|garage|breakbeat|disco|house|edm)(?![a-z])/, 126],
  [/(?<![a-z])(pop|rock|samba|funk)(?![a-z])/, 115],
  [/(?<![a-z])(latin|reggaeton|dembow|afro ?beats?|dancehall|salsa|cumbia)(?![a-z])/, 98],
  [/(?<![a-z])(boom[ -]?bap|hip[ -]?hop|rap|soul)(?![a-z])/, 88],
  [/(?<![a-z])(lo-?fi|r&b|rnb|chill|slow|ballad|down ?tempo|trip[ -]?hop|reggae|dub)(?![a-z])/, 78],
];

/** Returns the usual tempo of music with this name or genre, in BPM; undefined if neither of them says. */
export function usualTempo(filename: string, genre: string): number | undefined {
  for (const text of [filename, genre]) {
    const words = text.toLowerCase().replaceAll(/[_.]+/g, ' ');
    const usual = USUAL.find(([pattern]) => pattern.test(words));
    if (usual) return usual[1];
  }
  return undefined;
}
