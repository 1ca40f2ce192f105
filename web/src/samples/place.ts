/** Lists remove at once; the pack page and the pack editor ask first and have their own texts. */
export type SavePlace = 'list' | 'pack' | 'editor';
