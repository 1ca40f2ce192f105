import type { SampleFile } from '../storage/queries.js';
import type { DownloadPage } from '../library/contract.js';

/** A sample that the user owns, with all its attachments. */
export interface OwnedFile extends SampleFile {
  certificateId: string;
  /** Of the present original. */
  sha256: string;
  /** 0 when unknown. */
  bpm: number;
  key: string | null;
  takenDown: boolean;
  /** Null if the creator attached none. */
  stemsKey: string | null;
  midiKey: string | null;
}

export abstract class OwnedFileQueries {
  /** In the order asked for; what this user does not own is left out. */
  abstract find(userId: string, sampleIds: readonly string[]): Promise<OwnedFile[]>;
}

/** What one user owns, newest first. */
export abstract class DownloadedSampleQueries {
  abstract list(userId: string, page: { limit: number; cursor?: string }): Promise<DownloadPage>;
}

/** The purchases of a pack, of one sample, or of everything that is taken down. */
export type PurchasesOf = { packId: string } | { sampleId: string } | { takenDown: true };

export interface PurchaseKey {
  buyerId: string;
  sampleId: string;
}

/** Purchases that were not undone. */
export abstract class ActivePurchaseQueries {
  /** Paid ones, at most `limit`, in the order of buyers and samples. @param after the last that was listed */
  abstract list(of: PurchasesOf, limit: number, after?: PurchaseKey): Promise<PurchaseKey[]>;
  /** The number of such purchases. */
  abstract count(of: PurchasesOf): Promise<number>;
}
