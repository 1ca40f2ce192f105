import { Controller } from '@nestjs/common';
import { Posting } from '../../../application/ledger/posting.js';
import { TaxQueries } from './tax-report.js';
import * as endpoints from '../../../application/ledger/tax/tax-endpoints.js';
import { Route, type Call } from '../../platform/http/route.js';

@Controller()
export class TaxController {
  constructor(
    private readonly tax: TaxQueries,
    private readonly posting: Posting,
  ) {}

  @Route(endpoints.readTaxReport)
  async report({ query }: Call<typeof endpoints.readTaxReport>) {
    await this.posting.allPosted();
    return this.tax.report(query);
  }
}
