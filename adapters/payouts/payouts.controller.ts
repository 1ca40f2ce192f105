import { Controller, Header, UseFilters, StreamableFile } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Readable } from 'node:stream';
import { RequestWithdrawal } from '../../application/payouts/request-withdrawal.js';
import { PayoutAccounts } from '../../application/payouts/payout-accounts.js';
import { PayoutSchedules } from '../../application/payouts/payout-schedules.js';
import { PayoutQueries } from '../../application/payouts/queries.js';
import {
  monthsCsv,
  payoutsCsv,
  reachCsv,
  salesReportCsv,
  statementCsv,
  salesCsv,
} from '../../application/payouts/statement-csv.js';
import { Withdrawals } from '../../application/payouts/withdrawals.js';
import { CheckoutProblemFilter } from '../platform/http/problem.filter.js';
import { Route, type Call } from '../platform/http/route.js';
import {
  PERIOD_DAYS,
  type ReachedSample,
  type Sale,
  type SalesReportQuery,
  type SoldGroup,
} from '../../application/payouts/contract.js';
import { EarningsMonthQueries } from './earnings-months.js';
import { CreatorReachQueries } from './creator-reach.js';
import { CreatorSalesQueries } from './creator-sales.js';
import { DASHBOARD_DAYS } from '../../application/payouts/values.js';
import { Clock } from '../../application/shared/clock.js';
import * as endpoints from '../../application/payouts/endpoints.js';

const MOST_STATEMENTS = 1_000;

@Controller()
export class PayoutsController {
  constructor(
    private readonly accounts: PayoutAccounts,
    private readonly commands: CommandBus,
    private readonly withdrawals: Withdrawals,
    private readonly payouts: PayoutQueries,
    private readonly schedules: PayoutSchedules,
  ) {}

  @Route(endpoints.connectAccount)
  @UseFilters(CheckoutProblemFilter)
  async connect({ actor, body, refuse }: Call<typeof endpoints.connectAccount>) {
    if (body.userId !== undefined && body.userId !== actor.userId)
      return refuse({ code: 'NotAllowed', detail: 'You can only connect your own account.' });
    const { userId: creatorId } = actor;
    const page = await this.accounts.startOnboarding({
      creatorId,
      email: body.email ?? actor.email,
      country: body.country,
    });
    return page ?? refuse({ code: 'CountryNotSupported' });
  }

  @Route(endpoints.listCountries)
  @UseFilters(CheckoutProblemFilter)
  async countries() {
    const { home, all } = await this.accounts.countries();
    return { home, items: all };
  }

  @Route(endpoints.readConnection)
  @UseFilters(CheckoutProblemFilter)
  status({ actor, params, refuse }: Call<typeof endpoints.readConnection>) {
    if (params.userId !== actor.userId)
      return refuse({ code: 'NotAllowed', detail: 'You can only see your own account.' });
    return this.accounts.status(params.userId);
  }

  @Route(endpoints.readBalance)
  balance({ actor }: Call<typeof endpoints.readBalance>) {
    return this.withdrawals.balance(actor.userId);
  }

  @Route(endpoints.readSchedule)
  schedule({ actor }: Call<typeof endpoints.readSchedule>) {
    return this.schedules.of(actor.userId);
  }

  @Route(endpoints.chooseSchedule)
  chooseSchedule({ actor, body }: Call<typeof endpoints.chooseSchedule>) {
    return this.schedules.choose(actor.userId, body.schedule);
  }

  @Route(endpoints.withdrawEarnings)
  async withdraw({ actor, body, idempotencyKey, refuse }: Call<typeof endpoints.withdrawEarnings>) {
    const outcome = await this.commands.execute(
      new RequestWithdrawal({ creatorId: actor.userId, key: idempotencyKey, ...body }),
    );
    if (outcome.accepted) return outcome.payout;
    // Users must not see that the provider's report contradicts our record.
    if (outcome.rejection.code === 'TransferContradicts') throw new Error(outcome.rejection.detail);
    return refuse(outcome.rejection);
  }

  @Route(endpoints.listStatementsAsCsv)
  @Header('Content-Disposition', 'attachment; filename="payouts.csv"')
  @Header('Cache-Control', 'private, no-store')
  async listAsCsv({ actor }: Call<typeof endpoints.listStatementsAsCsv>) {
    return payoutsCsv((await this.payouts.list(actor.userId, { limit: MOST_STATEMENTS })).items);
  }

  @Route(endpoints.readStatementAsCsv)
  @Header('Content-Disposition', 'attachment; filename="payout.csv"')
  @Header('Cache-Control', 'private, no-store')
  async statementAsCsv(call: Call<typeof endpoints.readStatementAsCsv>) {
    return statementCsv(await this.read(call));
  }

  @Route(endpoints.listStatements)
  list({ actor, query }: Call<typeof endpoints.listStatements>) {
    return this.payouts.list(actor.userId, query);
  }

  @Route(endpoints.readStatement)
  statement(call: Call<typeof endpoints.readStatement>) {
    return this.read(call);
  }

  private async read({
    actor,
    params,
    refuse,
  }: Pick<Call<typeof endpoints.readStatement>, 'actor' | 'params' | 'refuse'>) {
    return (await this.payouts.statement(actor.userId, params.id)) ?? refuse({ code: 'NotFound' });
  }
}

const ACTIVITIES = 10;
const PAGE_OF_TABLE = 1_000;

