import { clsx } from 'clsx';
import { Link } from 'react-router-dom';
import type { PackCard as Pack } from '../../../application/catalogue/contract.js';
import { packQuery } from '../api/catalogue.js';
import { queryClient } from '../api/query-client.js';
import { packPath, paths } from '../paths.js';
import { player } from '../player/player.js';
import { showAlert } from '../ui/overlays/alerts.js';
import { Cover, coverOf } from '../ui/sound/cover.js';
import { countOf } from '../ui/format.js';
import { PlayIcon } from '../ui/marks.js';
import { notifyError } from '../ui/overlays/toast.js';

/** Plays the pack's first sample that has audio. The samples of the pack become the queue. */
async function playPack(pack: Pack): Promise<void> {
  try {
    const { samples } = await queryClient.fetchQuery(packQuery(pack.creator.handle, pack.slug));
    const first = samples.find((sample) => sample.previewUrl);
    if (first) await player.play(first, { queue: samples });
    else await showAlert({ title: 'Audio unavailable' });
  } catch (error) {
    notifyError(error);
  }
}

/** The round button that plays a pack, on its cover. @param className its place, size and look */
export function PackPlayButton({ pack, className }: { pack: Pack; className: string }) {
  return (
    <button
      type="button"
      className={clsx('play-button absolute bg-accent text-on-accent hover:bg-accent-hover', className)}
      aria-label={`Play ${pack.title}`}
      onClick={() => void playPack(pack)}
    >
      <PlayIcon />
    </button>
  );
}

export function PackCard(props: { pack: Pack; eager?: boolean; wide?: boolean; sizes?: string }) {
  const { pack, eager, wide, sizes } = props;
  const facts = (
    <>
      <span>{countOf(pack.sampleCount, 'sample')}</span>
      <span className={wide ? 'block text-right' : undefined}>{wide ? pack.genre : `, ${pack.genre}`}</span>
    </>
  );
  return (
    <article className="cover-hover group">
      <div className="relative">
        <Link to={packPath(pack)} className="block">
          <Cover {...coverOf(pack)} sizes={sizes} eager={eager} labelled />
          <span className="sr-only">{`${pack.title}, open pack`}</span>
        </Link>
        <PackPlayButton
          pack={pack}
          className="right-2.75 bottom-2.75 size-10 opacity-0 transition-opacity duration-120 ease-(--ease) group-hover:opacity-100 focus-visible:opacity-100 [@media(hover:none)]:hidden"
        />
      </div>
      <div className="mt-2.5 flex justify-between gap-3 leading-[1.35]">
        <div className="min-w-0">
          <h3 className="truncate text-md font-semibold">
            <Link to={packPath(pack)} className="no-underline">
              {pack.title}
            </Link>
          </h3>
          <p className="truncate">
            <Link to={paths.creator(pack.creator.handle)} className="text-muted no-underline hover:underline">
              {pack.creator.displayName}
            </Link>
          </p>
          {!wide && <p className="truncate text-sm text-muted max-md:hidden">{facts}</p>}
        </div>
        {wide && <p className="flex-none text-muted max-md:hidden">{facts}</p>}
      </div>
    </article>
  );
}

export function PackCardSkeleton() {
  return (
    <div aria-hidden="true">
      <span className="skeleton skeleton-cover after-150ms block aspect-square" />
      <span className="skeleton after-150ms mt-3.5 block h-3.5 w-3/5" />
      <span className="skeleton after-150ms mt-2 block h-3 w-2/5" />
      <span className="skeleton after-150ms mt-2 block h-2.5 w-1/2 max-md:hidden" />
    </div>
  );
}
