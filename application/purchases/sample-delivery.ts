import { Injectable } from '@nestjs/common';
import { ObjectStorage } from '../storage/object-storage.js';
import { WallClock } from '../shared/clock.js';
import type { DeliveredItem, PurchaseResult } from './commands.js';
import type { PurchaseOutcome } from './decision-context.js';
import { downloadName } from './file-names.js';
import type { SampleFile } from './readers.js';

export const URL_LIFETIME_SECONDS = 15 * 60;

export type Bought = Extract<PurchaseOutcome, { status: 'bought' }>;

/** Hands out the originals of what was bought. */
@Injectable()
export class SampleDelivery {
  constructor(
    private readonly storage: ObjectStorage,
    private readonly wall: WallClock,
  ) {}

  /** What keeps files from being sold: they are unknown, or not there. @throws StorageUnavailable */
  async obstacleTo(
    files: readonly SampleFile[],
    sampleIds: readonly string[],
  ): Promise<{ code: 'SampleNotAvailable' | 'DownloadUnavailable' } | undefined> {
    if (sampleIds.length === 0 || files.length < sampleIds.length) return { code: 'SampleNotAvailable' };
    const present = await Promise.all(files.map((file) => this.storage.head(file.originalKey)));
    return present.includes(undefined) ? { code: 'DownloadUnavailable' } : undefined;
  }

  async handOut(
    { charged, balance, purchased, items: bought }: Bought,
    files: readonly SampleFile[],
    replayed: boolean,
  ): Promise<PurchaseResult> {
    const bySample = new Map(files.map((file) => [file.sampleId, file]));
    const items = await Promise.all(
      bought.map(async (item) => ({
        ...item,
        download: await this.deliver(bySample.get(item.sampleId) as SampleFile),
      })),
    );
    return { ok: true, charged, balance, purchased, items, replayed };
  }

  private async deliver(file: SampleFile): Promise<DeliveredItem['download']> {
    const filename = downloadName(file);
    const url = await this.storage.presignGet(file.originalKey, {
      expiresInSeconds: URL_LIFETIME_SECONDS,
      downloadName: filename,
      contentType: file.contentType,
    });
    const expiresAt = new Date(this.wall.now().getTime() + URL_LIFETIME_SECONDS * 1_000).toISOString();
    return { url, filename, expiresAt };
  }
}
