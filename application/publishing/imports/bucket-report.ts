import type { PackProblem } from './bucket-pack.js';

export interface ImportedCreator {
  folder: string;
  handle: string;
  /** An account that nobody can sign in to until it is handed over. */
  placeholder: boolean;
}

export interface BucketReport {
  creators: ImportedCreator[];
  packs: { added: number; known: number };
  samples: { added: number; known: number };
  covers: number;
  /** Creators whose bio or links were imported, and whose picture was. */
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

/** The report names each failure, which does not keep the rest from being imported. */
export async function guarded(report: BucketReport, path: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    report.problems.push({ path, reason: (error as Error).message });
  }
}
