import type { Drafts } from './drafts.js';

const keyOf = (packId: string): string => `offcut.grid.${packId}`;

/** The grid's name in messages. */
export const GRID = 'Grid';

/** Whether this tab has unsaved cells of the pack. They stay stored while the grid is closed. */
export const hasKeptDrafts = (packId: string): boolean => Object.keys(readDrafts(packId)).length > 0;

/** Changes in this tab that were unsaved when the visitor left the page. */
export function readDrafts(packId: string): Drafts {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(keyOf(packId)) ?? '{}');
    return typeof kept === 'object' && kept !== null ? (kept as Drafts) : {};
  } catch {
    return {};
  }
}

/** Keeps the drafts over a reload. The grid also works without browser storage. */
export function keepDrafts(packId: string, drafts: Drafts): void {
  try {
    if (Object.keys(drafts).length === 0) sessionStorage.removeItem(keyOf(packId));
    else sessionStorage.setItem(keyOf(packId), JSON.stringify(drafts));
  } catch {
    console.warn('The unsaved cells could not be stored. A reload loses them.');
  }
}
