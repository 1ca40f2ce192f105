/** Values for screens. Schemas stay in `contract.ts`, because importing them would bundle zod. */

/** The most samples in one archive; the same limit as for a pack. */
export const ARCHIVE_LIMIT = 1_000;
/** The most samples that an address can name. */
export const ZIP_LIMIT = 200;
