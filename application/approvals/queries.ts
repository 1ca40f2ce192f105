import type * as z from 'zod';
import type { StaffRole } from '../../domain/shared/staff-role.js';
import type { ApprovalFacts, ApprovalPage, ApprovalsQuery, LimitsAnswer } from './contract.js';

/** Requests that wait for a second person, and their outcomes. */
export abstract class ApprovalQueries {
  /**
   * Newest first.
   * @param by lists only kinds that this role may approve
   */
  abstract list(query: z.infer<typeof ApprovalsQuery>, by?: StaffRole): Promise<ApprovalPage>;
  abstract find(id: string, now: Date, by?: StaffRole): Promise<ApprovalFacts | undefined>;
  /**
   * Returns the requester of an adjustment, or undefined if the id is none. Adjustments are decided in their own
   * stream.
   */
  abstract askerOfAdjustment(id: string): Promise<string | undefined>;
  abstract limits(): Promise<LimitsAnswer>;
  /** Returns the ids of waiting requests that have lapsed. */
  abstract overdue(now: Date): Promise<string[]>;
}
