/** What the holder of a certificate may do; a changed sentence is a new version. */
export const LICENCE_VERSION = '1.0';

export const LICENCE_TEXT = [
  'You may use this sound in your own music, films, games, podcasts and performances, whole or cut up, and publish and sell them anywhere, for good.',
  'No royalties are due for it, now or later. The credits spent for it paid for everything.',
  'You may not sell, share or publish the sound by itself, put it into another sample pack, or claim to have made it.',
  'The licence belongs to the person named here. It stays theirs when the sound leaves the catalogue.',
] as const;
