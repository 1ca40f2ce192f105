import { changeInAllTabs } from '../api/changes.js';

/** Marks all answers about the visitor's collections as outdated, in every tab. */
export const collectionsChanged = (): void =>
  changeInAllTabs({ outdated: ['GET /api/collections/own', 'GET /api/collections/own/:id'] });
