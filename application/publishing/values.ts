/** Values for screens. Schemas stay in `contract.ts`, because importing them would bundle zod. */
export { COST_MAX_CREDITS, COST_MIN_CREDITS } from '../../domain/catalogue/filter.js';
export { coverLabel } from '../media/covers/cover-art.js';
export { CURRENT_SHARE_POLICY } from '../../domain/shared/share-policy.js';
export { parseFileName } from '../../domain/publishing/file-name.js';
export { AUDIO_ACCEPT, AUDIO_KINDS, AUDIO_NAME } from '../../domain/publishing/audio-kinds.js';
export { KIND_HEAD_BYTES, kindOf, refusalOfContent } from '../../domain/publishing/file-kind.js';
export { GENRE_INKS, INK, luminance } from '../media/covers/inks.js';

export const APPLICATION_MAX_LENGTH = 2_000;
export const APPLICATION_LINKS_LIMIT = 5;
export const APPLICATION_SOUNDS_LIMIT = 3;
/** Sounds of an application that was declined, withdrawn or never sent are deleted after this time. */
export const APPLICATION_SOUNDS_DAYS = 30;

/** The consequences of a suspension, for the mail about it and for the creator's screens. */
export const SUSPENSION_NOTICE =
  'You cannot upload, publish, withdraw, or change your public profile or anything on sale. Published packs stay on sale, and you can take them off sale. You keep what you earned.';

export const AUDIO_LIMIT_MIB = 200;
export const AUDIO_LIMIT_BYTES = AUDIO_LIMIT_MIB * 1024 * 1024;
export const AUDIO_LIMIT_MINUTES = 15;
export const AUDIO_LIMIT_MS = AUDIO_LIMIT_MINUTES * 60_000;

export const TITLE_MAX_LENGTH = 120;
export const DESCRIPTION_MAX_LENGTH = 2_000;
/** The highest tempo that a creator may enter. Searches support a smaller range. */
export const SAMPLE_TEMPO_MAX_BPM = 400;
export const INSTRUMENTS_LIMIT = 10;
