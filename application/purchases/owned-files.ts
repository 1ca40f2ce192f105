import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { reject, type Outcome } from '../../domain/shared/decision.js';
import { WallClock } from '../shared/clock.js';
import { ObjectStorage } from '../storage/object-storage.js';
import {
  FetchOwnedSamples,
  signedDownload,
  StemsAccess,
  type DeliveredItem,
  type DeliveryOutcome,
} from './buy-samples.js';
import { FileNames } from './file-naming.js';
import { OwnedFileQueries } from './queries.js';

export type AttachedKind = 'stems' | 'midi';

export type AttachedResult = Outcome<
  { download: DeliveredItem['download'] },
  { code: 'SampleNotOwned' | 'Gone' | 'DownloadUnavailable' | 'StudioPlanRequired' }
>;

@Injectable()
export class AttachedFiles {
  constructor(
    private readonly owned: OwnedFileQueries,
    private readonly access: StemsAccess,
    private readonly names: FileNames,
    private readonly storage: ObjectStorage,
    private readonly clock: WallClock,
  ) {}

  /** @throws StorageUnavailable */
  async hand(userId: string, sampleId: string, kind: AttachedKind): Promise<AttachedResult> {
    const [file] = await this.owned.find(userId, [sampleId]);
    if (!file) return reject({ code: 'SampleNotOwned' });
    if (file.takenDown) return reject({ code: 'Gone' });
    const key = kind === 'stems' ? file.stemsKey : file.midiKey;
    if (!key || !(await this.storage.head(key))) return reject({ code: 'DownloadUnavailable' });
    if (kind === 'stems' && !(await this.access.of(userId))(file))
      return reject({ code: 'StudioPlanRequired' });
    const stem = (await this.names.of(userId))(file);
    const named =
      kind === 'stems'
        ? { filename: `${stem} (stems).zip`, contentType: 'application/zip' }
        : { filename: `${stem}.mid`, contentType: 'audio/midi' };
    const download = await signedDownload(this.storage, this.clock, { key, ...named });
    return { accepted: true, download };
  }
}

export type OriginalOutcome = Outcome<
  { download: DeliveredItem['download'] },
  Extract<DeliveryOutcome, { accepted: false }>['rejection'] | { code: 'SampleNotOwned' }
>;

/** Delivers the original of an owned sample at an address that never changes, unlike signed addresses. */
@Injectable()
export class OwnedOriginals {
  constructor(
    private readonly owned: OwnedFileQueries,
    private readonly commands: CommandBus,
  ) {}

  /** Licenses the current version, as every download does. Never charges. @throws StorageUnavailable */
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
