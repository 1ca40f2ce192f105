import { Controller, Header, UseFilters } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { RequestWithdrawal } from '../../application/payouts/request-withdrawal.js';
import * as endpoints from '../../application/payouts/endpoints.js';
import { PayoutAccounts } from '../../application/payouts/payout-accounts.js';
import { PayoutSchedules } from '../../application/payouts/payout-schedules.js';
import { PayoutQueries } from '../../application/payouts/queries.js';
import { payoutsCsv, statementCsv } from '../../application/payouts/statement-csv.js';
import { Withdrawals } from '../../application/payouts/withdrawals.js';
import { CheckoutProblemFilter } from '../platform/http/problem.filter.js';
import { Route, type Call } from '../platform/http/route.js';

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

  @Route(endpoints.withdraw)
  async withdraw({ actor, body, idempotencyKey, refuse }: Call<typeof endpoints.withdraw>) {
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
