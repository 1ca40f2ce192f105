import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { reject, type Outcome } from '../../domain/shared/decision.js';
import { FetchOwnedSamples, type DeliveredItem, type DeliveryOutcome } from './buy-samples.js';
import { OwnedFileQueries } from './queries.js';

export type OriginalOutcome = Outcome<
  { download: DeliveredItem['download'] },
  Extract<DeliveryOutcome, { accepted: false }>['rejection'] | { code: 'SampleNotOwned' }
>;

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
  async hand(userId: string, sampleId: string): Promise<OriginalOutcome> {
    const [file] = await this.owned.find(userId, [sampleId]);
    if (!file) return reject({ code: 'SampleNotOwned' });
    const delivered = await this.commands.execute(new FetchOwnedSamples(userId, [sampleId]));
    if (!delivered.accepted) return delivered;
    const [item] = delivered.items;
    if (!item) throw new Error('a delivery of one sample holds one item');
    return { accepted: true, download: item.download };
  }
}
