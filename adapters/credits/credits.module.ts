import { Module, Controller } from '@nestjs/common';
import { GrantPromotionHandler } from '../../application/credits/grant-promotion.js';
import { CreditStatementQueries } from '../../application/credits/queries.js';
import { PostgresCreditStatementQueries } from './postgres-credit-statement.js';
import { listCreditLines, readCredits } from '../../application/credits/endpoints.js';
import { REFUND_WINDOW_MS } from '../../domain/credits/invoice-lot.js';
import { Clock } from '../../application/shared/clock.js';
import { Route, type Call } from '../platform/http/route.js';

@Controller()
export class CreditsController {
  constructor(
    private readonly statement: CreditStatementQueries,
    private readonly clock: Clock,
  ) {}

  @Route(readCredits)
  async balance({ actor }: Call<typeof readCredits>) {
    const balance = await this.statement.balance(actor.userId);
    const since = new Date(this.clock.now().getTime() - REFUND_WINDOW_MS);
    const isNew = balance.lots.some(({ grantedAt }) => Date.parse(grantedAt) >= since.getTime());
    if (!isNew || !(await this.statement.isConsentDue(actor.userId, since))) return balance;
    return { ...balance, consentDue: true as const };
  }

  @Route(listCreditLines)
  ledger({ actor, query }: Call<typeof listCreditLines>) {
    return this.statement.lines(actor.userId, query);
  }
}

@Module({
  controllers: [CreditsController],
  providers: [
    GrantPromotionHandler,
    { provide: CreditStatementQueries, useClass: PostgresCreditStatementQueries },
  ],
  exports: [CreditStatementQueries],
})
export class CreditsModule {}
