import type * as z from 'zod';
import type { AdjustmentPage, ApplicationsQuery, CreatorApplicationPage } from './contract.js';

/** What waits for administrators, and what they decided. */
export abstract class AdminLists {
  /** Those that wait longest first; decided ones newest first. */
  abstract applications(query: z.infer<typeof ApplicationsQuery>): Promise<CreatorApplicationPage>;
  /** Waiting ones first, newest first. */
  abstract adjustments(page: { limit: number; cursor?: string }): Promise<AdjustmentPage>;
  abstract userExists(userId: string): Promise<boolean>;
}

/** Purchases that still stand. */
export abstract class StandingPurchases {
  /** Paid purchases of a pack or of one sample, at most `limit`. */
  abstract list(
    of: { packId: string } | { sampleId: string },
    limit: number,
  ): Promise<{ buyerId: string; sampleId: string }[]>;
}