@Controller()
export class SalesController {
  constructor(
    private readonly sales: CreatorSalesQueries,
    private readonly reach: CreatorReachQueries,
    private readonly months: EarningsMonthQueries,
    private readonly withdrawals: Withdrawals,
    private readonly clock: Clock,
  ) {}

  @Route(endpoints.listSales)
  async list({ actor: { userId }, query: { period, ...page } }: Call<typeof endpoints.listSales>) {
    const [balance, points, list] = await Promise.all([
      this.withdrawals.balance(userId),
      this.sales.points(userId, PERIOD_DAYS[period], this.clock.now()),
      this.sales.list(userId, page, this.clock.now()),
    ]);
    const { totalEarningsMicroUsd, availableMicroUsd, heldMicroUsd } = balance;
    return { totalEarningsMicroUsd, availableMicroUsd, heldMicroUsd, points, ...list };
  }

  @Route(endpoints.listSalesAsCsv)
  @Header('Cache-Control', 'private, no-store')
  listAsCsv({ actor }: Call<typeof endpoints.listSalesAsCsv>) {
    return new StreamableFile(Readable.from(salesCsv(this.all(actor.userId))), {
      type: 'text/csv; charset=utf-8',
      disposition: 'attachment; filename="sales.csv"',
    });
  }

  @Route(endpoints.listMonthlyStatements)
  async listMonths({ actor }: Call<typeof endpoints.listMonthlyStatements>) {
    return { items: await this.months.of(actor.userId) };
  }

  @Route(endpoints.listMonthsAsCsv)
  @Header('Content-Disposition', 'attachment; filename="months.csv"')
  @Header('Cache-Control', 'private, no-store')
  async listMonthsAsCsv({ actor }: Call<typeof endpoints.listMonthsAsCsv>) {
    return monthsCsv(await this.months.of(actor.userId));
  }

  @Route(endpoints.reportSales)
  report({ actor, query }: Call<typeof endpoints.reportSales>) {
    return this.sales.report(actor.userId, query);
  }

  @Route(endpoints.reportSalesAsCsv)
  @Header('Cache-Control', 'private, no-store')
  reportAsCsv({ actor, query }: Call<typeof endpoints.reportSalesAsCsv>) {
    return new StreamableFile(
      Readable.from(salesReportCsv(query.by, this.wholeReport(actor.userId, query))),
      {
        type: 'text/csv; charset=utf-8',
        disposition: `attachment; filename="sales-${query.from}-${query.to}.csv"`,
      },
    );
  }

  @Route(endpoints.readReach)
  readReach({ actor, query }: Call<typeof endpoints.readReach>) {
    return this.reach.samples(actor.userId, query);
  }

  @Route(endpoints.readReachAsCsv)
  @Header('Cache-Control', 'private, no-store')
  readReachAsCsv({ actor, query }: Call<typeof endpoints.readReachAsCsv>) {
    return new StreamableFile(Readable.from(reachCsv(this.wholeReach(actor.userId, query))), {
      type: 'text/csv; charset=utf-8',
      disposition: `attachment; filename="reach-${query.from}-${query.to}.csv"`,
    });
  }

  @Route(endpoints.listSearches)
  searches({ actor, query }: Call<typeof endpoints.listSearches>) {
    return this.reach.searches(actor.userId, query);
  }

  private async *wholeReach(
    creatorId: string,
    days: { from: string; to: string },
  ): AsyncGenerator<readonly ReachedSample[]> {
    let cursor: string | null | undefined;
    while (cursor !== null) {
      const page = { limit: PAGE_OF_TABLE, ...(cursor && { cursor }) };
      const { items, nextCursor } = await this.reach.samples(creatorId, { ...days, ...page });
      yield items;
      cursor = nextCursor;
    }
  }

  private async *wholeReport(
    creatorId: string,
    query: Omit<SalesReportQuery, 'limit' | 'cursor'>,
  ): AsyncGenerator<readonly SoldGroup[]> {
    let cursor: string | null | undefined;
    while (cursor !== null) {
      const page = { limit: PAGE_OF_TABLE, ...(cursor && { cursor }) };
      const { items, nextCursor } = await this.sales.report(creatorId, { ...query, ...page });
      yield items;
      cursor = nextCursor;
    }
  }

  private async *all(creatorId: string): AsyncGenerator<readonly Sale[]> {
    const now = this.clock.now();
    let cursor: string | null | undefined;
    while (cursor !== null) {
      const page = { limit: PAGE_OF_TABLE, ...(cursor && { cursor }) };
      const { items, nextCursor } = await this.sales.list(creatorId, page, now);
      yield items;
      cursor = nextCursor;
    }
  }

  @Route(endpoints.readBuyerName)
  async buyerName({ actor }: Call<typeof endpoints.readBuyerName>) {
    return { isHidden: await this.sales.isHidden(actor.userId) };
  }

  @Route(endpoints.changeBuyerName)
  async changeBuyerName({ actor, body }: Call<typeof endpoints.changeBuyerName>) {
    await this.sales.hide(actor.userId, body.isHidden);
    return body;
  }

  @Route(endpoints.readDashboard)
  async dashboard({ actor: { userId } }: Call<typeof endpoints.readDashboard>) {
    const now = this.clock.now();
    const [{ availableMicroUsd }, points, { items: activity }, compared] = await Promise.all([
      this.withdrawals.balance(userId),
      this.sales.points(userId, DASHBOARD_DAYS, now),
      this.sales.list(userId, { limit: ACTIVITIES }, this.clock.now()),
      this.sales.compared(userId, DASHBOARD_DAYS, now),
    ]);
    return { ...compared, availableMicroUsd, points, activity };
  }
}
