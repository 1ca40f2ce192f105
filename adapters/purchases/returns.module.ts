import { Module } from '@nestjs/common';
import { ActivePurchaseQueries } from '../../application/purchases/queries.js';
import { ReturnPurchaseHandler } from '../../application/purchases/return-purchase.js';
import { ReturnPurchases } from '../../application/purchases/return-purchases.js';
import { PostgresActivePurchaseQueries } from './postgres-active-purchases.js';

@Module({
  providers: [
    ReturnPurchaseHandler,
    ReturnPurchases,
    { provide: ActivePurchaseQueries, useClass: PostgresActivePurchaseQueries },
  ],
  exports: [ActivePurchaseQueries, ReturnPurchases],
})
export class ReturnsModule {}
