import { Controller } from '@nestjs/common';
import { listCreditLines, readCredits } from '../../application/credits/endpoints.js';
import { CreditStatement } from '../../application/credits/readers.js';
import { Route, type Call } from '../platform/http/route.js';

/** One's own credits. */
@Controller()
export class CreditsController {
  constructor(private readonly statement: CreditStatement) {}

  @Route(readCredits)
  balance({ actor }: Call<typeof readCredits>) {
    return this.statement.balance(actor.userId);
  }

  @Route(listCreditLines)
  ledger({ actor, query }: Call<typeof listCreditLines>) {
    return this.statement.lines(actor.userId, query);
  }
}
