import { Module } from '@nestjs/common';
import { Reports } from '../../application/reports/report-store.js';
import { PostgresReports } from './postgres-reports.js';
import { ReportsController } from './reports.controller.js';

/** What people report to us. */
@Module({
  controllers: [ReportsController],
  providers: [{ provide: Reports, useClass: PostgresReports }],
})
export class ReportsModule {}
