/** What a screen may carry of every context: schemas stay in the contracts, which bring zod along. */

export const ID_CHARACTERS = /^[A-Za-z0-9_-]+$/;
