import type * as z from 'zod';
import type {
  ApplicationsQuery,
  CreatorApplicationPage,
  DeferredReturnPage,
  LoggedMailPage,
  MailsQuery,
  PaidInvoices,
} from './contract.js';

export abstract class AdminQueries {
  /** Waiting applications are sorted oldest first, decided ones newest first. */
  abstract applications(query: z.infer<typeof ApplicationsQuery>): Promise<CreatorApplicationPage>;
  abstract paidInvoices(userId: string): Promise<PaidInvoices>;
  /** Purchases whose return waited for the decision of a bank, newest first. */
  abstract deferredReturns(page: { limit: number; cursor?: string }): Promise<DeferredReturnPage>;
  /** Newest first. */
  abstract mails(query: z.infer<typeof MailsQuery>): Promise<LoggedMailPage>;
}
