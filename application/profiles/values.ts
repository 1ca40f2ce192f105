/** Values for screens. They are separate from the contract, so that screens do not bundle zod. */
export { NETWORKS, socialLink, type Network } from '../../domain/profiles/social-link.js';

export const FEATURED_LIMIT = 10;
export const CANDIDATES_LIMIT = 100;
export const BIO_MAX_LENGTH = 1_000;
export const LINK_MAX_LENGTH = 200;
