import { Controller } from '@nestjs/common';
import { listCreditLines, readCredits } from '../../application/credits/endpoints.js';
import { CreditStatementQueries } from '../../application/credits/queries.js';
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
