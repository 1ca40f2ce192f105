/** What a screen may carry of this context: schemas stay in the contract, which brings zod along. */

/** How many samples one archive takes: as many as a pack. */
export const ARCHIVE_LIMIT = 1_000;
/** How many samples an address can name. */
export const ZIP_LIMIT = 200;
