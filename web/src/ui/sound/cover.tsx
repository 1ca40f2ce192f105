import { clsx } from 'clsx';
import { useState } from 'react';
import { coverLabel } from '../../../../application/publishing/values.js';
import { Picture } from '../picture.js';
import { inksOf, initialsOf, isGenre, textOn } from './inks.js';

const ONE_LINE_LETTERS = 14;
const TWO_LINES_LETTERS = 30;

/** The name in one or two lines of similar length, so that the label fits closely; longer names wrap by themselves. */
function labelLines(title: string): string[] {
  const words = title.split(' ');
  if (title.length <= ONE_LINE_LETTERS || title.length > TWO_LINES_LETTERS || words.length === 1)
    return [title];
  const splits = words
    .slice(1)
    .map((_, at) => [words.slice(0, at + 1).join(' '), words.slice(at + 1).join(' ')]);
  const longest = (lines: string[]) => Math.max(...lines.map((line) => line.length));
  return splits.reduce((best, split) => (longest(split) < longest(best) ? split : best));
}

/** The `sizes` of a cover. Rows of samples use small covers; grids and rows of packs use large covers. */
const SHOWN = {
  small: '(max-width: 600px) 52px, 48px',
  large: '(max-width: 767px) 46vw, 224px',
};

/** Artwork, or the initials of the title. Inside a `cover-hover`, the clipped corner slides out on hover and focus. */
export function Cover(props: {
  title: string;
  genre: string;
  artworkUrl: string | null;
  /** `small` (under 110 px) has a larger clipped corner, a fifth of the edge, and no label. */
  size?: 'small' | 'large';
  labelled?: boolean;
  /** The `sizes` attribute, by which the browser chooses a picture; by default from `SHOWN`. */
  sizes?: string;
  eager?: boolean;
  className?: string;
}) {
  const { title, genre, artworkUrl, size = 'large', labelled = false, eager, className } = props;
  const [broken, setBroken] = useState<string | null>(null);
  const [ground, , , kerf] = inksOf(genre);
  const label = isGenre(genre) ? coverLabel(genre, title) : { ground: kerf, text: textOn(kerf) };
  const hasImage = artworkUrl !== null && broken !== artworkUrl;
  return (
    <span className={clsx('cover', size === 'small' && 'cover-small', className)}>
      <span className="cover-art">
        {hasImage ? (
          <Picture
            sizes={props.sizes ?? SHOWN[size]}
            address={artworkUrl}
            loading={eager ? 'eager' : 'lazy'}
            decoding="async"
            className="size-full object-cover"
            onLost={() => setBroken(artworkUrl)}
          />
        ) : (
          <span
            className="display grid size-full place-content-center text-[34cqw]"
            style={{ background: ground, color: textOn(ground) }}
          >
            {initialsOf(title)}
          </span>
        )}
        {labelled && size === 'large' && (
          <span
            className="display absolute bottom-0 left-0 max-w-[84%] p-[5cqw_6cqw_4.6cqw_5cqw] text-[clamp(14px,11cqw,32px)] tracking-[-0.005em] text-balance wrap-anywhere"
            aria-hidden="true"
            style={{ background: label.ground, color: label.text }}
          >
            {labelLines(title).map((line) => (
              <span key={line} className="block">
                {line}
              </span>
            ))}
          </span>
        )}
      </span>
      {size === 'large' && <span className="cover-corner" aria-hidden="true" />}
    </span>
  );
}

/** The props of a cover for a pack or collection, or for the pack of a sample. */
export const coverOf = (of: {
  title: string;
  genre: string;
  artworkUrl: string | null;
  pack?: { title: string };
}) => ({
  title: of.pack?.title ?? of.title,
  genre: of.genre,
  artworkUrl: of.artworkUrl,
});
