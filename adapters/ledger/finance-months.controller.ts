import { Controller } from '@nestjs/common';
import * as endpoints from '../../application/ledger/endpoints.js';
import { Posting } from '../../application/ledger/posting.js';
import { MonthlyBookQueries, OpenBookQueries } from '../../application/ledger/queries.js';
import { Clock } from '../../application/shared/clock.js';
import { Route, type Call } from '../platform/http/route.js';

/** The books over the months, and what is open in them. */
@Controller()
export class FinanceMonthsController {
  constructor(
    private readonly months: MonthlyBookQueries,
    private readonly open: OpenBookQueries,
    private readonly posting: Posting,
    private readonly clock: Clock,
  ) {}

  @Route(endpoints.listBalancesOverTime)
  async balances() {
    await this.posting.allPosted();
    return this.months.balances(this.clock.now());
  }

  @Route(endpoints.listMonths)
  async rollforward({ query }: Call<typeof endpoints.listMonths>) {
    await this.posting.allPosted();
    return this.months.rollforward(this.clock.now(), query.userId);
  }

  @Route(endpoints.listOpenItems)
  async openItems() {
    await this.posting.allPosted();
    return this.open.openItems(this.clock.now());
  }

  @Route(endpoints.listLateFacts)
  async lateFacts({ query }: Call<typeof endpoints.listLateFacts>) {
    await this.posting.allPosted();
    return this.open.lateFacts(query);
  }
}
