import type { Genre } from '../../../domain/catalogue/vocabulary.js';

export const INK = {
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

type Inks = readonly [ground: string, figure: string, second: string, kerf: string];

export const GENRE_INKS: Record<Genre, Inks> = {
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

/** Returns WCAG's relative luminance: 0 for black, 1 for white. */
export function luminance(hex: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const channel = parseInt(hex.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
