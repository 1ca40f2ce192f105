import type { Genre } from '../../../domain/catalogue/vocabulary.js';
import { randomFrom, type Random } from '../../../domain/shared/seeded-random.js';
import { motifPainter, type Motif } from './cover-motifs.js';
import { GENRE_INKS, INK, luminance } from './inks.js';

/** Draws covers that look like cut paper. The same genre and name always give the same picture. */

const GENRE_MOTIFS: Record<Genre, readonly [Motif, Motif, Motif]> = {
  Trap: ['wedges', 'bars', 'disc'],
  'Boom-Bap': ['disc', 'bars', 'blocks'],
  Soul: ['sun', 'disc', 'arches'],
  Ambient: ['waves', 'sun', 'disc'],
  Lofi: ['blocks', 'sun', 'waves'],
  'Neo R&B': ['arches', 'petals', 'sun'],
  Latin: ['wedges', 'petals', 'sun'],
  'R&B': ['petals', 'waves', 'arches'],
  Pop: ['disc', 'petals', 'blocks'],
  Experimental: ['bars', 'wedges', 'disc'],
  Drill: ['bars', 'blocks', 'wedges'],
  Underground: ['blocks', 'wedges', 'bars'],
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
  const [first, figure, second, kerf] = GENRE_INKS[genre];
  const draw = random();
  if (draw < 0.3) return { ground: figure, figure: first, second, kerf };
  if (draw < 0.5) return { ground: first, figure, second: kerf, kerf: second };
  return { ground: first, figure, second, kerf };
}

/** Returns the colours of the name label, with dark or light text. Generated covers of 110 px or more have a label. */
export function coverLabel(genre: Genre, name: string): { ground: string; text: string } {
  const { kerf } = inksFor(genre, randomFrom(`${genre}/${name}`));
  return { ground: kerf, text: luminance(kerf) > 0.22 ? INK.ink : INK.paper };
}

interface Strip {
  from: number;
  to: number;
  slide: number;
}

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

/** Returns a cover without text: screens draw the name over it (see coverLabel). The drawing is 200 units wide. */
export function coverSvg(genre: Genre, name: string, sizePx = 200): string {
  const random = randomFrom(`${genre}/${name}`);
  const inks = inksFor(genre, random);
  const [usual, other, rare] = GENRE_MOTIFS[genre];
  const draw = random();
  const paint = motifPainter(draw < 0.5 ? usual : draw < 0.8 ? other : rare, random);
  const angle = CUT_ANGLES_DEG[Math.floor(random() * CUT_ANGLES_DEG.length)] as number;
  const strips = cutStrips(random);

  const swapped = { ground: inks.figure, figure: inks.ground, second: inks.second };
  const pieces = strips.map((strip, i) => {
    const colours = strip.slide === 0 ? inks : swapped;
    // Rotates only the clip path of the strip. The motif inside keeps its angle and is shifted along the cut.
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
