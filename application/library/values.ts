/** Constants for screens. They are separate from the contract, so that screens do not bundle zod. */

export { COLLECTION_SAMPLES_LIMIT } from '../../domain/library/own-collection.js';
export { barOf, gridBeatsOf, songBeats } from '../../domain/library/song.js';
export { BEAT_STEP, LANE_BOUNDS, LANES_LIMIT } from '../../domain/library/workbench.js';
export { DEFAULT_TEMPLATE, fileStem, PLACEHOLDERS } from '../../domain/shared/file-names.js';

/** How many creators and tags one user can follow, counted together. */
export const FOLLOWED_LIMIT = 1_000;
/** How many collections a user can have. Collections of others to which the user may add count as well. */
export const COLLECTIONS_LIMIT = 100;
export const COLLECTION_NAME_MAX_LENGTH = 80;
export const COLLECTION_DESCRIPTION_MAX_LENGTH = 500;
export const TEXT_MAX_LENGTH = 500;
export const ADDRESS_MAX_LENGTH = 2_000;
export const IMPORT_INSTRUMENTS_LIMIT = 30;
export const IMPORT_MAX_BPM = 1_000;

export const PROJECTS_LIMIT = 100;
export const PROJECT_NAME_MAX_LENGTH = 100;
export const WORKBENCHES_LIMIT = 100;
