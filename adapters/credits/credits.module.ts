import { Module } from '@nestjs/common';
import { Adjustments } from '../../application/credits/adjustments.js';
import { ApplyAdjustments } from '../../application/credits/apply-adjustments.js';
import { ADJUSTMENT_HANDLERS } from '../../application/credits/handlers.js';
import { AdjustmentRecords, CreditStatement } from '../../application/credits/readers.js';
import { PostgresAdjustmentRecords } from './adjustment-records.js';
import { PostgresCreditStatement } from './credit-statement.js';
import { CreditsController } from './credits.controller.js';

/** The balance of a listener, and who may correct it. */
@Module({
  controllers: [CreditsController],
  providers: [
    Adjustments,
    ApplyAdjustments,
    ...ADJUSTMENT_HANDLERS,
    { provide: AdjustmentRecords, useClass: PostgresAdjustmentRecords },
    { provide: CreditStatement, useClass: PostgresCreditStatement },
  ],
  exports: [Adjustments, ApplyAdjustments, CreditStatement],
})
export class CreditsModule {}
