import { held } from '../held.js';
import { keep, kept } from '../kept.js';

const STORAGE_KEY = 'compact-rows';
const compact = held(false);
// The stored choice is not the initial value of `held`, because the first render must match the page from the server,
// which is the same for every visitor.
compact.set(kept(STORAGE_KEY) === true);

/** Whether this visitor chose compact rows. */
export const useCompactRows = compact.use;

export function setCompactRows(chosen: boolean): void {
  compact.set(chosen);
  keep(STORAGE_KEY, chosen);
}
