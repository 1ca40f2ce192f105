/** What a screen may carry of this context: schemas stay in the contract, which brings zod along. */
export { NETWORKS, socialLink, type Network } from '../../domain/profiles/social-link.js';

export const FEATURED_LIMIT = 10;
export const CANDIDATES_LIMIT = 100;
export const BIO_MAX_LENGTH = 1_000;
export const LINK_MAX_LENGTH = 200;
