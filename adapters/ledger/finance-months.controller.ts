import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { SeeCause } from '../../application/ledger/alert-commands.js';
import { DecideAlert } from '../../application/alerts/decide-alert.js';
import * as endpoints from '../../application/ledger/endpoints.js';
import { Posting } from '../../application/ledger/posting.js';
import { AlertQueries, OpenBookQueries } from '../../application/ledger/queries.js';
import { MonthlyBookQueries } from './monthly-books.js';
import { Clock } from '../../application/shared/clock.js';
import { Route, type Call } from '../platform/http/route.js';

@Controller()
export class FinanceMonthsController {
  constructor(
    private readonly months: MonthlyBookQueries,
    private readonly open: OpenBookQueries,
    private readonly alerts: AlertQueries,
    private readonly commands: CommandBus,
    private readonly posting: Posting,
    private readonly clock: Clock,
  ) {}

  @Route(endpoints.listBalancesOverTime)
  async balances() {
    await this.posting.allPosted();
    return this.months.balances(this.clock.now());
  }

  @Route(endpoints.listRollforwardMonths)
  async rollforward({ query }: Call<typeof endpoints.listRollforwardMonths>) {
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

  @Route(endpoints.listAlerts)
  listAlerts({ query }: Call<typeof endpoints.listAlerts>) {
    return this.alerts.list(query);
  }

  @Route(endpoints.seeCause)
  async seeCause({ actor: { userId: by }, body, refuse }: Call<typeof endpoints.seeCause>) {
    const outcome = await this.commands.execute(new SeeCause(body, by));
    return outcome.accepted ? undefined : refuse(outcome.rejection);
  }

  @Route(endpoints.seeAlert)
  async seeAlert({ actor: { userId: by }, params: { key }, refuse }: Call<typeof endpoints.seeAlert>) {
    const outcome = await this.commands.execute(new DecideAlert({ type: 'SeeAlert', key, by }, by));
    return outcome.accepted ? undefined : refuse(outcome.rejection);
  }
}
