import { Injectable } from '@nestjs/common';
import { buffer } from 'node:stream/consumers';
import { ImageStudio } from './image-studio.js';
import { ObjectMissing, ObjectStorage, putOnce } from '../storage/object-storage.js';
import { MEDIA_CACHE, narrowed, narrowWidths } from './values.js';

/** At most this many pictures are decoded at once, because decoding shares its threads with file reads. */
const MOST_AT_ONCE = 2;

/** Makes smaller widths at the first request, so that older and imported pictures have them too. */
@Injectable()
export class NarrowPictures {
  private readonly making = new Map<string, Promise<void>>();
  private readonly waiting: (() => void)[] = [];
  private busy = 0;

  constructor(
    private readonly storage: ObjectStorage,
    private readonly images: ImageStudio,
  ) {}

  /** Concurrent requests share the work. @throws ObjectMissing if the picture does not exist */
  make(pictureKey: string, widthPx: number): Promise<void> {
    const key = narrowed(pictureKey, widthPx);
    const making = this.making.get(key);
    if (making) return making;
    const made = this.makeOnce(pictureKey, key, widthPx).finally(() => this.making.delete(key));
    this.making.set(key, made);
    return made;
  }

  private async makeOnce(pictureKey: string, key: string, widthPx: number): Promise<void> {
    // Checked first, so that requests for unknown names do not wait in the queue.
    if (!(await this.storage.head(pictureKey))) throw new ObjectMissing(pictureKey);
    await this.turn();
    try {
      const picture = await buffer((await this.storage.get(pictureKey)).body);
      const webp = await this.images.narrowWebp(picture, { widthPx });
      await putOnce(this.storage, key, webp, { contentType: 'image/webp', cacheControl: MEDIA_CACHE });
      // If the picture and its widths were removed in the meantime, this width must go too.
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
}

/**
 * Removes a picture in all widths. Deletes the picture first: a concurrent `make` then sees that the picture is gone,
 * and deletes the width that it has just stored.
 */
export async function removePicture(storage: ObjectStorage, pictureKey: string): Promise<void> {
  await storage.delete(pictureKey);
  for (const { name } of narrowWidths(pictureKey)) await storage.delete(name);
}
