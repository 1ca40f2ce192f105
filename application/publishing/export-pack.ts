import { Injectable } from '@nestjs/common';
import { reject, type Outcome } from '../../domain/shared/decision.js';
import { Archiver, type Archive, type ArchiveEntry } from '../storage/archive.js';
import { Clock } from '../shared/clock.js';
import { ObjectMissing, ObjectStorage } from '../storage/object-storage.js';
import { safeName } from '../../domain/shared/file-names.js';
import { fileKey, minutesAndSeconds } from './pack-json.js';
import { PackDocumentQueries, type ExportedPack } from './queries.js';

export type ExportRejection = { code: 'NotFound' } | { code: 'PackTakenDown'; reason: string };

@Injectable()
export class ExportPack {
  constructor(
    private readonly packs: PackDocumentQueries,
    private readonly storage: ObjectStorage,
    private readonly archiver: Archiver,
    private readonly clock: Clock,
  ) {}

  /** Returns the pack's folder as a ZIP archive. @throws ObjectMissing, StorageUnavailable before the first byte */
  async archive(
    userId: string,
    packId: string,
  ): Promise<Outcome<{ filename: string; archive: Archive }, ExportRejection>> {
    const outcome = await this.folder(userId, packId);
    if (!outcome.accepted) return outcome;
    const { slug, entries } = outcome;
    const placed = entries.map((entry) => ({ ...entry, name: `${slug}/${entry.name}` }));
    return { accepted: true, filename: `${slug}.zip`, archive: await this.archiver.pack(placed) };
  }

  /** Lists the files of a pack's folder with their paths. @throws ObjectMissing, StorageUnavailable */
  async folder(
    userId: string,
    idOrSlug: string,
  ): Promise<Outcome<{ slug: string; entries: ArchiveEntry[] }, ExportRejection>> {
    const pack = await this.packs.exported(userId, idOrSlug);
    if (!pack) return reject({ code: 'NotFound' });
    // A takedown blocks downloads, even for the creator.
    if (pack.document.status === 'taken_down')
      return reject({ code: 'PackTakenDown', reason: pack.takedownReason ?? '' });
    const modifiedAt = this.clock.now();
    const { document, stored } = laidOut(pack);
    const bytes = Buffer.from(`${JSON.stringify(document, null, 2)}\n`);
    const entries: ArchiveEntry[] = [{ name: 'pack.json', modifiedAt, bytes }];
    for (const { name, key } of stored) {
      const info = await this.storage.head(key);
      if (!info) throw new ObjectMissing(key);
      const open = async () => (await this.storage.get(key)).body;
      entries.push({ name, modifiedAt, sizeBytes: info.sizeBytes, open });
    }
    return { accepted: true, slug: String(pack.document.slug), entries };
  }
}

interface StoredFile {
  name: string;
  key: string;
}

/** Lays out an export with the creator's file names. They are unique without extensions, which importers ignore. */
function laidOut({ document, files, coverKey }: ExportedPack): { document: object; stored: StoredFile[] } {
  const taken = new Set<string>();
  const stored: StoredFile[] = [];
  const samples = document.samples.map(({ durationMs, originalKey, stemsKey, midiKey, ...sample }, index) => {
    const { filename, format } = files[index] as ExportedPack['files'][number];
    const stem = free(safeName(filename.replace(/\.[A-Za-z0-9]{1,5}$/, '')), taken);
    const place = (folder: string, extension: string, from: string): string => {
      const name = `${folder}/${stem}.${extension}`;
      stored.push({ name, key: from });
      return name;
    };
    return {
      ...sample,
      duration: minutesAndSeconds(durationMs),
      fileUrl: place('samples', format, originalKey),
      ...(stemsKey && { stems: place('stems', 'zip', stemsKey) }),
      ...(midiKey && { midi: place('midi', 'mid', midiKey) }),
    };
  });
  const cover = coverKey && `covers/cover${/\.[a-z]+$/.exec(coverKey)?.[0] ?? ''}`;
  if (cover) stored.push({ name: cover, key: coverKey });
  return { document: { ...document, coverImage: cover, samples }, stored };
}

function free(stem: string, taken: Set<string>): string {
  const keyOf = (name: string): string => fileKey(`${name}.x`).normalize('NFC');
  let name = stem;
  for (let n = 2; taken.has(keyOf(name)); n += 1) name = `${stem} (${n})`;
  taken.add(keyOf(name));
  return name;
}
