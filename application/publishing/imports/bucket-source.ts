import type { Readable } from 'node:stream';
import type { ListedObject, ListOptions } from '../../storage/object-storage.js';

export type SourceFile = Omit<ListedObject, 'etag'>;

/** The source of an import: a bucket, or a folder with a copy of one. It is only read. */
export interface BucketSource {
  /** Lists files in the order of their keys. */
  list(options: ListOptions): Promise<{ objects: SourceFile[]; prefixes: string[]; nextCursor?: string }>;
  /** Opens a file. @throws Error if the file is missing or unreadable */
  get(key: string): Promise<{ body: Readable }>;
}

export interface PackProblem {
  path: string;
  reason: string;
}

export interface ImportedCreator {
  folder: string;
  handle: string;
  /** Whether the account has no way to sign in until it is handed over to the creator. */
  placeholder: boolean;
}

export interface BucketReport {
  creators: ImportedCreator[];
  packs: { added: number; known: number };
  samples: { added: number; known: number };
  covers: number;
  profiles: number;
  avatars: number;
  /** Stems and MIDI files. */
  attachments: number;
  problems: PackProblem[];
}

export const emptyReport = (): BucketReport => ({
  creators: [],
  packs: { added: 0, known: 0 },
  samples: { added: 0, known: 0 },
  covers: 0,
  profiles: 0,
  avatars: 0,
  attachments: 0,
  problems: [],
});

/** Runs a step of the import. A failure is added to the report, and the import continues. */
export async function guarded(report: BucketReport, path: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    report.problems.push({ path, reason: (error as Error).message });
  }
}
