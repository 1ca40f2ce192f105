import { changeInAllTabs } from '../api/changes.js';

/** Marks all answers about the visitor's collections as stale in every tab. Those on screen are refetched. */
export const collectionsChanged = (): void =>
  changeInAllTabs({ outdated: ['GET /api/collections/own', 'GET /api/collections/own/:id'] });
