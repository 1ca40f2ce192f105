import { keep, kept } from '../../../kept.js';
import type { Drafts } from './drafts.js';

const keyOf = (packId: string): string => `offcut.grid.${packId}`;
const inTab = () => window.sessionStorage;

export const GRID = 'Grid';

/** Whether this tab has unsaved cells of the pack. They stay stored while the grid is closed. */
export const hasKeptDrafts = (packId: string): boolean => Object.keys(readDrafts(packId)).length > 0;

/** The unsaved changes of the pack's cells that this tab has stored. */
export function readDrafts(packId: string): Drafts {
  const drafts = kept(keyOf(packId), inTab);
  return typeof drafts === 'object' ? (drafts as Drafts) : {};
}

export const keepDrafts = (packId: string, drafts: Drafts): void =>
  keep(keyOf(packId), Object.keys(drafts).length > 0 ? drafts : null, inTab);
