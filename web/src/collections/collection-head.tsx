import { Play } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Sample } from '../../../application/catalogue/contract.js';
import { player } from '../player/player.js';
import { Button } from '../ui/button.js';
import { countOf } from '../ui/format.js';
import { Cover, coverOf } from '../ui/sound/cover.js';

/** The covers of four packs in a square, or only the first cover if there are fewer than four. */
export function Covers(props: {
  covers: readonly { title: string; genre: string; artworkUrl: string | null }[];
  name: string;
  className?: string;
}) {
  const { covers, name, className } = props;
  if (covers.length < 4) {
    const [first = { title: name, genre: '', artworkUrl: null }] = covers;
    return <Cover {...first} className={className} />;
  }
  return (
    <span className={`grid aspect-square grid-cols-2 content-start overflow-hidden ${className ?? ''}`}>
      {covers.slice(0, 4).map((cover, at) => (
        <Cover key={at} {...cover} size="small" />
      ))}
    </span>
  );
}

/** The covers of the first four packs that the samples come from. */
function coversOf(samples: readonly Sample[]) {
  const byPack = new Map(samples.map((sample) => [sample.pack.id, sample]));
  return [...byPack.values()].slice(0, 4).map(coverOf);
}

/** Covers, title, facts and price of a collection. */
export function CollectionHead(props: {
  name: string;
  title: ReactNode;
  description: ReactNode;
  samples: readonly Sample[];
  count: number;
  totalCredits: number;
  missingCredits: number;
  facts?: ReactNode;
  children?: ReactNode;
}) {
  const { name, title, description, samples, count, totalCredits, missingCredits, facts, children } = props;
  const audible = samples.filter(({ previewUrl }) => previewUrl);
  const [first] = audible;
  return (
    <div className="gutter flex items-end gap-7 pt-3 pb-6 max-md:items-start max-md:gap-5">
      <Covers covers={coversOf(samples)} name={name} className="w-45 flex-none max-md:w-28" />
      <div className="min-w-0 flex-1">
        {title}
        {description}
        <p className="mt-3 flex flex-wrap gap-x-4 gap-y-1 text-muted">
          <span>{countOf(count, 'sample')}</span>
          <span>{countOf(totalCredits, 'credit')} for all</span>
          {missingCredits < totalCredits && (
            <span>
              {missingCredits === 0
                ? 'You have all of it'
                : `${countOf(missingCredits, 'credit')} for what you lack`}
            </span>
          )}
          {facts}
        </p>
        <div className="mt-5 flex flex-wrap gap-2">
          {first && (
            <Button
              tone="primary"
              icon={<Play size={17} />}
              onClick={() => void player.play(first, { queue: audible })}
            >
              Play
            </Button>
          )}
          {children}
        </div>
      </div>
    </div>
  );
}
