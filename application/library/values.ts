/** Constants for screens. They are separate from the contract, so that screens do not bundle zod. */

export { DEFAULT_TEMPLATE, fileStem, PLACEHOLDERS } from '../../domain/shared/file-names.js';

/** How many creators and tags one user can follow, counted together. */
export const FOLLOWED_LIMIT = 1_000;
export const TEXT_MAX_LENGTH = 500;
export const ADDRESS_MAX_LENGTH = 2_000;
export const IMPORT_INSTRUMENTS_LIMIT = 30;
export const IMPORT_MAX_BPM = 1_000;

/** How many projects one user can have. */
export const PROJECTS_LIMIT = 100;
export const PROJECT_NAME_MAX_LENGTH = 100;
