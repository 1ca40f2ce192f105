/** What a screen may carry of this context: schemas stay in the contract, which brings zod along. */

/** How many samples one archive takes: as many as a pack. */
export const ARCHIVE_LIMIT = 1_000;
/** How many samples an address can name. */
export const ZIP_LIMIT = 200;

const USE =
  'You may use this sound in your own music, films, games, podcasts and performances, whole or cut up, and publish and sell them anywhere, for good.';
const FREE = 'No royalties are due for it, now or later. The credits spent for it paid for everything.';
const ALONE =
  'You may not sell, share or publish the sound by itself, put it into another sample pack, or claim to have made it.';
const PERSONAL =
  'The licence belongs to the person named here. It stays theirs when the sound leaves the catalogue.';

/**
 * What the holder of a certificate may do, by the version that the certificate names; a changed sentence is a new
 * version. Since when each is given stands in the database.
 */
export const LICENCE_TEXTS: Readonly<Record<string, readonly string[]>> = {
  '1.0': [USE, FREE, ALONE, PERSONAL],
  '1.1': [
    USE,
    FREE,
    ALONE,
    'You may not train models with it that generate sound or music, unless this certificate says that its creator allows it.',
    'You may not register the sound with services that recognise content, such as Content ID. Your own work may be registered there as far as it does not claim the sound.',
    PERSONAL,
  ],
};

/** Empty for a version that there never was. */
export const licenceText = (version: string): readonly string[] => LICENCE_TEXTS[version] ?? [];

/** In a few words, for lists of facts. */
export const aiTrainingText = (allowed: boolean): string =>
  allowed ? 'Allowed by its creator' : 'Not allowed';
