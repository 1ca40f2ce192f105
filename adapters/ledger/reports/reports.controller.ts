import { Controller } from '@nestjs/common';
import { Posting } from '../../../application/ledger/posting.js';
import * as endpoints from '../../../application/ledger/reports/report-endpoints.js';
import { ReportQueries } from '../../../application/ledger/reports/reports.js';
import { Clock } from '../../../application/shared/clock.js';
import { Route, type Call } from '../../platform/http/route.js';

/** What accountants ask of the books. */
@Controller()
export class ReportsController {
  constructor(
    private readonly reports: ReportQueries,
    private readonly posting: Posting,
    private readonly clock: Clock,
  ) {}

  @Route(endpoints.reportDeferred)
  async deferred() {
    await this.posting.allPosted();
    return this.reports.deferred(this.clock.now());
  }

  @Route(endpoints.reportAgeing)
  async ageing({ query: { asOf = this.clock.now() } }: Call<typeof endpoints.reportAgeing>) {
    await this.posting.allPosted();
    return this.reports.ageing(asOf);
  }
}
