import type { StemsRefused } from '../../../domain/publishing/stems.js';

/** Reads uploaded archives of stems. */
export abstract class StemsArchives {
  /** Unpacks every file without keeping it. @returns why the archive cannot be sold, if so */
  abstract check(path: string): Promise<StemsRefused | undefined>;
}
