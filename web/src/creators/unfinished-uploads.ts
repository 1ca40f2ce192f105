import { held } from '../held.js';
import { kept } from '../kept.js';

/** The packs whose uploads this browser remembers as unfinished. */
export const UNFINISHED_KEY = 'offcut.unfinished-uploads';

const tape = held(false);

/** Whether the upload tape is shown. Separate from the uploads, so that the first load does not contain them. */
export const useTape = tape.use;
export const showTape = tape.set;

/** After a reload, shows the tape if this browser remembers unfinished uploads. */
export function restoreTape(): void {
  if (kept(UNFINISHED_KEY)) showTape(true);
}
