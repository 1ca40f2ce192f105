import type { PackCard } from '../../../../application/catalogue/contract.js';
import { keep } from '../../kept.js';

const KEY = 'publishedPacks';

/** Keeps the pack list in this browser's storage, each pack once. */
export function mirrorPacks(rows: readonly (readonly PackCard[])[]): void {
  keep(KEY, [...new Map(rows.flat().map((pack) => [pack.id, pack])).values()]);
}

export const dropMirroredPacks = (): void => keep(KEY, null);
