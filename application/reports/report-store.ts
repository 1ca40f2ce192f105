import type { NewReport, ReportPage } from './contract.js';

export abstract class Reports {
  abstract file(report: NewReport & { reportId: string; reporterId: string; createdAt: Date }): Promise<void>;
  /** Lists reports, newest first. */
  abstract list(page: { limit: number; cursor?: string }): Promise<ReportPage>;
}
