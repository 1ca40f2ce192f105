/** Values for screens. Schemas stay in `contract.ts`, because importing them would bundle zod. */

/** The maximum number of samples in an archive, as in a pack. */
export const ARCHIVE_LIMIT = 1_000;
/** The maximum number of samples in the address of a ZIP. */
export const ZIP_LIMIT = 200;
/** The DAW project formats in which an archive can be delivered. */
export const DAW_FORMATS = ['dawproject', 'rpp'] as const;
export type DawFormat = (typeof DAW_FORMATS)[number];
/** How many bars the waveform of a file may have that a dispute pack compares with the licensed file. */
export const COMPARED_BARS = { min: 50, max: 600 } as const;
export const COMPARED_NAME_MAX_LENGTH = 200;
/**
 * The largest file that the browser compares with a licensed file, and the largest file that it checks against a
 * certificate.
 */
export const COMPARED_LIMIT_MB = 200;
export const CHECKED_LIMIT_MB = 500;
/** The longest file that can be compared with a licensed file. */
export const COMPARED_LIMIT_MS = 24 * 60 * 60_000;
