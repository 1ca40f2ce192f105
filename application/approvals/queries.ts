import type * as z from 'zod';
import type { StaffRole } from '../../domain/shared/staff-role.js';
import type { ApprovalFacts, ApprovalPage, ApprovalsQuery, LimitsAnswer } from './contract.js';

/** What waits for a second person, and what became of it. */
export abstract class ApprovalQueries {
  /** Newest first. @param by only of the kinds that somebody with this role decides on */
  abstract list(query: z.infer<typeof ApprovalsQuery>, by?: StaffRole): Promise<ApprovalPage>;
  abstract find(id: string, now: Date, by?: StaffRole): Promise<ApprovalFacts | undefined>;
  /** Who asked for it; an adjustment has a stream of its own, and is decided on there. Undefined: it is none. */
  abstract askerOfAdjustment(id: string): Promise<string | undefined>;
  /** What one person may do alone. */
  abstract limits(): Promise<LimitsAnswer>;
  /** Those that wait and should not any more. */
  abstract overdue(now: Date): Promise<string[]>;
}
