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
import { FileNames } from './file-naming.js';
import { OwnedFileQueries, type OwnedFile } from './queries.js';
import { tagsOf, wavShape, type WavShape } from './tagged-wav.js';

/** Stores the hashes of files that were made from certified originals. */
export abstract class CertifiedCopies {
  /** Records a copy. If its hash is already recorded, the earlier time stays. */
  abstract record(certificateId: string, copy: CertifiedCopy): Promise<void>;
  /** Lists the copies that were made from a certified original, oldest first. */
  abstract of(certificateId: string): Promise<CertifiedCopy[]>;
}

export interface DecodedOriginal {
  frames: number;
  sampleRateHz: number;
  /** The size of the WAV. */
  sizeBytes: number;
  /** Reads the WAV from byte `start`. Works only once, because it deletes the file. */
  read(start: number): Readable;
}

export abstract class OriginalDecoder {
  /** Decodes an original to a WAV with one format chunk and one data chunk. @throws StorageUnavailable, TooBusy */
  abstract decode(originalKey: string): Promise<DecodedOriginal>;
}

type TaggedResult = Outcome<
  { filename: string; archive: Archive },
  Extract<DeliveryOutcome, { accepted: false }>['rejection'] | { code: 'SampleNotOwned' | 'NoTaggedCopy' }
>;

export interface TaggedCopy {
  /** Undefined if the copy is made when it is opened. */
  sizeBytes: number | undefined;
  /** @throws StorageUnavailable, TooBusy */
  open: () => Promise<Readable>;
}

/**
 * Formats whose copies are decoded. MP3 and M4A files get no copy, because a WAV would be larger but not sound
 * better.
 */
const DECODED = new Set(['aiff', 'flac', 'ogg', 'opus']);
/** No copy is made if the WAV would be larger than this. */
const DECODED_LIMIT_BYTES = 2 ** 30;
const SAMPLE_BYTES_MAX = 4;

export const taggedName = (stem: string): string => `${stem} (tagged).wav`;

/** Makes WAV copies of owned files, with tags for samplers and DAWs. The original stays unchanged. */
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
    private readonly decoder: OriginalDecoder,
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

  /** Prepares a copy. Returns undefined for a file of which no copy is made. @throws StorageUnavailable */
  async copyOf(file: OwnedFile, certificate: Certificate): Promise<TaggedCopy | undefined> {
    if (DECODED.has(file.format)) {
      const { durationMs, sampleRateHz, channels } = file;
      const wavBytes = (durationMs / 1_000) * sampleRateHz * channels * SAMPLE_BYTES_MAX;
      if (wavBytes > DECODED_LIMIT_BYTES) return undefined;
      return { sizeBytes: undefined, open: () => this.openDecoded(file, certificate) };
    }
    const shape = file.format === 'wav' ? await this.shapeOf(file.originalKey) : undefined;
    if (!shape) return undefined;
    const { header, appended, sizeBytes } = taggedAs(shape, file, certificate);
    const end = shape.endsAt - 1;
    const open = async () => {
      const { body } = await this.storage.get(file.originalKey, { start: header.length, end });
      return this.hashed([header, body, appended], certificate.id, sizeBytes);
    };
    return { sizeBytes, open };
  }

  private async openDecoded(file: OwnedFile, certificate: Certificate): Promise<Readable> {
    const { frames, sampleRateHz, sizeBytes: endsAt, read } = await this.decoder.decode(file.originalKey);
    const shape = { frames, sampleRateHz, endsAt, chunks: new Set(['fmt ', 'data']) };
    const { header, appended, sizeBytes } = taggedAs(shape, file, certificate);
    return this.hashed([header, read(header.length), appended], certificate.id, sizeBytes);
  }

  private async shapeOf(key: OwnedFile['originalKey']): Promise<WavShape | undefined> {
    const sizeBytes = (await this.storage.head(key))?.sizeBytes ?? 0;
    const read = async (start: number, count: number) =>
      buffer((await this.storage.get(key, { start, end: start + count - 1 })).body);
    return sizeBytes < 44 ? undefined : wavShape(read, sizeBytes);
  }

  /**
   * Returns a copy's bytes. Closing the returned stream also closes the stream of the source file, even if the
   * reader has read nothing yet.
   */
  private hashed(parts: [Buffer, Readable, Buffer], certificateId: string, sizeBytes: number): Readable {
    const bytes = Readable.from(this.hashedParts(parts, certificateId, sizeBytes));
    return bytes.once('close', () => parts[1].destroy());
  }

  /** Records the hash before the last byte, so that every complete copy can be verified. */
  private async *hashedParts(
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

function taggedAs(shape: WavShape, file: OwnedFile, { id: certificateId, issuedAt }: Certificate) {
  const { header, appended } = tagsOf(shape, {
    title: file.title,
    creator: file.creatorName,
    pack: file.packTitle,
    genre: file.genre,
    bpm: file.bpm,
    key: file.key,
    isLoop: file.kind === 'loop',
    certificateId,
    issuedAt: new Date(issuedAt),
    originalSha256: file.sha256,
  });
  return { header, appended, sizeBytes: shape.endsAt + appended.length };
}
