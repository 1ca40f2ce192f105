import { Module } from '@nestjs/common';
import { ExportContents } from '../../application/exports/export-contents.js';
import { ExportStore, PreparedExports } from '../../application/exports/prepared-exports.js';
import { LedgerModule } from '../ledger/ledger.module.js';
import { ExportsController } from './exports.controller.js';
import { PostgresExports } from './postgres-exports.js';

@Module({
  imports: [LedgerModule],
  controllers: [ExportsController],
  providers: [ExportContents, PreparedExports, { provide: ExportStore, useClass: PostgresExports }],
  exports: [PreparedExports],
})
export class ExportsModule {}
