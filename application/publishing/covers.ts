import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Genre } from '../../domain/catalogue/vocabulary.js';
import type { Outcome } from '../../domain/shared/decision.js';
import { coverSvg } from '../media/covers/cover-art.js';
import { IMAGE_LIMIT_BYTES, MEDIA_CACHE, PICTURES } from '../media/values.js';
import { removePicture } from '../media/narrow-pictures.js';
import { Clock } from '../shared/clock.js';
import { ImageStudio, type ImageRejection } from '../media/image-studio.js';
import { ObjectExists, ObjectStorage } from '../storage/object-storage.js';
import { UnreferencedObjects } from '../storage/unreferenced-objects.js';
import { OwnPackQueries } from './queries.js';

const COVER_PX = PICTURES.covers.fullPx;
const ONE_HOUR = 'private, max-age=3600';

/** Returns the folder of a pack's own files: `Users/{creator folder}/Packs/{pack folder}`. */
export const packFolder = (place: { creatorFolder: string; folder: string }): string =>
  `Users/${place.creatorFolder}/Packs/${place.folder}`;

/** Returns a unique name that sorts by time: `{timestamp}_{random}`. */
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

  /** Draws and stores a cover. @returns the key of the published copy */
  async drawn(
    place: { creatorFolder: string; folder: string },
    pack: { genre: string; name: string },
  ): Promise<string> {
    const svg = coverSvg(pack.genre as Genre, pack.name, COVER_PX);
    const webp = await this.images.renderSvg(svg, { widthPx: COVER_PX, format: 'webp' });
    return this.store(place, webp, createHash('sha256').update(webp).digest('hex'));
  }

  async uploaded(
    place: { creatorFolder: string; folder: string },
    bytes: Buffer,
  ): Promise<Outcome<{ coverKey: string }, ImageRejection>> {
    const image = await this.images.squareWebp(bytes, {
      sizePx: COVER_PX,
      accepts: ['jpeg', 'png', 'webp'],
      limitBytes: IMAGE_LIMIT_BYTES,
    });
    if (!image.accepted) return image;
    return { accepted: true, coverKey: await this.store(place, image.webp, image.sha256) };
  }

  /** Removes covers that no pack of the creator uses any more. @returns how many files of the creator's folder */
  async removeUnused(userId: string): Promise<number> {
    const folder = await this.packs.creatorFolder(userId);
    if (folder === undefined) return 0;
    const shown = new Set((await this.packs.ownCovers(userId)).map(contentOf));
    const unused = (await this.ownCovers(folder)).filter((key) => !shown.has(contentOf(key)));
    for (const key of unused) await this.storage.delete(key);
    const published = [...new Set(unused.map((key) => publishedKey(contentOf(key))))];
    // Another creator may use the same picture.
    const used = await this.packs.usedCovers(published);
    for (const key of published) if (!used.has(key)) await removePicture(this.storage, key);
    return unused.length;
  }

  private async ownCovers(folder: string): Promise<string[]> {
    const keys: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await this.storage.list({
        prefix: `Users/${folder}/Packs/`,
        ...(cursor ? { cursor } : {}),
      });
      keys.push(...page.objects.map((object) => object.key).filter((key) => OWN_COVER.test(key)));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    return keys;
  }

  /** Stores two copies: a public one named by its hash, and one in the pack's own folder. */
  private async store(
    place: { creatorFolder: string; folder: string },
    webp: Buffer,
    sha256: string,
  ): Promise<string> {
    const coverKey = publishedKey(sha256);
    await this.unreferenced.claim(coverKey);
    await this.putOnce(coverKey, webp, MEDIA_CACHE);
    await this.putOnce(
      `${packFolder(place)}/covers/${this.clock.now().getTime()}_${sha256}.webp`,
      webp,
      ONE_HOUR,
    );
    return coverKey;
  }

  private async putOnce(key: string, webp: Buffer, cacheControl: string): Promise<void> {
    try {
      await this.storage.put(key, webp, { contentType: 'image/webp', ifAbsent: true, cacheControl });
    } catch (error) {
      // The same picture is already stored: the name is the hash of its content.
      if (!(error instanceof ObjectExists)) throw error;
    }
  }
}

/** A cover in a pack's own folder: `covers/{timestamp}_{sha256}.webp`. */
const OWN_COVER = /\/covers\/\d+_[0-9a-f]{64}\.webp$/;

const publishedKey = (sha256: string): string => `media/covers/${sha256}.webp`;

const contentOf = (key: string): string => key.slice(-'.webp'.length - 64, -'.webp'.length);
