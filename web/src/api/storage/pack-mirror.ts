import type { PackCard } from '../../../../application/catalogue/contract.js';

const KEY = 'publishedPacks';

/** Keeps the pack list in this browser's storage, each pack once. */
export function mirrorPacks(rows: readonly (readonly PackCard[])[]): void {
  const packs = [...new Map(rows.flat().map((pack) => [pack.id, pack])).values()];
  try {
    localStorage.setItem(KEY, JSON.stringify(packs));
  } catch {
    // Storage may be full or blocked; the list is only a copy.
  }
}

export function dropMirroredPacks(): void {
  try {
    localStorage.removeItem(KEY);
  } catch {
    // Without storage there is no copy.
  }
}
