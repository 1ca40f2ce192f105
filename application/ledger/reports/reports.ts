import type { BreakageReport, MarginReport, MonthsQuery } from './margin-contract.js';
import type { AgeingReport, DeferredReport } from './report-contract.js';

/** What all accounts of one line of the chart ever had on each side, in micro-dollars, before a time and a later one. */
export interface Turnover {
  account: string;
  debit: { from: number; to: number };
  credit: { from: number; to: number };
}

/** What accountants ask of the books. */
export abstract class ReportQueries {
  /** @param months of the months since the first posting; absent: all */
  abstract deferred(now: Date, months?: MonthsQuery): Promise<DeferredReport>;
  abstract ageing(asOf: Date): Promise<AgeingReport>;
  abstract margin(months: MonthsQuery): Promise<MarginReport>;
  abstract breakage(asOf: Date): Promise<BreakageReport>;
  /** Of dollars alone, without accounts on which nothing ever moved. */
  abstract turnover(span: { from: Date; to: Date }): Promise<Turnover[]>;
}
