/** Lists remove at once; the pack page and the pack editor ask first and have texts of their own. */
export type SavePlace = 'list' | 'pack' | 'editor';
