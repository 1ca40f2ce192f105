import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api, pages, query } from './api.js';
import type { Answer, Input } from './endpoints.js';
import { invalidate } from './query-client.js';
import { sendOnce } from './transport/idempotency-key.js';

export type ComplaintItem = Answer<'GET /api/admin/complaints'>['items'][number];
export type Complaint = Answer<'GET /api/admin/complaints/:id'>;
export type ComplaintAnswer = Input<'POST /api/admin/complaints/:id/answer'>['body'];
export type CounterAnswer = Input<'POST /api/admin/complaints/:id/answer-counter-notice'>['body'];

const FRESH_MS = 5_000;
const LIMIT = 100;

/** Waiting complaints by deadline, or closed ones by newest answer. */
export const complaintsQuery = (state: 'waiting' | 'closed') =>
  infiniteQueryOptions({
    ...pages('GET /api/admin/complaints', { query: { state, limit: LIMIT } }),
    staleTime: FRESH_MS,
    refetchInterval: 10_000,
  });

export const adminComplaintQuery = (id: string) =>
  queryOptions({ ...query('GET /api/admin/complaints/:id', { params: { id } }), staleTime: FRESH_MS });

export const previewQuery = (id: string, body: ComplaintAnswer) =>
  queryOptions({
    queryKey: ['POST /api/admin/complaints/:id/preview', id, body] as const,
    queryFn: () => api('POST /api/admin/complaints/:id/preview', { params: { id }, body }),
  });

const told = () => {
  void invalidate('GET /api/admin/complaints');
  void invalidate('GET /api/admin/complaints/:id');
};

export const holdComplainedAbout = (id: string) =>
  sendOnce(`hold ${id}`, (idempotencyKey) =>
    api('POST /api/admin/complaints/:id/hold', { params: { id }, idempotencyKey }),
  ).finally(told);

export const answerComplaint = (id: string, body: ComplaintAnswer) =>
  sendOnce(`answer ${id} ${JSON.stringify(body)}`, (idempotencyKey) =>
    api('POST /api/admin/complaints/:id/answer', { params: { id }, body, idempotencyKey }),
  ).finally(told);

export const answerCounterNotice = (id: string, body: CounterAnswer) =>
  sendOnce(`counter ${id} ${JSON.stringify(body)}`, (idempotencyKey) =>
    api('POST /api/admin/complaints/:id/answer-counter-notice', { params: { id }, body, idempotencyKey }),
  ).finally(told);

export const barComplainant = (id: string, isBarred: boolean, reason: string) =>
  api('POST /api/admin/complaints/:id/bar', { params: { id }, body: { isBarred, reason } }).finally(told);
