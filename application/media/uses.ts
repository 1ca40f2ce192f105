/**
 * Who may have a file that is named by its content. Several samples or packs may use one: it is open to everybody
 * while any of them is on sale.
 * - `caller`: not on sale, but the caller made it, or bought it while it was, or decides about it
 * - `taken down`: the samples or packs that used it were taken down
 */
export type MediaAccess = 'everybody' | 'caller' | 'taken down' | 'nobody';

/** Who asks. */
export interface MediaCaller {
  userId: string;
  /** Administrators listen to what waits for their decision. */
  decides: boolean;
}

/** @see MediaUses */
export interface MediaUse {
  access: MediaAccess;
  /** The creators of all that is on sale with it allow to train models with it. */
  trains: boolean;
}

/** The owners of previews and covers. */
export abstract class MediaUses {
  /** Keys of a sample's preview, or of a pack's cover and all its previews. */
  abstract keysOf(packId: string, sampleId?: string): Promise<string[]>;
  /** @param key of the preview, or of the cover in its own width @param caller undefined for visitors */
  abstract of(key: string, caller: MediaCaller | undefined): Promise<MediaUse>;
}
