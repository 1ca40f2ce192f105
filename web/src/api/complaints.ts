import { queryOptions } from '@tanstack/react-query';
import type { SUBJECT_KINDS } from '../../../application/complaints/values.js';
import { api, query } from './api.js';
import type { Answer } from './endpoints.js';
import { invalidate } from './query-client.js';

export type OwnComplaint = Answer<'GET /api/complaints/:id'>;
export type ComplaintSubject = Answer<'GET /api/complaints/subject'>;
export type SubjectKind = (typeof SUBJECT_KINDS)[number];

const FRESH_MS = 5_000;

export const ownComplaintsQuery = queryOptions({ ...query('GET /api/complaints'), staleTime: FRESH_MS });

/** @param token from a mailed link; null: the session identifies the person */
export const complaintQuery = (id: string, token: string | null) =>
  queryOptions({
    ...query('GET /api/complaints/:id', { params: { id }, query: token === null ? {} : { token } }),
    staleTime: FRESH_MS,
    retry: false,
  });

export const complaintSubjectQuery = (kind: SubjectKind, id: string) =>
  queryOptions({ ...query('GET /api/complaints/subject', { query: { kind, id } }), retry: false });

export const transparencyQuery = queryOptions({ ...query('GET /api/transparency'), staleTime: FRESH_MS });

const told = () => {
  void invalidate('GET /api/complaints');
  void invalidate('GET /api/complaints/:id');
};

export const withdrawComplaint = (id: string, token: string | null) =>
  api('POST /api/complaints/:id/withdraw', { params: { id }, body: token === null ? {} : { token } }).finally(
    told,
  );

/** Objects to a measure that removed something. */
export const fileCounterNotice = (id: string, text: string) =>
  api('POST /api/complaints/:id/counter-notice', {
    params: { id },
    body: { text, inGoodFaith: true },
  }).finally(told);
