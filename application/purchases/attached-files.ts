import { Injectable } from '@nestjs/common';
import { reject, type Outcome } from '../../domain/shared/decision.js';
import { WallClock } from '../shared/clock.js';
import { ObjectStorage } from '../storage/object-storage.js';
import { URL_LIFETIME_SECONDS, type DeliveredItem } from './buy-samples.js';
import { downloadName } from '../storage/file-names.js';
import { OwnedFileQueries, type OwnedFile } from './queries.js';
import { StemsAccess } from './stems-access.js';

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
    return { accepted: true, download: await this.sign(file, kind, key) };
  }

  private async sign(file: OwnedFile, kind: AttachedKind, key: string): Promise<DeliveredItem['download']> {
    const extension = kind === 'stems' ? 'zip' : 'mid';
    const title = kind === 'stems' ? `${file.title} (stems)` : file.title;
    const filename = downloadName({ ...file, title, format: extension });
    const url = await this.storage.presignGet(key, {
      expiresInSeconds: URL_LIFETIME_SECONDS,
      downloadName: filename,
      contentType: kind === 'stems' ? 'application/zip' : 'audio/midi',
    });
    const expiresAt = new Date(this.clock.now().getTime() + URL_LIFETIME_SECONDS * 1_000).toISOString();
    return { url, filename, expiresAt };
  }
}
