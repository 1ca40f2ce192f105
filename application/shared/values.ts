/** Constants that the web client uses. They are not in the contracts, because those import zod. */

export const ID_CHARACTERS = /^[A-Za-z0-9_-]+$/;

/** Length of a reason for a staff decision, in characters. */
export const REASON_MIN_LENGTH = 3;
export const REASON_MAX_LENGTH = 1_000;

/** The largest size of covers and avatars. */
export const IMAGE_LIMIT_MIB = 5;

/** How long a prepared export can be downloaded. */
export const EXPORT_KEPT_DAYS = 7;
