/** How a sound was made, as its creator states it. */
export const ORIGINS = ['recorded', 'synthesised', 'licensed', 'ai-assisted', 'ai-generated'] as const;
export type Origin = (typeof ORIGINS)[number];
