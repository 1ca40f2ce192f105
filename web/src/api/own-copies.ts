import { queryOptions } from '@tanstack/react-query';
import { api, query } from './api.js';
import type { Answer } from './endpoints.js';
import { invalidate } from './query-client.js';

export type OwnCopy = Answer<'GET /api/creator/copies'>['items'][number];
export type ClaimKind = 'licence' | 'own work';

export const ownCopiesQuery = queryOptions({ ...query('GET /api/creator/copies'), staleTime: 5_000 });

const told = () => void invalidate('GET /api/creator/copies');

/** States why the creator may sell a sound that is a suspected copy. */
export async function showLicence(id: string, kind: ClaimKind, text: string): Promise<void> {
  await api('POST /api/creator/copies/:id/licence', { params: { id }, body: { kind, text } }).finally(told);
}

/** Sends what a creator knows about a suspected copy of their sound. */
export async function answerSuspicion(id: string, text: string): Promise<void> {
  await api('POST /api/creator/copies/:id/answer', { params: { id }, body: { text } }).finally(told);
}

/** States why the creator may sell a recording that another creator published first. */
export async function claimRecording(sampleId: string, kind: ClaimKind, text: string): Promise<void> {
  await api('POST /api/creator/copies', { body: { sampleId, kind, text } }).finally(told);
}
