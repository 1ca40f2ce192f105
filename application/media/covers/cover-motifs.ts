import type { Random } from '../../../domain/shared/seeded-random.js';

/** Motifs extend 80 units beyond each edge of the cover (200 by 200), so that a shifted strip shows no gap. */

export type Motif = 'wedges' | 'bars' | 'disc' | 'blocks' | 'sun' | 'arches' | 'waves' | 'petals';

export interface Inks {
  ground: string;
  figure: string;
  second: string;
}

const FROM = -80;
const TO = 280;

const n = (value: number): string => String(Math.round(value * 100) / 100);
const between = (random: Random, low: number, high: number): number => low + random() * (high - low);
const pick = <Item>(random: Random, items: readonly Item[]): Item =>
  items[Math.floor(random() * items.length)] as Item;

const path = (d: string, fill: string): string => `<path d="${d}" fill="${fill}"/>`;
const rect = (x: number, y: number, width: number, height: number, fill: string): string =>
  `<rect x="${n(x)}" y="${n(y)}" width="${n(width)}" height="${n(height)}" fill="${fill}"/>`;
const circle = (x: number, y: number, radius: number, fill: string): string =>
  `<circle cx="${n(x)}" cy="${n(y)}" r="${n(radius)}" fill="${fill}"/>`;

/** Paints one drawing in any colours. A cover repeats the drawing in strips, some with two colours swapped. */
export type Painter = (inks: Inks) => string;

export function motifPainter(motif: Motif, random: Random): Painter {
  return MOTIFS[motif](random);
}

