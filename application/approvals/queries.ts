import type * as z from 'zod';
import type { StaffRole } from '../../domain/shared/second-person.js';
import type { ApprovalFacts, ApprovalPage, ApprovalsQuery, LimitsAnswer } from './contract.js';

export abstract class ApprovalQueries {
  /** Lists requests, newest first. @param by lists only requests that this role may approve */
  abstract list(query: z.infer<typeof ApprovalsQuery>, by?: StaffRole): Promise<ApprovalPage>;
  abstract find(id: string, now: Date, by?: StaffRole): Promise<ApprovalFacts | undefined>;
  abstract boughtFrom(asked: { buyerId: string; creatorId: string; since: Date }): Promise<boolean>;
  /** Returns the ids of requests that had no effect: declined, withdrawn, lapsed or impossible. */
  abstract withoutEffect(ids: readonly string[]): Promise<ReadonlySet<string>>;
  abstract limits(): Promise<LimitsAnswer>;
  abstract overdue(now: Date): Promise<string[]>;
}
