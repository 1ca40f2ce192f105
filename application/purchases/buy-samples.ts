import { createHash, randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../ports/clock.js';
import { CreditDesk } from '../ports/credit-desk.js';
import { ObjectStorage } from '../ports/object-storage.js';
import type { BoughtItem, DeskRejection } from './desk-situation.js';
import { downloadName } from './file-names.js';
import { SampleFiles, type SampleFile } from './readers.js';

export const URL_LIFETIME_SECONDS = 15 * 60;

export interface PurchaseRequest {
  buyerId: string;
  sampleIds: readonly string[];
  expectedCredits: number;
  idempotencyKey: string;
  /** Names the route, so that one key cannot mean two things. */
  route: string;
}

export interface DeliveredItem extends BoughtItem {
  download: { url: string; filename: string; expiresAt: string };
}

export type PurchaseResult =
  | {
      ok: true;
      charged: number;
      balance: number;
      purchased: boolean;
      items: DeliveredItem[];
      replayed: boolean;
    }
  | { ok: false; rejection: DeskRejection | { code: 'DownloadUnavailable' }; replayed: boolean };

/**
 * Buys samples for credits and hands out their originals, all or nothing. What is owned is handed out again
 * free. Nothing is charged for a file that is not there.
 */
@Injectable()
export class SamplePurchases {
  constructor(
    private readonly desk: CreditDesk,
    private readonly files: SampleFiles,
    private readonly storage: ObjectStorage,
    private readonly clock: Clock,
  ) {}

  /** @throws StorageUnavailable before anything is charged */
  async buy(request: PurchaseRequest): Promise<PurchaseResult> {
    const { buyerId, sampleIds, expectedCredits } = request;
    const files = await this.files.find(sampleIds);
    if (files.length < sampleIds.length) return refused({ code: 'SampleNotAvailable' });
    const present = await Promise.all(files.map((file) => this.storage.head(file.originalKey)));
    if (present.includes(undefined)) return refused({ code: 'DownloadUnavailable' });

    const { outcome, replayed } = await this.desk.buy({
      type: 'BuySamples',
      buyerId,
      items: sampleIds.map((sampleId) => ({
        sampleId,
        purchaseId: randomUUID(),
        certificateId: randomUUID(),
      })),
      expectedCredits,
      idempotency: { key: request.idempotencyKey, requestHash: hashOf(request) },
      metadata: { actor: buyerId, correlationId: request.idempotencyKey },
    });
    if (outcome.status === 'refused') return refused(outcome.rejection, replayed);
    const again = outcome.items.filter((item) => item.charged === 0).map((item) => item.sampleId);
    if (again.length > 0) await this.files.recordDelivery(buyerId, again, this.clock.now());
    const bySample = new Map(files.map((file) => [file.sampleId, file]));
    const items = await Promise.all(
      outcome.items.map(async (item) => ({
        ...item,
        download: await this.deliver(bySample.get(item.sampleId) as SampleFile),
      })),
    );
    const { charged, balance, purchased } = outcome;
    return { ok: true, charged, balance, purchased, items, replayed };
  }

  private async deliver(file: SampleFile): Promise<DeliveredItem['download']> {
    const filename = downloadName(file);
    const url = await this.storage.presignGet(file.originalKey, {
      expiresInSeconds: URL_LIFETIME_SECONDS,
      downloadName: filename,
      contentType: file.contentType,
    });
    const expiresAt = new Date(this.clock.now().getTime() + URL_LIFETIME_SECONDS * 1_000).toISOString();
    return { url, filename, expiresAt };
  }
}

function hashOf({ route, sampleIds, expectedCredits }: PurchaseRequest): string {
  return createHash('sha256')
    .update(JSON.stringify([route, sampleIds, expectedCredits]))
    .digest('hex');
}

const refused = (
  rejection: DeskRejection | { code: 'DownloadUnavailable' },
  replayed = false,
): PurchaseResult => ({
  ok: false,
  rejection,
  replayed,
});