const MOTIFS: Record<Motif, (random: Random) => Painter> = {
  /** Rays from a point near an edge, a few of them in the second ink. */
  wedges: (random) => {
    const x = pick(random, [between(random, -10, 30), between(random, 85, 115), between(random, 170, 210)]);
    const y = pick(random, [between(random, 196, 214), between(random, 140, 175)]);
    const rays = Math.round(between(random, 9, 13));
    const turn = random();
    const accents = new Set([Math.floor(random() * rays), Math.floor(random() * rays)]);
    const hub = between(random, 26, 42);
    const point = (angle: number): string =>
      `${n(x + Math.cos(angle) * 500)} ${n(y + Math.sin(angle) * 500)}`;
    return ({ figure, second, ground }) => {
      const wedges = Array.from({ length: rays }, (_, ray) => {
        const from = ((ray + turn) / rays) * Math.PI * 2;
        const fill = accents.has(ray) ? second : figure;
        return path(`M${n(x)} ${n(y)}L${point(from)} ${point(from + Math.PI / rays)}z`, fill);
      });
      return wedges.join('') + circle(x, y, hub, ground) + circle(x, y, hub * 0.62, second);
    };
  },

  /** Columns of uneven height, standing or hanging, some in the second ink. */
  bars: (random) => {
    const pitch = between(random, 16, 24);
    const width = pitch * between(random, 0.62, 0.74);
    const hangs = random() < 0.4;
    const bars: Array<{ x: number; top: number; bottom: number; second: boolean }> = [];
    for (let x = FROM; x < TO; x += pitch) {
      const level = between(random, 22, 128);
      const floating = random() < 0.3;
      bars.push({
        x,
        top: hangs ? FROM : level,
        bottom: hangs ? 205 - level * 0.8 : floating ? level + between(random, 60, 110) : TO,
        second: random() < 0.14,
      });
    }
    return ({ figure, second }) =>
      bars
        .map((bar) => rect(bar.x, bar.top, width, bar.bottom - bar.top, bar.second ? second : figure))
        .join('');
  },

  /** A record: rings around a label in the second ink. */
  disc: (random) => {
    const x = between(random, 78, 122);
    const y = between(random, 72, 112);
    const ring = between(random, 15, 23);
    const rings = Math.round(between(random, 5, 7));
    const label = ring * between(random, 0.55, 0.8);
    return ({ ground, figure, second }) => {
      const discs: string[] = [];
      for (let i = rings; i > 0; i--)
        discs.push(circle(x, y, ring * (i + 0.1), (rings - i) % 2 === 0 ? figure : ground));
      return discs.join('') + circle(x, y, label, second);
    };
  },

  /** Wooden blocks: squares, quarter circles, half circles and triangles in a grid. */
  blocks: (random) => {
    const side = pick(random, [40, 50, 50, 66.67]);
    const cells: Array<{ x: number; y: number; shape: number; turn: number; ink: number }> = [];
    const first = -Math.ceil(80 / side) * side;
    for (let y = first; y < TO; y += side)
      for (let x = first; x < TO; x += side)
        cells.push({ x, y, shape: random(), turn: Math.floor(random() * 4) * 90, ink: random() });
    // Each block is slightly larger than its cell, so that adjacent blocks of one colour show no seam.
    const s = n(side + 0.4);
    const h = n(side / 2);
    const shapeOf = (shape: number, fill: string): string => {
      if (shape < 0.34) return path(`M0 0H${s}A${s} ${s} 0 0 1 0 ${s}z`, fill);
      if (shape < 0.56) return path(`M0 0H${s}L0 ${s}z`, fill);
      if (shape < 0.74) return path(`M0 0H${s}A${h} ${h} 0 0 1 0 0z`, fill);
      if (shape < 0.84) return rect(0, 0, side + 0.4, side + 0.4, fill);
      return '';
    };
    return ({ figure, second }) =>
      cells
        .map(({ x, y, shape, turn, ink }) => {
          const drawn = shapeOf(shape, ink < 0.2 ? second : figure);
          return drawn && `<g transform="translate(${n(x)} ${n(y)}) rotate(${turn} ${h} ${h})">${drawn}</g>`;
        })
        .join('');
  },

  /** A low sun over water in the second ink, with stripes of the other inks. */
  sun: (random) => {
    const x = between(random, 76, 124);
    const radius = between(random, 62, 84);
    const horizon = between(random, 96, 122);
    const y = horizon - between(random, 0, 24);
    const stripe = between(random, 11, 15);
    return ({ figure, second, ground }) => {
      const water = [rect(FROM, horizon, TO - FROM, TO - horizon, second)];
      let top = horizon + stripe * 0.75;
      for (let i = 0; top < TO; i++) {
        const height = stripe * (0.22 + 0.1 * i);
        water.push(rect(FROM, top, TO - FROM, height, i % 2 === 0 ? figure : ground));
        top += stripe + height * 0.9;
      }
      return circle(x, y, radius, figure) + water.join('');
    };
  },

  /** Rows of doorways inside arches. */
  arches: (random) => {
    const width = pick(random, [66.67, 80, 100]);
    const height = width * between(random, 1.02, 1.25);
    const offset = random() < 0.5 ? width / 2 : 0;
    const doors = new Set(Array.from({ length: 5 }, () => Math.floor(random() * 12)));
    const top = between(random, -30, 10) - height;
    const arch = (centre: number, foot: number, half: number, tall: number, fill: string): string => {
      const shoulder = foot - tall + half;
      return path(
        `M${n(centre - half)} ${n(foot)}V${n(shoulder)}A${n(half)} ${n(half)} 0 0 1 ${n(centre + half)} ${n(shoulder)}V${n(foot)}z`,
        fill,
      );
    };
    return ({ ground, figure, second }) => {
      const drawn: string[] = [];
      let door = 0;
      for (let row = 0, foot = top + height; foot < TO + height; row++, foot += height)
        for (let left = FROM - width + (row % 2) * offset; left < TO; left += width, door++) {
          const centre = left + width / 2;
          drawn.push(arch(centre, foot, width * 0.47, height * 0.95, figure));
          drawn.push(arch(centre, foot, width * 0.34, height * 0.8, ground));
          drawn.push(arch(centre, foot, width * 0.2, height * 0.64, doors.has(door % 12) ? second : figure));
        }
      return drawn.join('');
    };
  },

  /** Bands of water, one or two in the second ink. */
  waves: (random) => {
    const pitch = between(random, 26, 36);
    const thick = pitch * between(random, 0.48, 0.6);
    const length = between(random, 70, 120);
    const swell = between(random, 8, 15);
    const lean = between(random, -0.12, 0.12);
    const accent = Math.floor(between(random, 4, 9));
    const band = (top: number): string => {
      const half = length / 2;
      const slope = (x: number): number => lean * (x - 100);
      const quarter = half * 0.3642;
      let line = '';
      let back = '';
      const start = FROM - length;
      for (let x = start, up = 1; x < TO + length; x += half, up = -up) {
        const a = top + slope(x);
        const b = top + slope(x + half);
        const bend = up * swell * 2;
        line += `C${n(x + quarter)} ${n(a - bend)} ${n(x + half - quarter)} ${n(b - bend)} ${n(x + half)} ${n(b)}`;
        back = `C${n(x + half - quarter)} ${n(b - bend + thick)} ${n(x + quarter)} ${n(a - bend + thick)} ${n(x)} ${n(a + thick)}${back}`;
        if (x + half >= TO + length) back = `L${n(x + half)} ${n(b + thick)}${back}`;
      }
      return `M${n(start)} ${n(top + slope(start))}${line}${back}z`;
    };
    return ({ figure, second }) => {
      const bands: string[] = [];
      for (let i = 0, y = FROM - swell * 2; y < TO; i++, y += pitch)
        bands.push(path(band(y), i === accent || i === accent + 3 ? second : figure));
      return bands.join('');
    };
  },

  /** Leaves in a grid, turned either way. */
  petals: (random) => {
    const side = pick(random, [50, 66.67, 66.67, 80]);
    const first = -Math.ceil(80 / side) * side - between(random, 0, side / 2);
    const flip = random() < 0.5 ? 0 : 1;
    const leaves: Array<{ x: number; y: number; falling: boolean; second: boolean }> = [];
    for (let row = 0, y = first; y < TO; row++, y += side)
      for (let column = 0, x = first; x < TO; column++, x += side)
        leaves.push({
          x,
          y,
          falling: (row + column + flip + (random() < 0.16 ? 1 : 0)) % 2 === 0,
          second: random() < 0.36,
        });
    const s = n(side);
    return ({ figure, second }) =>
      leaves
        .map(({ x, y, falling, second: accent }) =>
          path(
            falling
              ? `M${n(x)} ${n(y)}A${s} ${s} 0 0 1 ${n(x + side)} ${n(y + side)}A${s} ${s} 0 0 1 ${n(x)} ${n(y)}z`
              : `M${n(x + side)} ${n(y)}A${s} ${s} 0 0 1 ${n(x)} ${n(y + side)}A${s} ${s} 0 0 1 ${n(x + side)} ${n(y)}z`,
            accent ? second : figure,
          ),
        )
        .join('');
  },
};
