import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import type * as z from 'zod';
import type {
  AdjustmentAnswer,
  AdjustmentBody,
  AdjustmentPage,
  CreatorApplicationPage,
  DefectAnswer,
  DeferredReturnPage,
  LoggedMailPage,
  PaidInvoices,
  PeopleAnswer,
  RefundAnswer,
  TakedownAnswer,
} from '../../../application/administration/contract.js';
import type { Collection, CollectionPage, FeaturedSlugs } from '../../../application/catalogue/contract.js';
import type { ReportPage } from '../../../application/reports/contract.js';
import { soundsQuery } from './catalogue.js';
import { api } from './http.js';
import { sendOnce } from './idempotency-key.js';
import { queryClient } from './query-client.js';

export type Application = CreatorApplicationPage['items'][number];
export type LoggedMail = LoggedMailPage['items'][number];
export type DeferredReturn = DeferredReturnPage['items'][number];
export type Adjustment = AdjustmentPage['items'][number];
/** What administrators may do about somebody's creator access. */
export type StandingDecision = 'approve' | 'decline' | 'suspend' | 'reinstate';

const LIMIT = 100;

/** People by what was decided about their creator access. */
export const applicationsQuery = (status: 'applied' | 'approved' | 'declined' | 'suspended') =>
  queryOptions({
    queryKey: ['admin', 'applications', status],
    queryFn: ({ signal }) =>
      api.get<CreatorApplicationPage>('/api/admin/creator-applications', {
        query: { status, limit: LIMIT },
        signal,
      }),
    staleTime: 5_000,
  });

/** What administrators gave and took; what waits for a second person first. */
export const adjustmentsQuery = queryOptions({
  queryKey: ['admin', 'adjustments'],
  queryFn: ({ signal }) =>
    api.get<AdjustmentPage>('/api/admin/adjustments', { query: { limit: LIMIT }, signal }),
  staleTime: 5_000,
});

/** The contract refuses fewer letters. */
export const SHORTEST_SEARCH = 2;

/** People by e-mail address, name, handle or id. @param text trimmed, at least SHORTEST_SEARCH letters */
export const peopleQuery = (text: string) =>
  queryOptions({
    queryKey: ['admin', 'people', text],
    queryFn: ({ signal }) => api.get<PeopleAnswer>('/api/admin/people', { query: { q: text }, signal }),
    staleTime: 30_000,
    placeholderData: keepPreviousData,
  });

/** What somebody paid, newest first. */
export const paidInvoicesQuery = (userId: string) =>
  queryOptions({
    queryKey: ['admin', 'invoices', userId],
    queryFn: ({ signal }) =>
      api.get<PaidInvoices>(`/api/admin/people/${encodeURIComponent(userId)}/invoices`, { signal }),
    staleTime: 5_000,
  });

/** What people reported, newest first. */
export const reportsQuery = queryOptions({
  queryKey: ['admin', 'reports'],
  queryFn: ({ signal }) => api.get<ReportPage>('/api/reports', { query: { limit: LIMIT }, signal }),
  staleTime: 5_000,
});

