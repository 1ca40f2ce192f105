import {
  type InfiniteData,
  type QueryKey,
  type UseInfiniteQueryOptions,
  useInfiniteQuery,
} from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import { everyPage } from '../../api/query-client.js';
import { Button } from '../../ui/button.js';
import { Problem } from '../../ui/states.js';

export interface PagedList<Item> {
  /** Undefined before the first answer. */
  data: { items: readonly Item[] } | undefined;
  error: unknown;
  refetch: () => unknown;
  isFetching: boolean;
  isRefetching: boolean;
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  isFetchNextPageError: boolean;
  fetchNextPage: () => unknown;
  /** Loads every row, for a file. `isWhole` is false if there are more rows than a file may have. */
  every: () => Promise<{ items: readonly Item[]; isWhole: boolean }>;
}

interface Page {
  nextCursor: string | null;
}
type Options<Answer, Key extends QueryKey> = UseInfiniteQueryOptions<
  Answer,
  Error,
  InfiniteData<Answer>,
  Key,
  string | undefined
>;

const itemsOf = <Item,>({ items }: { items: Item[] }): Item[] => items;

/** The loaded rows of a list that the server returns page by page; `first` is its first page. */
export const usePages = <Answer extends Page & { items: unknown[] }, Key extends QueryKey>(
  options: Options<Answer, Key>,
) => usePagesOf<Answer, Key, Answer['items'][number]>(options, itemsOf);

/** `usePages` for lists whose rows are not called `items`. */
export function usePagesOf<Answer extends Page, Key extends QueryKey, Item>(
  options: Options<Answer, Key>,
  rowsOf: (page: Answer) => readonly Item[],
): PagedList<Item> & { first: Answer | undefined } {
  const { data, ...query } = useInfiniteQuery(options);
  const items = useMemo(() => data?.pages.flatMap(rowsOf), [data, rowsOf]);
  const every = async () => {
    const pages = await everyPage<Answer>(options);
    return { items: pages.flatMap(rowsOf), isWhole: pages.at(-1)?.nextCursor === null };
  };
  return { ...query, data: items && { items }, first: data?.pages[0], every };
}

/** The button for the next page below a list, and the reason of a failure. Renders nothing once all rows are shown. */
export function More({ of: list, children }: { of: PagedList<unknown>; children: ReactNode }) {
  if (!list.hasNextPage) return null;
  return (
    <div className="mt-4 flex flex-wrap items-center gap-4">
      <Button busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
        {children}
      </Button>
      <Problem of={list.isFetchNextPageError && list.error} />
    </div>
  );
}
