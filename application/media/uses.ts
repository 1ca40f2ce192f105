/**
 * The callers that may access a file. Files are named by their content, so several samples or packs may share a
 * file. A file is public while any of them is on sale.
 * - `shown`: not on sale, but its creator shows it before the release to everybody who knows its name
 * - `caller`: not on sale, but the caller created it, bought it earlier, or decides about it
 * - `taken down`: the samples or packs that used it were taken down
 */
export type MediaAccess = 'everybody' | 'shown' | 'caller' | 'taken down' | 'nobody';

export interface MediaCaller {
  userId: string;
  /** The caller is an administrator, who may play files that wait for a decision. */
  decides: boolean;
}

export interface MediaUse {
  access: MediaAccess;
  /** Whether every creator who sells this file allows AI training with it. */
  trains: boolean;
}

export abstract class MediaUses {
  /** Returns the keys of a sample's preview, or of a pack's cover and all its previews. */
  abstract keysOf(packId: string, sampleId?: string): Promise<string[]>;
  /** @param key of the preview, or of the cover in its full width @param caller undefined for visitors */
  abstract of(key: string, caller: MediaCaller | undefined): Promise<MediaUse>;
}
