import { held } from '../held.js';
import { kept } from '../kept.js';

/** The key under which this browser stores which packs have unfinished uploads. */
export const UNFINISHED_KEY = 'offcut.unfinished-uploads';

const tape = held(false);

/**
 * Whether the page shows the tape, the strip with the progress of uploads. This hook is in a file of its own, so that
 * the first load does not contain the code for uploads.
 */
export const useTape = tape.use;
export const showTape = tape.set;

/** After a reload, shows the tape if this browser remembers unfinished uploads. */
export function restoreTape(): void {
  if (kept(UNFINISHED_KEY)) showTape(true);
}
