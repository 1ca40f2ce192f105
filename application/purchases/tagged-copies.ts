import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { reject, type Outcome } from '../../domain/shared/decision.js';
import { WallClock } from '../shared/clock.js';
import type { Archive } from '../storage/archive.js';
import { ObjectStorage } from '../storage/object-storage.js';
import { FetchOwnedSamples, type DeliveryOutcome } from './buy-samples.js';
import { Certificates } from './certificates.js';
import type { Certificate, CertifiedCopy } from './contract.js';
import { FileNames, kindOfFile } from './file-naming.js';
import { OwnedFileQueries, type OwnedFile } from './queries.js';
import { tagsOf, wavShape, type WavShape } from './tagged-wav.js';

/** Stores the hashes of files that were made from certified originals. */
export abstract class CertifiedCopies {
  /** Records a copy. If its hash is already recorded, the earlier time stays. */
  abstract record(certificateId: string, copy: CertifiedCopy): Promise<void>;
  /** Lists the copies that were made from a certified original, oldest first. */
  abstract of(certificateId: string): Promise<CertifiedCopy[]>;
}

type TaggedResult = Outcome<
  { filename: string; archive: Archive },
  Extract<DeliveryOutcome, { accepted: false }>['rejection'] | { code: 'SampleNotOwned' | 'NoTaggedCopy' }
>;

export interface TaggedCopy {
  sizeBytes: number;
  open: () => Promise<Readable>;
}

export const taggedName = (stem: string): string => `${stem} (tagged).wav`;

/** Makes copies of owned WAV files that contain tags for samplers and DAWs. The original stays unchanged. */
@Injectable()
export class TaggedCopies {
  constructor(
    private readonly owned: OwnedFileQueries,
    private readonly commands: CommandBus,
    private readonly certificates: Certificates,
    private readonly names: FileNames,
    private readonly storage: ObjectStorage,
    private readonly copies: CertifiedCopies,
    private readonly clock: WallClock,
  ) {}

  /** Licenses the current version, as every download does. @throws StorageUnavailable before the first byte */
  async make(userId: string, sampleId: string): Promise<TaggedResult> {
    const [file] = await this.owned.find(userId, [sampleId]);
    if (!file) return reject({ code: 'SampleNotOwned' });
    const delivered = await this.commands.execute(new FetchOwnedSamples(userId, [sampleId]));
    if (!delivered.accepted) return delivered;
    const certificateId = delivered.items[0]?.certificateId ?? file.certificateId;
    const certificate = await this.certificates.read(userId, certificateId);
    const copy = certificate && (await this.copyOf(file, certificate));
    if (!copy) return reject({ code: 'NoTaggedCopy' });
    const { sizeBytes } = copy;
    const filename = taggedName((await this.names.of(userId))(file));
    return { accepted: true, filename, archive: { body: await copy.open(), sizeBytes } };
  }

  /** Prepares a copy. Returns undefined if the original is no complete WAV file. @throws StorageUnavailable */
  async copyOf(
    file: OwnedFile,
    { id: certificateId, issuedAt }: Certificate,
  ): Promise<TaggedCopy | undefined> {
    const shape = file.format === 'wav' ? await this.shapeOf(file.originalKey) : undefined;
    if (!shape) return undefined;
    const { header, appended } = tagsOf(shape, {
      title: file.title,
      creator: file.creatorName,
      pack: file.packTitle,
      genre: file.genre,
      bpm: file.bpm,
      key: file.key,
      isLoop: kindOfFile(file) === 'loop',
      certificateId,
      issuedAt: new Date(issuedAt),
      originalSha256: file.sha256,
    });
    const sizeBytes = shape.endsAt + appended.length;
    const end = shape.endsAt - 1;
    const open = async () => {
      const { body } = await this.storage.get(file.originalKey, { start: header.length, end });
      const hashed = this.hashed([header, body, appended], certificateId, sizeBytes);
      // A reader may leave before the original is read.
      return Readable.from(hashed).once('close', () => body.destroy());
    };
    return { sizeBytes, open };
  }

  private async shapeOf(key: OwnedFile['originalKey']): Promise<WavShape | undefined> {
    const sizeBytes = (await this.storage.head(key))?.sizeBytes ?? 0;
    const read = async (start: number, count: number) =>
      buffer((await this.storage.get(key, { start, end: start + count - 1 })).body);
    return sizeBytes < 44 ? undefined : wavShape(read, sizeBytes);
  }

  /** Yields a copy's bytes. Records their hash before the last byte, so that every complete copy can be verified. */
  private async *hashed(
    [header, body, appended]: [Buffer, Readable, Buffer],
    certificateId: string,
    sizeBytes: number,
  ): AsyncGenerator<Buffer> {
    const hash = createHash('sha256').update(header);
    yield header;
    for await (const chunk of body as AsyncIterable<Buffer>) {
      hash.update(chunk);
      yield chunk;
    }
    const sha256 = hash.update(appended).digest('hex');
    const madeAt = this.clock.now().toISOString();
    await this.copies.record(certificateId, { sha256, sizeBytes, madeAt });
    yield appended;
  }
}
