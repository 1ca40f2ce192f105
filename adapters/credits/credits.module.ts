import { Module, Controller } from '@nestjs/common';
import { GrantPromotionHandler } from '../../application/credits/grant-promotion.js';
import { CreditStatementQueries } from '../../application/credits/queries.js';
import { PostgresCreditStatementQueries } from './postgres-credit-statement.js';
import { listCreditLines, readCredits } from '../../application/credits/endpoints.js';
import { Route, type Call } from '../platform/http/route.js';

@Controller()
export class CreditsController {
  constructor(private readonly statement: CreditStatementQueries) {}

  @Route(readCredits)
  balance({ actor }: Call<typeof readCredits>) {
    return this.statement.balance(actor.userId);
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
