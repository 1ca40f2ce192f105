import { Controller, Header } from '@nestjs/common';
import { CreatorTaxDetails } from '../../application/payouts/tax-details.js';
import * as endpoints from '../../application/payouts/endpoints.js';
import { Route, type Call } from '../platform/http/route.js';

@Controller()
export class TaxDetailsController {
  constructor(private readonly details: CreatorTaxDetails) {}

  @Route(endpoints.readTaxDetails)
  @Header('Cache-Control', 'private, no-store')
  read({ actor }: Call<typeof endpoints.readTaxDetails>) {
    return this.details.of(actor.userId);
  }

  @Route(endpoints.stateTaxDetails)
  @Header('Cache-Control', 'private, no-store')
  state({ actor, body }: Call<typeof endpoints.stateTaxDetails>) {
    return this.details.state(actor.userId, body);
  }
}
