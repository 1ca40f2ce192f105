const USE =
  'You may use this sound in your own music, films, games, podcasts and performances, whole or cut up, and publish and sell them anywhere, for good.';
const FREE = 'No royalties are due for it, now or later. The credits spent for it paid for everything.';
const ALONE =
  'You may not sell, share or publish the sound by itself, put it into another sample pack, or claim to have made it.';
const PERSONAL =
  'The licence belongs to the person named here. It stays theirs when the sound leaves the catalogue.';

/** Texts by version. To change a sentence, add a version. The database stores since when a version is in use. */
const LICENCE_TEXTS: Readonly<Record<string, readonly string[]>> = {
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

/** Returns no sentences for a version that does not exist. */
export const licenceText = (version: string): readonly string[] => LICENCE_TEXTS[version] ?? [];

export const aiTrainingText = (allowed: boolean): string =>
  allowed ? 'Allowed by its creator' : 'Not allowed';
