import { Injectable } from '@nestjs/common';
import { Archiver, type Archive, type ArchiveEntry } from '../ports/archive.js';
import { Clock } from '../ports/clock.js';
import { ObjectStorage } from '../ports/object-storage.js';
import { SamplePurchases, type PurchaseResult } from './buy-samples.js';
import { Certificates } from './certificates.js';
import type { Certificate } from './contract.js';
import { distinctNames, downloadName } from './file-names.js';
import { OwnedFiles, type OwnedFile } from './readers.js';

export type ZipRejection =
  Extract<PurchaseResult, { ok: false }>['rejection'] | { code: 'SampleNotOwned'; sampleIds: string[] };

export type ZipResult =
  { ok: true; filename: string; archive: Archive } | { ok: false; rejection: ZipRejection };

/** Several owned samples as one archive, with what proves the licences. */
@Injectable()
export class ZipDownloads {
  constructor(
    private readonly owned: OwnedFiles,
    private readonly purchases: SamplePurchases,
    private readonly certificates: Certificates,
    private readonly storage: ObjectStorage,
    private readonly archiver: Archiver,
    private readonly clock: Clock,
  ) {}

  /**
   * Exactly these samples, or none. Nothing is ever charged.
   * @throws StorageUnavailable before the first byte
   */
  async pack(userId: string, ids: readonly string[]): Promise<ZipResult> {
    const sampleIds = [...new Set(ids)];
    const files = await this.owned.find(userId, sampleIds);
    const missing = sampleIds.filter((id) => !files.some((file) => file.sampleId === id));
    if (missing.length > 0) return { ok: false, rejection: { code: 'SampleNotOwned', sampleIds: missing } };
    // The ordinary door: it licenses the present version of each, and would refuse what is not free.
    const delivered = await this.purchases.fetchOwned(userId, sampleIds);
    if (!delivered.ok) return { ok: false, rejection: delivered.rejection };
    const certificateIds = new Map(delivered.items.map((item) => [item.sampleId, item.certificateId]));
    const entries = await this.entries(userId, files, certificateIds);
    const now = this.clock.now();
    const filename = `Offcut ${now.toISOString().slice(0, 10)}, ${files.length === 1 ? '1 sample' : `${files.length} samples`}.zip`;
    return { ok: true, filename, archive: await this.archiver.pack(entries) };
  }

  private async entries(
    userId: string,
    files: OwnedFile[],
    certificateIds: Map<string, string>,
  ): Promise<ArchiveEntry[]> {
    const modifiedAt = this.clock.now();
    const names = distinctNames(files.map(downloadName));
    const entries: ArchiveEntry[] = [];
    const rows: object[] = [];
    for (const [index, file] of files.entries()) {
      const name = names[index] as string;
      const certificate = await this.certificates.read(
        userId,
        certificateIds.get(file.sampleId) ?? file.certificateId,
      );
      if (!certificate) throw new Error(`sample ${file.sampleId} is owned without a certificate`);
      const info = await this.storage.head(file.originalKey);
      if (!info) throw new Error(`${file.originalKey} went away`);
      entries.push(
        { name: `samples/${name}`, modifiedAt, sizeBytes: info.sizeBytes, open: async () => (await this.storage.get(file.originalKey)).body },
        { name: `certificates/${name}.json`, modifiedAt, bytes: asJson(certificate) },
      ); // prettier-ignore
      rows.push(manifestRow(file, name, info.sizeBytes, certificate));
    }
    const manifest = { createdAt: modifiedAt.toISOString(), licenseeId: userId, samples: rows };
    return [{ name: 'manifest.json', modifiedAt, bytes: asJson(manifest) }, ...entries];
  }
}

const asJson = (value: object): Buffer => Buffer.from(`${JSON.stringify(value, null, 2)}\n`);

function manifestRow(file: OwnedFile, name: string, sizeBytes: number, certificate: Certificate): object {
  return {
    file: `samples/${name}`,
    sampleId: file.sampleId,
    title: file.title,
    pack: file.packTitle,
    creator: file.creatorName,
    bpm: file.bpm,
    key: file.key,
    sizeBytes,
    sha256: file.sha256,
    certificate: `certificates/${name}.json`,
    certificateId: certificate.id,
  };
}
