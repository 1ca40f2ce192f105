import type * as z from 'zod';
import type {
  StaffAct,
  StaffActPage,
  StaffActsExportQuery,
  StaffActsQuery,
  AdjustmentPage,
  ApplicationsQuery,
  CreatorApplicationPage,
  DeferredReturnPage,
  JobsAnswer,
  LoggedMailPage,
  MailsQuery,
  PaidInvoices,
} from './contract.js';

/** Requests that wait for administrators, and their decisions. */
export abstract class AdminQueries {
  /** The longest waiting first; decided ones newest first. */
  abstract applications(query: z.infer<typeof ApplicationsQuery>): Promise<CreatorApplicationPage>;
  /** Waiting ones first, newest first. */
  abstract adjustments(page: { limit: number; cursor?: string }): Promise<AdjustmentPage>;
  abstract paidInvoices(userId: string): Promise<PaidInvoices>;
  /** Returns that had to wait for a bank's decision, newest first. */
  abstract deferredReturns(page: { limit: number; cursor?: string }): Promise<DeferredReturnPage>;
  /** Newest first. */
  abstract mails(query: z.infer<typeof MailsQuery>): Promise<LoggedMailPage>;
}

/** The jobs that the queue keeps. */
export abstract class JobQueries {
  /** How many of each kind wait and run, those that run, and the last ones that failed for good, newest first. */
  abstract list(limit: number): Promise<JobsAnswer>;
}

/** Who of the staff did what. */
export abstract class StaffActQueries {
  /** Newest first. */
  abstract list(query: z.infer<typeof StaffActsQuery>): Promise<StaffActPage>;
  abstract newest(chosen: StaffActsExportQuery, limit: number): Promise<StaffAct[]>;
}
