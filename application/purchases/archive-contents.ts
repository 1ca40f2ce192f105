import { ObjectStorage } from '../storage/object-storage.js';
import { Injectable } from '@nestjs/common';
import { distinctNames } from '../../domain/shared/file-names.js';
import type { LeftOut } from './contract.js';
import { FileNames } from './file-naming.js';
import type { OwnedFile } from './queries.js';
import { StemsAccess } from './buy-samples.js';

const AT_ONCE = 16;

/** The existing files of a sample in an archive. `name` is unique there, even without its extension. */
export interface ArchivedSample {
  file: OwnedFile;
  stem: string;
  name: string;
  sound?: StoredPart;
  midi?: StoredPart;
  stems?: StoredPart;
}

export interface StoredPart {
  path: string;
  key: string;
  sizeBytes: number;
}

export interface ArchiveContents {
  samples: ArchivedSample[];
  leftOut: LeftOut[];
}

@Injectable()
export class ArchiveInspection {
  constructor(
    private readonly storage: ObjectStorage,
    private readonly access: StemsAccess,
    private readonly names: FileNames,
  ) {}

  /** @throws StorageUnavailable */
  async of(userId: string, files: readonly OwnedFile[]): Promise<ArchiveContents> {
    const stems = distinctNames(files.map(await this.names.of(userId)));
    const mayHaveStems = await this.access.of(userId);
    const contents: ArchiveContents = { samples: [], leftOut: [] };
    for (let from = 0; from < files.length; from += AT_ONCE) {
      const part = files.slice(from, from + AT_ONCE);
      const inspected = await Promise.all(
        part.map((file, at) => this.inspect(file, stems[from + at] as string, mayHaveStems(file))),
      );
      for (const { sample, leftOut } of inspected) {
        if (sample) contents.samples.push(sample);
        contents.leftOut.push(...leftOut);
      }
    }
    return contents;
  }

  private async inspect(
    file: OwnedFile,
    stem: string,
    mayHaveStems: boolean,
  ): Promise<{ sample?: ArchivedSample; leftOut: LeftOut[] }> {
    const { sampleId, title } = file;
    if (file.takenDown) return { leftOut: [{ sampleId, title, what: 'sound', reason: 'taken-down' }] };
    const name = `${stem}.${file.format}`;
    const wanted = [
      { what: 'sound', key: file.originalKey, path: `samples/${name}` },
      { what: 'midi', key: file.midiKey, path: `midi/${stem}.mid` },
      { what: 'stems', key: file.stemsKey, path: `stems/${stem} (stems).zip` },
    ] as const;
    const sample: ArchivedSample = { file, stem, name };
    const leftOut: LeftOut[] = [];
    for (const { what, key, path } of wanted) {
      if (!key) continue;
      const sizeBytes = (await this.storage.head(key))?.sizeBytes;
      if (sizeBytes === undefined) leftOut.push({ sampleId, title, what, reason: 'missing' });
      else if (what === 'stems' && !mayHaveStems)
        leftOut.push({ sampleId, title, what, reason: 'needs-studio' });
      else sample[what] = { path, key, sizeBytes };
    }
    return { sample, leftOut };
  }
}

const PARTS = { sound: 'the sound', midi: 'the MIDI file', stems: 'the stems' } as const;
const REASONS = {
  missing: 'the file is missing. Please contact us: you have paid for it',
  'taken-down': 'it was taken down',
  'needs-studio': 'stems come with an active Studio plan',
} as const;

export function leftOutText(leftOut: readonly LeftOut[]): string {
  const lines = leftOut.map(
    ({ title, what, reason }) => `${title}: without ${PARTS[what]}, ${REASONS[reason]}.`,
  );
  return `This archive is incomplete.\n\n${lines.join('\n')}\n`;
}
