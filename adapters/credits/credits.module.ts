import { Module, Controller } from '@nestjs/common';
import { GrantPromotionHandler } from '../../application/credits/grant-promotion.js';
import { CreditStatementQueries } from '../../application/credits/queries.js';
import { PostgresCreditStatementQueries } from './postgres-credit-statement.js';
import { listCreditLines, readCredits } from '../../application/credits/endpoints.js';
import { DeliveryConsent } from '../../application/credits/delivery-consent.js';
import { Route, type Call } from '../platform/http/route.js';

@Controller()
class CreditsController {
  constructor(
    private readonly statement: CreditStatementQueries,
    private readonly consent: DeliveryConsent,
  ) {}

  @Route(readCredits)
  async balance({ actor }: Call<typeof readCredits>) {
    const balance = await this.statement.balance(actor.userId);
    if (balance.lots.length === 0 || !(await this.consent.isDue(actor.userId))) return balance;
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
    DeliveryConsent,
    GrantPromotionHandler,
    { provide: CreditStatementQueries, useClass: PostgresCreditStatementQueries },
  ],
  exports: [CreditStatementQueries, DeliveryConsent],
})
export class CreditsModule {}
