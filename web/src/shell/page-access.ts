import {
  useQuery,
  type FetchInfiniteQueryOptions,
  type FetchQueryOptions,
  type QueryClient,
} from '@tanstack/react-query';
import type { User } from '../../../application/accounts/contract.js';
import type { CreatorState } from '../../../application/publishing/contract.js';
import { creatorQuery } from '../api/account.js';
import { queryClient } from '../api/query-client.js';
import type { Page, PageAccess, Address, FirstQuery } from '../page.js';
import { currentSession, sessionKnown, useSession } from '../session/session.js';
import { fetchAhead } from './lazy-with-preload.js';

function hasAccess(access: PageAccess, user: User, creator: CreatorState | undefined): boolean {
  if (access === 'user') return true;
  if (access === 'payee') return user.isCreator || creator?.status === 'suspended';
  return user.roles.includes(access);
}

/** Whether access also depends on the creator status: suspended creators may still see their earnings. */
const creatorDecides = (access: PageAccess, user: User | null): boolean =>
  access === 'payee' && user?.isCreator === false;

/** The user, if the user may open a page; null if not; undefined until this is known. */
export function usePersonFor(access: PageAccess): User | null | undefined {
  const { status, user } = useSession();
  const enabled = creatorDecides(access, user);
  const { data, isLoading } = useQuery({ ...creatorQuery, enabled });
  // `isLoading` is true even for a disabled query while another component fetches it.
  if (status === 'loading' || (enabled && isLoading)) return undefined;
  return user && hasAccess(access, user, data) ? user : null;
}

/** Resolves to whether the visitor may open a page, once that is known. */
export async function opens({ access }: Page): Promise<boolean> {
  if (!access) return true;
  await sessionKnown();
  const { user } = currentSession();
  const creator = creatorDecides(access, user)
    ? await queryClient.fetchQuery(creatorQuery).catch(() => undefined)
    : undefined;
  return user !== null && hasAccess(access, user, creator);
}

/** Starts the query of `load` at once, and the other first queries once it is known that the visitor has access. */
export async function askFirst(page: Page, address: Address, start: (query: FirstQuery) => void) {
  const question = page.load?.(address);
  if (question) start(question);
  if (!page.queries) return;
  const [file, isOpen] = await Promise.all([fetchAhead(page.queries), opens(page)]);
  if (isOpen) file?.default(address, currentSession().user).forEach(start);
}

/** Fetches an answer, or the first page of a list, unless the cache has a fresh one. */
export function fetchFirst(client: QueryClient, query: FirstQuery): void {
  if ('initialPageParam' in query) void client.prefetchInfiniteQuery(query as FetchInfiniteQueryOptions);
  else void client.prefetchQuery<unknown>(query as FetchQueryOptions);
}
