import type { Split, SplitOffer } from '../../../application/payouts/contract.js';
import { apiOnce, pages } from '../api/api.js';
import { invalidate } from '../api/query-client.js';

/** The agreements of the user to split sales, newest first. @param packId limits them to this pack */
export const splitsQuery = (packId?: string) =>
  pages('GET /api/splits', { query: { limit: 100, ...(packId && { packId }) } });

const changed = <Answer>(answer: Promise<Answer>): Promise<Answer> =>
  answer.finally(() => void invalidate('GET /api/splits'));

export const offerSplit = (packId: string, body: SplitOffer) =>
  changed(apiOnce('POST /api/creator/packs/:id/splits', { params: { id: packId }, body }));

const ANSWERS = {
  accept: 'POST /api/splits/:id/accept',
  decline: 'POST /api/splits/:id/decline',
  end: 'POST /api/splits/:id/end',
} as const;

export const answerSplit = ({ id }: Split, answer: keyof typeof ANSWERS) =>
  changed(apiOnce(ANSWERS[answer], { params: { id } }));

export const isOpenSplit = ({ status }: Split): boolean => status === 'proposed' || status === 'accepted';

/** Returns basis points as a percentage, such as "25 %" or "12.5 %". */
export const inPercent = (bps: number): string => `${bps / 100} %`;
