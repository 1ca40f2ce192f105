const INK = {
  ink: '#15211C',
  paper: '#F3EFE2',
  orange: '#FF5A2C',
  yellow: '#F8C33A',
  pink: '#F6AFC6',
  blue: '#2F5BE7',
  sky: '#A4D4EC',
  green: '#1E7F57',
  mint: '#B5DDB4',
  kraft: '#CDA06D',
  oxblood: '#7C1F31',
  plum: '#43233F',
  cream: '#EAD9B0',
  teal: '#0F5F63',
} as const;

/** Four inks a genre: ground, figure, second, kerf. */
const GENRE_INKS: Record<string, readonly [string, string, string, string]> = {
  Trap: [INK.ink, INK.orange, INK.paper, INK.sky],
  'Boom-Bap': [INK.kraft, INK.ink, INK.yellow, INK.oxblood],
  Soul: [INK.oxblood, INK.pink, INK.yellow, INK.cream],
  Ambient: [INK.sky, INK.blue, INK.paper, INK.teal],
  Lofi: [INK.mint, INK.green, INK.cream, INK.pink],
  'Neo R&B': [INK.pink, INK.plum, INK.orange, INK.cream],
  Latin: [INK.yellow, INK.orange, INK.green, INK.paper],
  'R&B': [INK.plum, INK.sky, INK.pink, INK.orange],
  Pop: [INK.blue, INK.pink, INK.yellow, INK.paper],
  Experimental: [INK.paper, INK.ink, INK.orange, INK.blue],
  Drill: [INK.teal, INK.ink, INK.paper, INK.yellow],
  Underground: [INK.green, INK.ink, INK.kraft, INK.paper],
};
const PERSON_INKS = [INK.teal, INK.yellow, INK.green, INK.blue, INK.plum, INK.kraft, INK.oxblood, INK.mint];

/** Relative luminance of a `#rrggbb` colour, 0 to 1. */
function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Ink or white, whichever reads better on the ground; paper would be too dark for small letters on green. */
export function textOn(ground: string): string {
  return luminance(ground) > 0.22 ? INK.ink : '#FFFFFF';
}

/** Whether the genre is one of the twelve. */
export function isGenre(genre: string): boolean {
  return genre in GENRE_INKS;
}

/** The inks of a genre; unknown genres are printed on green. */
export function inksOf(genre: string): readonly [string, string, string, string] {
  return GENRE_INKS[genre] ?? [INK.green, INK.ink, INK.kraft, INK.paper];
}

/** One of eight inks, always the same for the same name. */
export function inkOfName(name: string): string {
  let hash = 2166136261;
  for (const letter of name) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 16777619);
  return PERSON_INKS[(hash >>> 0) % PERSON_INKS.length] ?? INK.teal;
}

/** At most two initials; "U" for an empty name. */
export function initialsOf(name: string): string {
  const words = name
    .trim()
    .split(/[\s_-]+/)
    .filter(Boolean);
  if (words.length === 0) return 'U';
  const picked = words.length === 1 ? [words[0]] : [words[0], words[words.length - 1]];
  return picked.map((word) => [...(word ?? '')][0]?.toUpperCase() ?? '').join('');
}
