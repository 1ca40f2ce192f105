import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Genre } from '../../domain/catalogue/vocabulary.js';
import type { Outcome } from '../../domain/shared/decision.js';
import { coverSvg } from '../media/covers/cover-art.js';
import { IMAGE_LIMIT_BYTES, MEDIA_CACHE, PICTURES } from '../media/values.js';
import { removePicture } from '../media/narrow-pictures.js';
import { Clock } from '../shared/clock.js';
import { ImageStudio, type ImageRejection } from '../media/image-studio.js';
import { ObjectStorage, objectsIn, putOnce } from '../storage/object-storage.js';
import { UnreferencedObjects } from '../storage/unreferenced-objects.js';
import { OwnPackQueries } from './queries.js';

const COVER_PX = PICTURES.covers.fullPx;

export interface PackFolder {
  creatorFolder: string;
  folder: string;
}

export const packFolder = ({ creatorFolder, folder }: PackFolder): string =>
  `Users/${creatorFolder}/Packs/${folder}`;

/** Returns a unique name that sorts by time. */
export const freshFileName = (now: Date): string => `${now.getTime()}_${randomBytes(6).toString('hex')}`;

@Injectable()
export class Covers {
  constructor(
    private readonly images: ImageStudio,
    private readonly storage: ObjectStorage,
    private readonly packs: OwnPackQueries,
    private readonly unreferenced: UnreferencedObjects,
    private readonly clock: Clock,
  ) {}

  /** Draws a cover for the pack and stores it. @returns the key of the public copy */
  async drawn(place: PackFolder, pack: { genre: string; name: string }): Promise<string> {
    const svg = coverSvg(pack.genre as Genre, pack.name, COVER_PX);
    const webp = await this.images.renderSvg(svg, { widthPx: COVER_PX, format: 'webp' });
    return this.store(place, webp, createHash('sha256').update(webp).digest('hex'));
  }

  async uploaded(place: PackFolder, bytes: Buffer): Promise<Outcome<{ coverKey: string }, ImageRejection>> {
    const image = await this.images.squareWebp(bytes, {
      sizePx: COVER_PX,
      accepts: ['jpeg', 'png', 'webp'],
      limitBytes: IMAGE_LIMIT_BYTES,
    });
    if (!image.accepted) return image;
    return { accepted: true, coverKey: await this.store(place, image.webp, image.sha256) };
  }

  /** Removes covers that no pack of the creator uses any more. @returns the number of removed covers */
  async removeUnused(userId: string): Promise<number> {
    const folder = await this.packs.creatorFolder(userId);
    if (folder === undefined) return 0;
    const shown = new Set((await this.packs.ownCovers(userId)).map(contentOf));
    const stored = (await objectsIn(this.storage, `Users/${folder}/Packs/`)).map(({ key }) => key);
    const unused = stored.filter((key) => OWN_COVER.test(key) && !shown.has(contentOf(key)));
    for (const key of unused) await this.storage.delete(key);
    const published = [...new Set(unused.map((key) => publishedKey(contentOf(key))))];
    // Creators with the same picture share its public copy, which is removed only if no pack uses it.
    const used = await this.packs.usedCovers(published);
    for (const key of published) if (!used.has(key)) await removePicture(this.storage, key);
    return unused.length;
  }

  /** Stores two copies of a cover: a public one named by its hash, and one in the pack's own folder. */
  private async store(place: PackFolder, webp: Buffer, sha256: string): Promise<string> {
    const coverKey = publishedKey(sha256);
    await this.unreferenced.claim(coverKey);
    const own = `${packFolder(place)}/covers/${this.clock.now().getTime()}_${sha256}.webp`;
    const contentType = 'image/webp';
    await putOnce(this.storage, coverKey, webp, { contentType, cacheControl: MEDIA_CACHE });
    await putOnce(this.storage, own, webp, { contentType, cacheControl: 'private, max-age=3600' });
    return coverKey;
  }
}

/** The key of a cover in a pack's own folder: `covers/{timestamp}_{sha256}.webp`. */
const OWN_COVER = /\/covers\/\d+_[0-9a-f]{64}\.webp$/;

const publishedKey = (sha256: string): string => `media/covers/${sha256}.webp`;

const contentOf = (key: string): string => key.slice(-'.webp'.length - 64, -'.webp'.length);
