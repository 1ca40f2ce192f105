import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Genre } from '../../domain/catalogue/vocabulary.js';
import { coverSvg } from '../../domain/publishing/cover-art.js';
import { Clock } from '../ports/clock.js';
import { ImageStudio, type ImageRejection } from '../ports/image-studio.js';
import { ObjectExists, ObjectStorage } from '../ports/object-storage.js';
import { COVER_LIMIT_BYTES } from './contract.js';

const COVER_PX = 1_000;
const IMMUTABLE = 'public, max-age=31536000, immutable';
const ONE_HOUR = 'private, max-age=3600';

/** Where a pack's own files lie: `Users/{creator folder}/Packs/{pack folder}`. */
export const packFolder = (place: { creatorFolder: string; folder: string }): string =>
  `Users/${place.creatorFolder}/Packs/${place.folder}`;

/** A name no other file has, which sorts by time: `{timestamp}_{random}`. */
export const freshFileName = (now: Date): string => `${now.getTime()}_${randomBytes(6).toString('hex')}`;

/** Pack covers: uploads re-encoded, or drawn from genre and name where none was uploaded. */
@Injectable()
export class Covers {
  constructor(
    private readonly images: ImageStudio,
    private readonly storage: ObjectStorage,
    private readonly clock: Clock,
  ) {}

  /** @returns the key to publish it under */
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
  ): Promise<{ ok: true; coverKey: string } | { ok: false; rejection: ImageRejection }> {
    const image = await this.images.squareWebp(bytes, {
      sizePx: COVER_PX,
      accepts: ['jpeg', 'png', 'webp'],
      limitBytes: COVER_LIMIT_BYTES,
    });
    if (!image.ok) return image;
    return { ok: true, coverKey: await this.store(place, image.webp, image.sha256) };
  }

  /** Once under its content for everybody, once in the pack's own folder. */
  private async store(
    place: { creatorFolder: string; folder: string },
    webp: Buffer,
    sha256: string,
  ): Promise<string> {
    const coverKey = `media/covers/${sha256}.webp`;
    try {
      await this.storage.put(coverKey, webp, {
        contentType: 'image/webp',
        ifAbsent: true,
        cacheControl: IMMUTABLE,
      });
    } catch (error) {
      // The same picture was stored before: its name says so.
      if (!(error instanceof ObjectExists)) throw error;
    }
    const ownKey = `${packFolder(place)}/covers/${freshFileName(this.clock.now())}.webp`;
    await this.storage.put(ownKey, webp, {
      contentType: 'image/webp',
      ifAbsent: true,
      cacheControl: ONE_HOUR,
    });
    return coverKey;
  }
}
