import type { Genre } from '../catalogue/vocabulary.js';
import { randomFrom, type Random } from '../shared/seeded-random.js';
import { motifPainter, type Motif } from './cover-motifs.js';

/** Cut-paper covers: the same genre and name always give the same picture. */

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
type InkName = keyof typeof INK;

/** Ground, figure, second, kerf; and three motifs, the likeliest first. */
const GENRE_STYLE: Record<
  Genre,
  { inks: [InkName, InkName, InkName, InkName]; motifs: [Motif, Motif, Motif] }
> = {
  Trap: { inks: ['ink', 'orange', 'paper', 'sky'], motifs: ['wedges', 'bars', 'disc'] },
  'Boom-Bap': { inks: ['kraft', 'ink', 'yellow', 'oxblood'], motifs: ['disc', 'bars', 'blocks'] },
  Soul: { inks: ['oxblood', 'pink', 'yellow', 'cream'], motifs: ['sun', 'disc', 'arches'] },
  Ambient: { inks: ['sky', 'blue', 'paper', 'teal'], motifs: ['waves', 'sun', 'disc'] },
  Lofi: { inks: ['mint', 'green', 'cream', 'pink'], motifs: ['blocks', 'sun', 'waves'] },
  'Neo R&B': { inks: ['pink', 'plum', 'orange', 'cream'], motifs: ['arches', 'petals', 'sun'] },
  Latin: { inks: ['yellow', 'orange', 'green', 'paper'], motifs: ['wedges', 'petals', 'sun'] },
  'R&B': { inks: ['plum', 'sky', 'pink', 'orange'], motifs: ['petals', 'waves', 'arches'] },
  Pop: { inks: ['blue', 'pink', 'yellow', 'paper'], motifs: ['disc', 'petals', 'blocks'] },
  Experimental: { inks: ['paper', 'ink', 'orange', 'blue'], motifs: ['bars', 'wedges', 'disc'] },
  Drill: { inks: ['teal', 'ink', 'paper', 'yellow'], motifs: ['bars', 'blocks', 'wedges'] },
  Underground: { inks: ['green', 'ink', 'kraft', 'paper'], motifs: ['blocks', 'wedges', 'bars'] },
};

const CUT_ANGLES_DEG = [0, 90, 45, -45, 60, -30] as const;
const CUT_WIDTH = 2.4;

interface CoverInks {
  ground: string;
  figure: string;
  second: string;
  kerf: string;
}

function inksFor(genre: Genre, random: Random): CoverInks {
  const [first, figure, second, kerf] = GENRE_STYLE[genre].inks.map((name) => INK[name]) as [
    string,
    string,
    string,
    string,
  ];
  const draw = random();
  if (draw < 0.3) return { ground: figure, figure: first, second, kerf };
  if (draw < 0.5) return { ground: first, figure, second: kerf, kerf: second };
  return { ground: first, figure, second, kerf };
}

/** 0 for black, 1 for white, by WCAG's relative luminance. */
function luminance(hex: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const channel = parseInt(hex.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/**
 * The name label a screen draws over a generated cover of 110 px or more.
 * @returns its ground, and ink or paper for the letters, whichever stands out more
 */
export function coverLabel(genre: Genre, name: string): { ground: string; text: string } {
  const { kerf } = inksFor(genre, randomFrom(`${genre}/${name}`));
  return { ground: kerf, text: luminance(kerf) > 0.22 ? INK.ink : INK.paper };
}

interface Strip {
  from: number;
  to: number;
  slide: number;
}

/** 2–4 strips across the sheet, measured from its centre; every other one is slid. */
function cutStrips(random: Random): Strip[] {
  const count = 2 + Math.floor(random() * 3);
  const inner = Array.from({ length: count - 1 }, (_, i) => {
    const even = ((i + 1) / count - 0.5) * 190;
    return even + (random() - 0.5) * 34;
  });
  const edges = [-300, ...inner, 300];
  const firstSlid = random() < 0.5 ? 0 : 1;
  return edges.slice(1).map((to, i) => {
    const slide = (9 + random() * 17) * (random() < 0.5 ? -1 : 1);
    return { from: edges[i] as number, to, slide: i % 2 === firstSlid ? slide : 0 };
  });
}

const n = (value: number): string => String(Math.round(value * 100) / 100);

/**
 * A cover without lettering: screens draw the name over it in the display face (see coverLabel).
 * @param sizePx width and height attributes; the drawing itself has 200 units
 */
export function coverSvg(genre: Genre, name: string, sizePx = 200): string {
  const random = randomFrom(`${genre}/${name}`);
  const inks = inksFor(genre, random);
  const [usual, other, rare] = GENRE_STYLE[genre].motifs;
  const draw = random();
  const paint = motifPainter(draw < 0.5 ? usual : draw < 0.8 ? other : rare, random);
  const angle = CUT_ANGLES_DEG[Math.floor(random() * CUT_ANGLES_DEG.length)] as number;
  const strips = cutStrips(random);

  const swapped = { ground: inks.figure, figure: inks.ground, second: inks.second };
  const pieces = strips.map((strip, i) => {
    const colours = strip.slide === 0 ? inks : swapped;
    // The window lies in the cut's own directions; the drawing inside it stays upright and moves along the cut.
    const along = (angle * Math.PI) / 180;
    const shift = `translate(${n(Math.cos(along) * strip.slide)} ${n(Math.sin(along) * strip.slide)})`;
    return (
      `<clipPath id="s${i}"><rect x="-300" y="${n(strip.from)}" width="600" height="${n(strip.to - strip.from)}" transform="translate(100 100) rotate(${angle})"/></clipPath>` +
      `<g clip-path="url(#s${i})"><rect width="200" height="200" fill="${colours.ground}"/><g transform="${shift}">${paint(colours)}</g></g>`
    );
  });
  const cuts = strips
    .slice(1)
    .map(
      ({ from }) =>
        `<rect x="-300" y="${n(from - CUT_WIDTH / 2)}" width="600" height="${CUT_WIDTH}" fill="${inks.kerf}"/>`,
    );
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${sizePx}" height="${sizePx}" viewBox="0 0 200 200">` +
    `${pieces.join('')}<g transform="translate(100 100) rotate(${angle})">${cuts.join('')}</g></svg>`
  );
}
