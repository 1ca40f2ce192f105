import { Module } from '@nestjs/common';
import { Reports } from '../../application/reports/report-store.js';
import { PostgresReports } from './postgres-reports.js';
import { ReportsController } from './reports.controller.js';

@Module({
  controllers: [ReportsController],
  providers: [{ provide: Reports, useClass: PostgresReports }],
})
export class ReportsModule {}
