import { held } from '../held.js';
import { keep, kept } from '../kept.js';

const STORAGE_KEY = 'compact-rows';
const compact = held(false);
// Set after creation, because pages from the server are the same for every visitor until hydration.
compact.set(kept(STORAGE_KEY) === true);

/** Whether this visitor chose low rows. */
export const useCompactRows = compact.use;

export function setCompactRows(chosen: boolean): void {
  compact.set(chosen);
  keep(STORAGE_KEY, chosen);
}
