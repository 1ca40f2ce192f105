import './staff-caching.js';
import { queryOptions } from '@tanstack/react-query';
import type {
  AdjustmentBody,
  CreatorApplicationPage,
  JobsAnswer,
} from '../../../application/administration/contract.js';
import { api, apiOnce, pages, query, queryKeyOf } from './api.js';
import type { Answer } from './endpoints.js';
import { everyPage, invalidate, outdating, queryClient } from './query-client.js';

export type Application = CreatorApplicationPage['items'][number];
export type KindOfJobs = JobsAnswer['kinds'][number];
export type FailedJob = JobsAnswer['items'][number];
export type RunningJob = JobsAnswer['running'][number];
export type CreatorStatusDecision = 'approve' | 'ask' | 'decline' | 'suspend' | 'reinstate';

const LIMIT = 100;

/** People by the status of their creator access. `renamed`: approved creators who changed a verified name. */
export const applicationsQuery = (
  status: 'applied' | 'asked' | 'approved' | 'renamed' | 'declined' | 'suspended',
) => pages('GET /api/admin/creator-applications', { query: { status, limit: LIMIT } });

/** Finds people by e-mail address, name, handle or id. @param text at least PEOPLE_SEARCH_MIN_LENGTH letters */
export const peopleQuery = (text: string) => query('GET /api/admin/people', { query: { q: text } });

export const endSessionsOf = (userId: string, reason: string) =>
  outdating(
    api('DELETE /api/admin/people/:userId/sessions', { params: { userId }, body: { reason } }),
    'GET /api/admin/people/:userId/sessions',
  );

export const reportsQuery = pages('GET /api/reports', { query: { limit: LIMIT } });

/** Mails and their delivery status, newest first. @param to prefix of the recipient's address; empty for all */
export const mailsQuery = (to: string) => pages('GET /api/admin/mails', { query: { to, limit: 50 } });

export const decideOnJob = (id: string, decision: 'retry' | 'discard' | 'cancel') =>
  api(`POST /api/admin/jobs/:id/${decision}`, { params: { id } }).finally(
    () => void invalidate('GET /api/admin/jobs'),
  );

/** Returned purchases whose credits wait or waited for a bank's decision about the payment, newest first. */
export const deferredReturnsQuery = pages('GET /api/admin/deferred-returns', { query: { limit: LIMIT } });

/** Every collection that can be featured, sorted by name. */
export const everyCollectionQuery = queryOptions({
  queryKey: [...queryKeyOf('GET /api/collections'), 'every'],
  queryFn: async () => {
    const list = pages('GET /api/collections', { query: { limit: LIMIT } });
    const found = await everyPage<Answer<'GET /api/collections'>>(list);
    return found.flatMap(({ items }) => items).sort((a, b) => a.name.localeCompare(b.name));
  },
  staleTime: 60_000,
});

/** @param reason required for the decisions `ask`, `decline` and `suspend` */
export async function decideOnCreator(userId: string, decision: CreatorStatusDecision, reason = '') {
  const params = { userId };
  const said = { params, body: { reason } };
  if (decision === 'approve') await api('POST /api/admin/creator-applications/:userId/approve', { params });
  else if (decision === 'decline') await api('POST /api/admin/creator-applications/:userId/decline', said);
  else if (decision === 'ask') await api('POST /api/admin/creator-applications/:userId/ask', said);
  else if (decision === 'suspend') await api('POST /api/admin/creators/:userId/suspend', said);
  else await api('POST /api/admin/creators/:userId/reinstate', { params });
  void invalidate('GET /api/admin/creator-applications');
}

/** @param displayName the name that the administrator checked; undefined ends the verification */
export async function setVerified(userId: string, displayName?: string): Promise<void> {
  const params = { userId };
  try {
    if (displayName === undefined) await api('POST /api/admin/creators/:userId/end-verification', { params });
    else await api('POST /api/admin/creators/:userId/verify', { params, body: { displayName } });
  } finally {
    // Refetches even if the server refuses. It refuses if the creator has changed the name since the administrator
    // loaded the list, so the list is stale.
    void invalidate('GET /api/admin/creator-applications');
  }
}

/** Gives or takes credits; large amounts wait for a second person's approval. */
export const adjustCredits = (body: AdjustmentBody) =>
  outdating(apiOnce('POST /api/admin/adjustments', { body }), 'GET /api/admin/approvals');

/**
 * Refunds the unspent part of an invoice, or requests a second person's approval. The caller names the invoice by
 * its own id, or by the id of a lot that the invoice paid for.
 */
export const refundInvoice = (of: { invoiceId: string } | { lotId: string }, reason: string) =>
  apiOnce('POST /api/admin/refunds', { body: { ...of, reason } });

export const takeDown = (packId: string, reason: string) =>
  outdating(
    api('POST /api/admin/takedowns', { body: { packId, reason } }),
    'GET /api/admin/deferred-returns',
  );

export const returnDefective = (sampleId: string, reason: string) =>
  outdating(
    api('POST /api/admin/defects', { body: { sampleId, reason } }),
    'GET /api/admin/deferred-returns',
  );

/**
 * Features collections on the page "Sounds", in this order.
 * @param slugs if empty, the page features the largest collections
 */
export async function featureCollections(slugs: string[]): Promise<void> {
  const answer = await api('PUT /api/admin/featured-collections', { body: { slugs } });
  queryClient.setQueryData(query('GET /api/admin/featured-collections').queryKey, answer);
  void queryClient.invalidateQueries(query('GET /api/sounds'));
}
