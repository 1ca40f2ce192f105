import type { Sample } from '../../../application/catalogue/contract.js';
import { useSession } from '../session/session.js';
import { say, useWord, useWords, wordOn } from '../api/newest-word.js';

/** Marks samples as owned in every visible row, and refetches downloads and credits. */
export const markOwned = (sampleIds: readonly string[]): void =>
  say('owned', sampleIds, true, [
    'GET /api/library/downloads',
    'GET /api/credits',
    'GET /api/credits/ledger',
  ]);

export const isOwned = ({ id, owned }: Pick<Sample, 'id' | 'owned'>): boolean =>
  wordOn('owned', id) ?? owned === true;

/** Whether it is known if the visitor owns the sample. Answers for guests do not say it. */
export const isOwnershipKnown = ({ id, owned }: Pick<Sample, 'id' | 'owned'>): boolean =>
  (wordOn('owned', id) ?? owned) !== undefined;

export const useOwned = ({ id, owned }: Pick<Sample, 'id' | 'owned'>): boolean =>
  useWord('owned', id) ?? owned === true;

export function useOwnedAmong<One extends Pick<Sample, 'id' | 'owned'>>(samples: readonly One[]): One[] {
  const since = useWords('owned');
  return samples.filter(({ id, owned }) => since(id) ?? owned === true);
}

/** Returns the samples that the visitor neither owns nor made, and what they cost together. */
export function useToBuy(samples: readonly Sample[]): { toBuy: Sample[]; costCredits: number } {
  const userId = useSession().user?.id;
  const ownedIds = new Set(useOwnedAmong(samples).map(({ id }) => id));
  const toBuy = samples.filter(({ id, creator }) => !ownedIds.has(id) && creator.id !== userId);
  return { toBuy, costCredits: toBuy.reduce((sum, { creditCost }) => sum + creditCost, 0) };
}
