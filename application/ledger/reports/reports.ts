import type { AgeingReport, DeferredReport } from './report-contract.js';

/** What accountants ask of the books. */
export abstract class ReportQueries {
  abstract deferred(now: Date): Promise<DeferredReport>;
  abstract ageing(asOf: Date): Promise<AgeingReport>;
}
