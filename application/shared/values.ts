/** What a screen may carry of every context: schemas stay in the contracts, which bring zod along. */

export const ID_CHARACTERS = /^[A-Za-z0-9_-]+$/;

/** The characters of a reason that staff give for a decision. */
export const REASON_MIN_LENGTH = 3;
export const REASON_MAX_LENGTH = 1_000;

/** Covers and avatars. */
export const IMAGE_LIMIT_MIB = 5;

/** How long a prepared file, such as a copy of somebody's data, can be downloaded. */
export const EXPORT_KEPT_DAYS = 7;
