import '../../samples/sample-row.css';
import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { dragOut } from '../../downloads/drag-out.js';
import { packPathOf, paths } from '../../paths.js';
import { PickAll, PickBox } from '../../picks/pick-box.js';
import { PlayButton } from '../../player/play-button.js';
import { isSounding, usePlayback } from '../../player/player.js';
import { preloadSoon } from '../../player/preload.js';
import { SeekableWaveform } from '../../player/seekable-waveform.js';
import { countOf, formatDuration } from '../../ui/format.js';
import { Cover } from '../../ui/sound/cover.js';
import { KeyLabel, TempoLabel } from '../../ui/sound/key-tempo.js';
import { LoadingText, Skeleton } from '../../ui/states.js';
import { type Entry, type Neighbours, type Order, grouped, pickOfEntry } from './entries.js';

/**
 * Names the creator and the pack, such as "Junie Okafor in Kitchen Table Soul". Both names are links while the sample
 * is in the catalogue.
 */
function By({ entry }: { entry: Entry }) {
  const { sample, creator, pack } = entry;
  if (!sample) return pack ? `${creator} in ${pack}` : creator;
  return (
    <>
      <Link to={paths.creator(sample.creator.handle)} className="no-underline hover:underline">
        {creator}
      </Link>{' '}
      <span className="text-faint">in</span>{' '}
      <Link to={packPathOf(sample)} className="no-underline hover:underline">
        {pack}
      </Link>
    </>
  );
}

/** One saved or downloaded thing with its preview. A thing that left the catalogue keeps its row, without sound. */
export function LibraryRow(props: {
  entry: Entry;
  neighbours: Neighbours;
  /** Shown between tempo and actions. */
  facts: ReactNode;
  actions: ReactNode;
}) {
  const { entry, neighbours, facts, actions } = props;
  const { queue, things } = neighbours;
  const thing = pickOfEntry(entry);
  const { sample, title, genre, artworkUrl, pack, isPack, download } = entry;
  const playback = usePlayback(sample?.id ?? '');
  const current = sample !== null && isSounding(playback);
  return (
    <li
      className="sample-row lib-row"
      aria-current={current ? 'true' : undefined}
      onDragStart={download ? (event) => dragOut(event, download) : undefined}
    >
      <span className="flex pl-2 col-[select] @max-[560px]/library:pl-4">
        {thing && <PickBox thing={thing} list={() => things} />}
      </span>
      {sample?.previewUrl ? (
        <PlayButton
          sound={sample}
          queue={queue}
          className="play-button row-play"
          onFocus={() => preloadSoon(sample)}
        />
      ) : (
        <span className="row-play" aria-hidden="true" />
      )}
      <Cover title={pack || title} genre={genre} artworkUrl={artworkUrl} size="small" className="row-cover" />
      <div
        className="row-title"
        draggable={download !== null || undefined}
        title={download ? 'Drag it to your desktop or into your audio program' : undefined}
      >
        <p className="truncate text-md font-semibold">
          {sample ? (
            <Link to={paths.sample(sample.id)} className="no-underline hover:underline" draggable={false}>
              {title}
            </Link>
          ) : (
            title
          )}
        </p>
        <p className="truncate text-sm text-muted">
          <By entry={entry} />
        </p>
      </div>
      {sample?.previewUrl ? (
        <SeekableWaveform sound={sample} queue={queue} className="lib-wave" />
      ) : (
        <span className="lib-wave lib-wave-none content-center text-sm text-faint">
          {isPack ? 'Pack' : 'No longer in the catalogue'}
        </span>
      )}
      <span className="row-time narrow">{sample && formatDuration(sample.durationMs)}</span>
      <span className="col-[key] @max-[860px]/library:hidden">
        {sample && <KeyLabel musicalKey={sample.key} />}
      </span>
      <span className="col-[tempo] @max-[860px]/library:hidden">
        {sample && <TempoLabel bpm={sample.bpm} />}
      </span>
      {facts}
      <span className="col-[actions] flex min-w-11 items-center justify-end gap-1.5 @max-[560px]/library:gap-0">
        {actions}
      </span>
    </li>
  );
}

const DAY = 'flex items-center gap-3 border-b border-line px-2 pt-2 @max-[560px]/library:px-0';

export function LibraryList(props: {
  entries: readonly Entry[];
  order: Order;
  text: string;
  /** The noun for a row, such as "download". */
  noun: string;
  /** Shown to the right of the first day's heading. */
  note?: string;
  row: (entry: Entry, neighbours: Neighbours) => ReactNode;
}) {
  const { entries, order, text, noun, note, row } = props;
  const queue = entries.flatMap(({ sample }) => (sample?.previewUrl ? [sample] : []));
  const things = entries.flatMap((entry) => pickOfEntry(entry) ?? []);
  if (entries.length === 0)
    return <p className="py-14 text-center text-muted">Nothing in your library matches “{text.trim()}”.</p>;
  return (
    <div className="@container/library">
      {grouped(entries, order).map(({ name, entries: inGroup }, index) => (
        <section key={name ?? 'all'} aria-label={name ?? undefined}>
          <div className={clsx(DAY, index === 0 ? 'min-h-12.5' : 'min-h-13')}>
            {index === 0 && <PickAll list={things} className="mr-2" />}
            <h2 className="font-semibold">{name ?? 'All'}</h2>
            <span className="text-muted">{countOf(inGroup.length, noun)}</span>
            {index === 0 && note && <span className="ml-auto hidden text-muted sm:inline">{note}</span>}
          </div>
          <ul>{inGroup.map((entry) => row(entry, { queue, things }))}</ul>
        </section>
      ))}
    </div>
  );
}

export function LibrarySkeleton() {
  return (
    <div className="@container/library">
      <LoadingText>Loading your library...</LoadingText>
      <div className={`${DAY} min-h-12.5`}>
        <Skeleton className="h-3.5 w-32" />
      </div>
      {Array.from({ length: 6 }, (_, at) => (
        <div key={at} aria-hidden="true" className="sample-row lib-row sample-row-skeleton">
          <Skeleton className="row-cover" />
          <div className="row-title">
            <Skeleton className="h-3.5 w-3/5" />
            <Skeleton className="mt-2 h-3 w-2/5" />
          </div>
          <Skeleton className="lib-wave h-5!" />
        </div>
      ))}
    </div>
  );
}
