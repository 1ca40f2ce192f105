import { Module } from '@nestjs/common';
import {
  CreatePromotionCodeHandler,
  EndPromotionCodeHandler,
  RedeemPromotionCodeHandler,
} from '../../application/promotions/promotion-codes.js';
import { PromotionQueries } from '../../application/promotions/queries.js';
import { PostgresPromotions } from './postgres-promotions.js';
import { PromotionsController } from './promotions.controller.js';

@Module({
  controllers: [PromotionsController],
  providers: [
    CreatePromotionCodeHandler,
    EndPromotionCodeHandler,
    RedeemPromotionCodeHandler,
    { provide: PromotionQueries, useClass: PostgresPromotions },
  ],
})
export class PromotionsModule {}
