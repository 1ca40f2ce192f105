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

export abstract class AdminQueries {
  /** Waiting applications are sorted oldest first, decided ones newest first. */
  abstract applications(query: z.infer<typeof ApplicationsQuery>): Promise<CreatorApplicationPage>;
  /** Waiting ones first, newest first. */
  abstract adjustments(page: { limit: number; cursor?: string }): Promise<AdjustmentPage>;
  abstract paidInvoices(userId: string): Promise<PaidInvoices>;
  /** Returns that had to wait for a bank's decision, newest first. */
  abstract deferredReturns(page: { limit: number; cursor?: string }): Promise<DeferredReturnPage>;
  /** Newest first. */
  abstract mails(query: z.infer<typeof MailsQuery>): Promise<LoggedMailPage>;
}

export abstract class JobQueries {
  /** The number of waiting and running jobs per kind, the running jobs, and the newest that failed for good. */
  abstract list(limit: number): Promise<JobsAnswer>;
}

export abstract class StaffActQueries {
  /** Newest first. */
  abstract list(query: z.infer<typeof StaffActsQuery>): Promise<StaffActPage>;
  abstract newest(chosen: StaffActsExportQuery, limit: number): Promise<StaffAct[]>;
}
