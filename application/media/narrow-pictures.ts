import { Injectable } from '@nestjs/common';
import { buffer } from 'node:stream/consumers';
import { ImageStudio } from './image-studio.js';
import { ObjectExists, ObjectMissing, ObjectStorage } from '../storage/object-storage.js';
import { MEDIA_CACHE, narrowed, narrowWidths } from './values.js';

/** Decoding shares its threads with the files being read; pages full of new pictures wait their turn. */
const MOST_AT_ONCE = 2;

/**
 * Pictures in smaller widths: made at the first request and stored beside the picture, so that old and imported
 * pictures have them too.
 */
@Injectable()
export class NarrowPictures {
  private readonly making = new Map<string, Promise<void>>();
  private readonly waiting: (() => void)[] = [];
  private busy = 0;

  constructor(
    private readonly storage: ObjectStorage,
    private readonly images: ImageStudio,
  ) {}

  /**
   * Stores a picture in another width; simultaneous requests share the work.
   * @param pictureKey of the picture in its own width
   * @param widthPx one of those its folder lists
   * @throws ObjectMissing when there is no such picture
   */
  make(pictureKey: string, widthPx: number): Promise<void> {
    const key = narrowed(pictureKey, widthPx);
    const making = this.making.get(key);
    if (making) return making;
    const made = this.makeOnce(pictureKey, key, widthPx).finally(() => this.making.delete(key));
    this.making.set(key, made);
    return made;
  }

  private async makeOnce(pictureKey: string, key: string, widthPx: number): Promise<void> {
    // Requests for names that do not exist must not wait in the lane.
    if (!(await this.storage.head(pictureKey))) throw new ObjectMissing(pictureKey);
    await this.turn();
    try {
      const picture = await buffer((await this.storage.get(pictureKey)).body);
      const webp = await this.images.narrowWebp(picture, { widthPx });
      await this.put(key, webp);
      // The picture and its widths were removed in between, so this width must go too.
      if (!(await this.storage.head(pictureKey))) await this.storage.delete(key);
    } finally {
      this.busy -= 1;
      this.waiting.shift()?.();
    }
  }

  private async turn(): Promise<void> {
    while (this.busy >= MOST_AT_ONCE) await new Promise<void>((go) => this.waiting.push(go));
    this.busy += 1;
  }

  private async put(key: string, webp: Buffer): Promise<void> {
    try {
      const options = { contentType: 'image/webp', cacheControl: MEDIA_CACHE, ifAbsent: true };
      await this.storage.put(key, webp, options);
    } catch (error) {
      // Another process made it at the same time.
      if (!(error instanceof ObjectExists)) throw error;
    }
  }
}

/** Removes a picture in all its widths. The picture goes first: what is being made of it then goes by itself. */
export async function removePicture(storage: ObjectStorage, pictureKey: string): Promise<void> {
  await storage.delete(pictureKey);
  for (const { name } of narrowWidths(pictureKey)) await storage.delete(name);
}
