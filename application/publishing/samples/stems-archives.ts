import type { StemsRefused } from '../../../domain/publishing/stems.js';

export abstract class StemsArchives {
  /** Unpacks every file without storing it. @returns why the archive cannot be sold, or undefined */
  abstract check(path: string): Promise<StemsRefused | undefined>;
}
