import type { SampleFile } from '../storage/queries.js';

export interface OwnedFile extends SampleFile {
  channels: number;
  sampleRateHz: number;
  certificateId: string;
  /** The SHA-256 of the current original. */
  sha256: string;
  takenDown: boolean;
  stemsKey: string | null;
  midiKey: string | null;
}

export abstract class OwnedFileQueries {
  /** Returns the files in the order of the ids. Skips samples that the user does not own. */
  abstract find(userId: string, sampleIds: readonly string[]): Promise<OwnedFile[]>;
}

/** Selects the purchases of a pack, of a sample, or of everything that was taken down. */
export type PurchasesOf = { packId: string } | { sampleId: string } | { takenDown: true };

export interface PurchaseKey {
  buyerId: string;
  sampleId: string;
}

/** Reads purchases that were not undone. */
export abstract class ActivePurchaseQueries {
  /** Lists paid purchases, sorted by buyer and sample. @param after the last purchase of the previous page */
  abstract list(of: PurchasesOf, limit: number, after?: PurchaseKey): Promise<PurchaseKey[]>;
  abstract count(of: PurchasesOf): Promise<number>;
}
