import type { NewReport, ReportPage } from './contract.js';

/** Reports of users, for administrators. */
export abstract class Reports {
  abstract file(report: NewReport & { reportId: string; reporterId: string; createdAt: Date }): Promise<void>;
  /** Newest first. */
  abstract list(page: { limit: number; cursor?: string }): Promise<ReportPage>;
}
