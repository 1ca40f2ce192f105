import type { StaffRole } from '../../domain/shared/staff-role.js';
import type * as z from 'zod';
import type {
  ApprovalFacts,
  ApprovalPage,
  ApprovalsQuery,
  LimitsAnswer,
  StaffAct,
  StaffActPage,
  StaffActsExportQuery,
  StaffActsQuery,
} from './approval-contract.js';
import type {
  AdjustmentPage,
  ApplicationsQuery,
  CreatorApplicationPage,
  DeferredReturnPage,
  JobsAnswer,
  LoggedMailPage,
  MailsQuery,
  NamesAnswer,
  PaidInvoices,
  PeopleAnswer,
} from './contract.js';

/** Requests that wait for administrators, and their decisions. */
export abstract class AdminQueries {
  /** The longest waiting first; decided ones newest first. */
  abstract applications(query: z.infer<typeof ApplicationsQuery>): Promise<CreatorApplicationPage>;
  /** Waiting ones first, newest first. */
  abstract adjustments(page: { limit: number; cursor?: string }): Promise<AdjustmentPage>;
  /** Whole matches first. */
  abstract people(text: string): Promise<PeopleAnswer>;
  abstract names(ids: readonly string[]): Promise<NamesAnswer>;
  abstract paidInvoices(userId: string): Promise<PaidInvoices>;
  /** Returns that had to wait for a bank's decision, newest first. */
  abstract deferredReturns(page: { limit: number; cursor?: string }): Promise<DeferredReturnPage>;
  /** Newest first. */
  abstract mails(query: z.infer<typeof MailsQuery>): Promise<LoggedMailPage>;
  abstract userExists(userId: string): Promise<boolean>;
}

/** The jobs that the queue keeps. */
export abstract class JobQueries {
  /** How many of each kind wait and run, those that run, and the last ones that failed for good, newest first. */
  abstract list(limit: number): Promise<JobsAnswer>;
}

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

/** Who of the staff did what. */
export abstract class StaffActQueries {
  /** Newest first. */
  abstract list(query: z.infer<typeof StaffActsQuery>): Promise<StaffActPage>;
  abstract newest(chosen: StaffActsExportQuery, limit: number): Promise<StaffAct[]>;
}
