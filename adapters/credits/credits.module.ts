import { Module } from '@nestjs/common';
import { GrantPromotionHandler } from '../../application/credits/grant-promotion.js';
import { CreditStatementQueries } from '../../application/credits/queries.js';
import { PostgresCreditStatementQueries } from './postgres-credit-statement.js';
import { CreditsController } from './credits.controller.js';

@Module({
  controllers: [CreditsController],
  providers: [
    GrantPromotionHandler,
    { provide: CreditStatementQueries, useClass: PostgresCreditStatementQueries },
  ],
  exports: [CreditStatementQueries],
})
export class CreditsModule {}
