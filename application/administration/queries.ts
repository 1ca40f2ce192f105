import type * as z from 'zod';
import type * as contract from './contract.js';

export abstract class AdminQueries {
  /** Lists applications: waiting ones oldest first, decided ones newest first. */
  abstract applications(
    query: z.infer<typeof contract.ApplicationsQuery>,
  ): Promise<contract.CreatorApplicationPage>;
  /** Lists what an applicant wrote and what was decided, oldest first. */
  abstract applicationHistory(userId: string): Promise<contract.ApplicationHistory>;
  abstract paidInvoices(userId: string): Promise<contract.PaidInvoices>;
  /** Lists purchases whose return waits or has waited for a bank's decision, newest first. */
  abstract deferredReturns(page: { limit: number; cursor?: string }): Promise<contract.DeferredReturnPage>;
  /** Lists logged mails, newest first. */
  abstract mails(query: z.infer<typeof contract.MailsQuery>): Promise<contract.LoggedMailPage>;
}