/** What became of mails, newest first. @param to the beginning of the recipient's address, empty for all */
export const mailsQuery = (to: string) =>
  infiniteQueryOptions({
    queryKey: ['admin', 'mails', to],
    queryFn: ({ signal, pageParam }) =>
      api.get<LoggedMailPage>('/api/admin/mails', { query: { to, limit: 50, cursor: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    staleTime: 5_000,
  });

/** Returns that wait, or waited, for a bank to decide about the payment, newest first. */
export const deferredReturnsQuery = queryOptions({
  queryKey: ['admin', 'deferred returns'],
  queryFn: ({ signal }) =>
    api.get<DeferredReturnPage>('/api/admin/deferred-returns', { query: { limit: LIMIT }, signal }),
  staleTime: 5_000,
});

/** Whether sent mails are kept to be read: only where no mail server is configured. */
export const mailboxQuery = queryOptions({
  queryKey: ['admin', 'mailbox'],
  queryFn: async ({ signal }) => {
    await api.get('/dev/info', { signal });
    return true;
  },
  staleTime: Number.POSITIVE_INFINITY,
});

/** Slugs of the collections that Sounds puts forward, in their order; none where the fullest stand there. */
export const featuredCollectionsQuery = queryOptions({
  queryKey: ['admin', 'featured collections'],
  queryFn: ({ signal }) => api.get<FeaturedSlugs>('/api/admin/featured-collections', { signal }),
  staleTime: 5_000,
});

/** Every collection that can be featured, by name. */
export const everyCollectionQuery = queryOptions({
  queryKey: ['admin', 'every collection'],
  queryFn: async ({ signal }) => {
    const items: Collection[] = [];
    let cursor: string | undefined;
    do {
      const query = { limit: LIMIT, cursor };
      const page = await api.get<CollectionPage>('/api/collections', { query, signal });
      items.push(...page.items);
      cursor = page.nextCursor ?? undefined;
    } while (cursor);
    return items.sort((a, b) => a.name.localeCompare(b.name));
  },
  staleTime: 60_000,
});

const changed = (list: 'applications' | 'adjustments' | 'deferred returns') =>
  void queryClient.invalidateQueries({ queryKey: ['admin', list] });

/** @param reason needed to decline and to suspend */
export async function decideStanding(id: string, decision: StandingDecision, reason?: string): Promise<void> {
  const of = decision === 'approve' || decision === 'decline' ? 'creator-applications' : 'creators';
  await api.post(`/api/admin/${of}/${encodeURIComponent(id)}/${decision}`, reason ? { reason } : {});
  changed('applications');
}

export async function decideAdjustment(
  id: string,
  decision: 'approve' | 'decline',
): Promise<AdjustmentAnswer> {
  try {
    return await api.post<AdjustmentAnswer>(`/api/admin/adjustments/${encodeURIComponent(id)}/${decision}`);
  } finally {
    changed('adjustments');
  }
}

/** A request that moves credits or money. Repeating it after a lost answer does it once. */
async function once<Answer>(path: string, body: object): Promise<Answer> {
  return sendOnce(`${path} ${JSON.stringify(body)}`, (idempotencyKey) =>
    api.post<Answer>(path, body, { idempotencyKey }),
  );
}

/** Gives or takes credits; many of them wait for a second person. */
export async function adjustCredits(body: AdjustmentBody): Promise<AdjustmentAnswer> {
  const answer = await once<AdjustmentAnswer>('/api/admin/adjustments', body);
  changed('adjustments');
  return answer;
}

/** Sends back what is unspent of an invoice. @param of the invoice, or the lot of credits that it paid for */
export function refundInvoice(
  of: { invoiceId: string } | { lotId: string },
  reason: string,
): Promise<RefundAnswer> {
  return once('/api/admin/refunds', { ...of, reason });
}

/** Takes a pack out of the shop; who bought of it gets the credits back. */
export async function takeDown(packId: string, reason: string): Promise<z.infer<typeof TakedownAnswer>> {
  const answer = await api.post<z.infer<typeof TakedownAnswer>>('/api/admin/takedowns', { packId, reason });
  changed('deferred returns');
  return answer;
}

/** Gives back the credits that a defective sample cost. */
export async function returnDefective(
  sampleId: string,
  reason: string,
): Promise<z.infer<typeof DefectAnswer>> {
  const answer = await api.post<z.infer<typeof DefectAnswer>>('/api/admin/defects', { sampleId, reason });
  changed('deferred returns');
  return answer;
}

/** Puts collections forward on Sounds, in this order. @param slugs none: the fullest stand there */
export async function featureCollections(slugs: string[]): Promise<void> {
  const answer = await api.put<FeaturedSlugs>('/api/admin/featured-collections', { slugs });
  queryClient.setQueryData(featuredCollectionsQuery.queryKey, answer);
  void queryClient.invalidateQueries(soundsQuery);
}
