import { queryOptions } from '@tanstack/react-query';
import { api, query } from './api.js';
import type { Answer } from './endpoints.js';
import { invalidate } from './query-client.js';

export type OwnCopy = Answer<'GET /api/creator/copies'>['items'][number];
export type ClaimKind = 'licence' | 'own work';

export const ownCopiesQuery = queryOptions({ ...query('GET /api/creator/copies'), staleTime: 5_000 });

const told = () => void invalidate('GET /api/creator/copies');

/** Says why a sound that may be a copy is one's own to sell. */
export async function showLicence(id: string, kind: ClaimKind, text: string): Promise<void> {
  await api('POST /api/creator/copies/:id/licence', { params: { id }, body: { kind, text } }).finally(told);
}

/** Says what one knows about what may be a copy of one's own sound. */
export async function answerSuspicion(id: string, text: string): Promise<void> {
  await api('POST /api/creator/copies/:id/answer', { params: { id }, body: { text } }).finally(told);
}

/** Says why a recording that another creator published first is one's own to sell, too. */
export async function claimRecording(sampleId: string, kind: ClaimKind, text: string): Promise<void> {
  await api('POST /api/creator/copies', { body: { sampleId, kind, text } }).finally(told);
}
