import './staff-caching.js';
import { queryOptions } from '@tanstack/react-query';
import { api, apiOnce, pages } from './api.js';
import type { Answer, Input } from './endpoints.js';
import { invalidate } from './query-client.js';

export type ComplaintItem = Answer<'GET /api/admin/complaints'>['items'][number];
export type Complaint = Answer<'GET /api/admin/complaints/:id'>;
export type ComplaintAnswer = Input<'POST /api/admin/complaints/:id/answer'>['body'];
export type CounterAnswer = Input<'POST /api/admin/complaints/:id/answer-counter-notice'>['body'];

export const complaintsQuery = (state: 'waiting' | 'closed') =>
  pages('GET /api/admin/complaints', { query: { state, limit: 100 } });

export const previewQuery = (id: string, body: ComplaintAnswer) =>
  queryOptions({
    queryKey: ['POST /api/admin/complaints/:id/preview', id, body] as const,
    queryFn: () => api('POST /api/admin/complaints/:id/preview', { params: { id }, body }),
  });

const changed = () => void invalidate('GET /api/admin/complaints', 'GET /api/admin/complaints/:id');

export const holdComplainedAbout = (id: string) =>
  apiOnce('POST /api/admin/complaints/:id/hold', { params: { id } }).finally(changed);

export const answerComplaint = (id: string, body: ComplaintAnswer) =>
  apiOnce('POST /api/admin/complaints/:id/answer', { params: { id }, body }).finally(changed);

export const answerCounterNotice = (id: string, body: CounterAnswer) =>
  apiOnce('POST /api/admin/complaints/:id/answer-counter-notice', { params: { id }, body }).finally(changed);

export const barComplainant = (id: string, isBarred: boolean, reason: string) =>
  api('POST /api/admin/complaints/:id/bar', { params: { id }, body: { isBarred, reason } }).finally(changed);
