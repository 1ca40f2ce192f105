/** Values for screens. Schemas stay in `contract.ts`, because importing them would bundle zod. */

/** The maximum number of samples in an archive, as in a pack. */
export const ARCHIVE_LIMIT = 1_000;
/** The most samples that an address can name. */
export const ZIP_LIMIT = 200;
