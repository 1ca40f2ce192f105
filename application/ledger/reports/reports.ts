import type { BreakageReport, MarginReport, MonthsQuery } from './margin-contract.js';
import type { AgeingReport, DeferredReport } from './report-contract.js';

/** Totals since the beginning of the books on each side of a line of the chart, in micro-dollars, up to two times. */
export interface Turnover {
  account: string;
  debit: { from: number; to: number };
  credit: { from: number; to: number };
}

export abstract class ReportQueries {
  /** @param months default: every month since the first posting */
  abstract deferred(now: Date, months?: MonthsQuery): Promise<DeferredReport>;
  abstract ageing(asOf: Date): Promise<AgeingReport>;
  abstract margin(months: MonthsQuery): Promise<MarginReport>;
  abstract breakage(asOf: Date): Promise<BreakageReport>;
  /** Dollar accounts only, without accounts that never moved. */
  abstract turnover(span: { from: Date; to: Date }): Promise<Turnover[]>;
}
