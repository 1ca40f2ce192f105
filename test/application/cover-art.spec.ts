import { describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { GENRES } from '../../domain/catalogue/vocabulary.js';
import { coverLabel, coverSvg } from '../../application/media/covers/cover-art.js';

const contrast = (a: string, b: string): number => {
  const light = (hex: string): number =>
    [1, 3, 5]
      .map((at) => parseInt(hex.slice(at, at + 2), 16) / 255)
      .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
      .reduce((sum, c, i) => sum + c * ([0.2126, 0.7152, 0.0722][i] as number), 0);
  const [x, y] = [light(a), light(b)];
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
};

describe('generated covers', () => {
  it('draws the same picture for the same genre and name, and another for any other', () => {
    expect(coverSvg('Soul', 'Kitchen Table Soul')).toBe(coverSvg('Soul', 'Kitchen Table Soul'));
    const pictures = GENRES.flatMap((genre) =>
      ['Loose Change', 'Loose Changes', 'loose change'].map((name) => coverSvg(genre, name)),
    );
    expect(new Set(pictures).size).toBe(pictures.length);
  });

  it('uses four inks at most and no text a name could smuggle in', () => {
    for (const genre of GENRES)
      for (let i = 0; i < 40; i++) {
        const svg = coverSvg(genre, `<script>${i}</script>`);
        expect(svg).not.toContain('script');
        expect(new Set(svg.match(/#[0-9A-F]{6}/g)).size).toBeLessThanOrEqual(4);
      }
  });

  it('slides strips with ground and figure swapped: every cover shows at least two inks in force', async () => {
    for (const genre of GENRES) {
      const { data } = await sharp(Buffer.from(coverSvg(genre, 'Paper Round', 64)))
        .removeAlpha()
        .raw()
        .toBuffer({ resolveWithObject: true });
      const seen = new Map<string, number>();
      for (let i = 0; i < data.length; i += 3) {
        const colour = `${data[i]},${data[i + 1]},${data[i + 2]}`;
        seen.set(colour, (seen.get(colour) ?? 0) + 1);
      }
      const shares = [...seen.values()].sort((a, b) => b - a).map((count) => count / (64 * 64));
      expect(shares[1]).toBeGreaterThan(0.06);
    }
  });

  it('letters the label in ink or paper, whichever reads', () => {
    for (const genre of GENRES)
      for (const name of ['Stairwell Breaks', 'Slow Weather', 'Photocopy', 'Broken Printer']) {
        const { ground, text } = coverLabel(genre, name);
        expect(coverSvg(genre, name)).toContain(ground);
        // Bold text of 18 px and more needs a contrast of 3.
        expect(contrast(ground, text)).toBeGreaterThanOrEqual(4);
      }
  });
});
