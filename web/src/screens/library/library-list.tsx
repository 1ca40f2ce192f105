import { clsx } from 'clsx';
import { useMemo, type ReactNode } from 'react';
import type { Sample } from '../../../../application/catalogue/contract.js';
import { countOf } from '../../ui/format.js';
import { LoadingText, Skeleton } from '../../ui/states.js';
import { type Entry, type Order, grouped } from './entries.js';

const DAY = 'flex items-center gap-3 border-b border-line px-2 pt-2';

/** Rows grouped by day. */
export function LibraryList(props: {
  entries: readonly Entry[];
  order: Order;
  /** The noun for a row, such as "download". */
  noun: string;
  /** Shown to the right of the first day. */
  note?: string;
  row: (entry: Entry, queue: readonly Sample[]) => ReactNode;
}) {
  const { entries, order, noun, note, row } = props;
  const groups = useMemo(() => grouped(entries, order), [entries, order]);
  const queue = useMemo(
    () => entries.flatMap(({ sample }) => (sample?.previewUrl ? [sample] : [])),
    [entries],
  );
  return (
    <div className="@container/library">
      {groups.map(({ name, entries: inGroup }, index) => (
        <section key={name ?? 'all'} aria-label={name ?? undefined}>
          <div className={clsx(DAY, index === 0 ? 'min-h-12.5' : 'min-h-13')}>
            <h2 className="font-semibold">{name ?? 'All'}</h2>
            <span className="text-muted">{countOf(inGroup.length, noun)}</span>
            {index === 0 && note && <span className="ml-auto hidden text-muted sm:inline">{note}</span>}
          </div>
          <ul>{inGroup.map((entry) => row(entry, queue))}</ul>
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
