import './library.css';
import { type InfiniteData, type UseInfiniteQueryResult, useInfiniteQuery } from '@tanstack/react-query';
import { Search } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { downloadsQuery, savedQuery } from '../../api/account.js';
import { useNextPages } from '../../api/next-page.js';
import { libraryTabOf, paths } from '../../paths.js';
import { PageTitle } from '../../shell/page-frame.js';
import { SelectControl } from '../../ui/forms/field.js';
import { EmptyState, ErrorPanel, QueryFailure } from '../../ui/states.js';
import { Tabs } from '../../ui/tabs.js';
import { DownloadsTab } from './downloads-tab.js';
import { CollectionsTab } from './collections-tab.js';
import { type Entry, ORDERS, type Order, arranged, downloadEntry, savedEntry } from './entries.js';
import { LibrarySkeleton } from './library-list.js';
import { SavedTab } from './saved-tab.js';

/** The entries of a list. Loads all pages, so that search and order cover the whole list. */
function useEntries<Row>(
  query: UseInfiniteQueryResult<InfiniteData<{ items: Row[] }>>,
  entryOf: (row: Row) => Entry,
): Entry[] {
  const { data } = query;
  useNextPages(query);
  return useMemo(() => data?.pages.flatMap(({ items }) => items.map(entryOf)) ?? [], [data, entryOf]);
}

const EMPTY = {
  saved: { title: 'No saved content yet.', text: 'Bookmark a sample and it will appear here.' },
  downloads: {
    title: 'No downloads yet.',
    text: 'Everything you download stays here. Downloading it again is free.',
  },
};

function Samples(props: {
  tab: keyof typeof EMPTY;
  query: UseInfiniteQueryResult<unknown>;
  entries: Entry[];
  text: string;
  order: Order;
}) {
  const { tab, query, entries, text, order } = props;
  const shown = { entries: arranged(entries, text, order), text, order };
  return (
    <>
      {!query.data && !query.error && <LibrarySkeleton />}
      <QueryFailure of={query} title="Your library could not be loaded" className="pt-8" />
      {query.isFetchNextPageError && (
        <div className="pt-5">
          <ErrorPanel
            title="Part of your library could not be loaded"
            onRetry={() => void query.fetchNextPage()}
            retrying={query.isFetchingNextPage}
            error={query.error}
          />
        </div>
      )}
      {query.data && entries.length === 0 && (
        <div className="pt-8">
          <EmptyState title={EMPTY[tab].title} link={{ to: paths.sounds, label: 'Explore Sounds' }}>
            {EMPTY[tab].text}
          </EmptyState>
        </div>
      )}
      {entries.length > 0 &&
        (tab === 'saved' ? (
          <SavedTab {...shown} />
        ) : (
          <DownloadsTab {...shown} purchases={query.hasNextPage ? undefined : entries.length} />
        ))}
    </>
  );
}

export default function LibraryScreen() {
  const [parameters, setParameters] = useSearchParams();
  const [text, setText] = useState('');
  const [order, setOrder] = useState<Order>('newest');
  const tab = libraryTabOf(parameters);
  const saved = useInfiniteQuery(savedQuery);
  const downloads = useInfiniteQuery(downloadsQuery);
  const savedEntries = useEntries(saved, savedEntry);
  const downloadEntries = useEntries(downloads, downloadEntry);
  const ofSamples = tab === 'collections' ? null : tab;
  return (
    <div className="gutter pt-9 pb-28">
      <PageTitle />
      <div className="mb-5 flex flex-wrap items-end justify-between gap-4">
        <h1 className="display text-8xl">My Library</h1>
        <div className="flex w-full gap-2 sm:w-auto" hidden={ofSamples === null}>
          <label className="relative min-w-0 flex-1 sm:w-70">
            <span className="sr-only">Search your library</span>
            <Search
              size={16}
              className="pointer-events-none absolute top-1/2 left-3.5 -translate-y-1/2 text-muted"
            />
            <input
              type="search"
              className="field min-h-10! pl-10! text-base!"
              placeholder="Search your library"
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
          </label>
          <label>
            <span className="sr-only">Order</span>
            <SelectControl
              className="min-h-10! w-auto! border-line! bg-raised! text-sm! font-semibold"
              value={order}
              onChange={(event) => setOrder(event.target.value as Order)}
            >
              {Object.entries(ORDERS).map(([value, label]) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </SelectControl>
          </label>
        </div>
      </div>
      <Tabs
        label="My Library"
        tabs={[
          { id: 'saved', label: 'Saved Content', count: saved.data ? savedEntries.length : null },
          {
            id: 'downloads',
            label: 'Downloaded Content',
            count: downloads.data ? downloadEntries.length : null,
          },
          { id: 'collections', label: 'Collections' },
        ]}
        value={tab}
        onChange={(next) => setParameters({ [next]: '' }, { replace: true })}
      >
        {ofSamples === null ? (
          <CollectionsTab />
        ) : (
          <Samples
            tab={ofSamples}
            query={ofSamples === 'saved' ? saved : downloads}
            entries={ofSamples === 'saved' ? savedEntries : downloadEntries}
            text={text}
            order={order}
          />
        )}
      </Tabs>
    </div>
  );
}
