import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { FetchOwnedSamples, type DeliveredItem, type PurchaseResult } from './buy-samples.js';
import { OwnedFileQueries } from './queries.js';

export type OriginalResult =
  | { ok: true; download: DeliveredItem['download'] }
  | {
      ok: false;
      rejection: Extract<PurchaseResult, { ok: false }>['rejection'] | { code: 'SampleNotOwned' };
    };

/** Delivers the original of an owned sample, for an address that never changes. */
@Injectable()
export class OwnedOriginals {
  constructor(
    private readonly owned: OwnedFileQueries,
    private readonly commands: CommandBus,
  ) {}

  /**
   * Licenses the present version, like every other download of an owned sample. Never charges anything.
   * @throws StorageUnavailable
   */
  async hand(userId: string, sampleId: string): Promise<OriginalResult> {
    const [file] = await this.owned.find(userId, [sampleId]);
    if (!file) return { ok: false, rejection: { code: 'SampleNotOwned' } };
    const delivered = await this.commands.execute(new FetchOwnedSamples(userId, [sampleId]));
    if (!delivered.ok) return { ok: false, rejection: delivered.rejection };
    const [item] = delivered.items;
    if (!item) throw new Error('a delivery of one sample holds one item');
    return { ok: true, download: item.download };
  }
}
