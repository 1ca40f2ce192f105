import { Module } from '@nestjs/common';
import { Adjustments } from '../../application/credits/adjustments.js';
import { ApplyAdjustments } from '../../application/credits/apply-adjustments.js';
import { ADJUSTMENT_HANDLERS } from '../../application/credits/handlers.js';
import { GrantPromotionHandler } from '../../application/credits/grant-promotion.js';
import { AdjustmentQueries, CreditStatementQueries } from '../../application/credits/queries.js';
import { PostgresAdjustmentQueries } from './postgres-adjustment-records.js';
import { PostgresCreditStatementQueries } from './postgres-credit-statement.js';
import { CreditsController } from './credits.controller.js';

@Module({
  controllers: [CreditsController],
  providers: [
    Adjustments,
    ApplyAdjustments,
    GrantPromotionHandler,
    ...ADJUSTMENT_HANDLERS,
    { provide: AdjustmentQueries, useClass: PostgresAdjustmentQueries },
    { provide: CreditStatementQueries, useClass: PostgresCreditStatementQueries },
  ],
  exports: [Adjustments, ApplyAdjustments, CreditStatementQueries],
})
export class CreditsModule {}
