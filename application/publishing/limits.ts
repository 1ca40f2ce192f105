/** Upper limits for uploads. Apart from the schemas, so that a screen can import them without those. */
export const AUDIO_LIMIT_BYTES = 200 * 1024 * 1024;
export const AUDIO_LIMIT_MS = 15 * 60_000;
export const COVER_LIMIT_BYTES = 5 * 1024 * 1024;
