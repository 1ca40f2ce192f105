import { randomUUID } from 'node:crypto';
import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import type * as z from 'zod';
import { Clock } from '../../application/shared/clock.js';
import {
  NewReportBody,
  ReportAnswer,
  ReportPage,
  ReportsQuery,
  type NewReport,
} from '../../application/reports/contract.js';
import { Reports } from '../../application/reports/readers.js';
import { AccessFor, CurrentActor, type Actor } from '../platform/http/access.js';

/** Things that people find wrong with what is on offer. */
@ApiTags('Reports')
@Controller('api/reports')
export class ReportsController {
  constructor(
    private readonly reports: Reports,
    private readonly clock: Clock,
  ) {}

  @Post()
  @AccessFor('user')
  @ApiResponse({ status: 201, standardSchema: ReportAnswer })
  async file(
    @CurrentActor() actor: Actor,
    @Body({ schema: NewReportBody }) report: NewReport,
  ): Promise<z.infer<typeof ReportAnswer>> {
    const reportId = randomUUID();
    await this.reports.file({
      ...report,
      reportId,
      reporterId: actor.userId,
      createdAt: this.clock.now(),
    });
    return { id: reportId };
  }

  @Get()
  @AccessFor('admin')
  @ApiResponse({ status: 200, standardSchema: ReportPage })
  async list(@Query({ schema: ReportsQuery }) query: z.infer<typeof ReportsQuery>): Promise<ReportPage> {
    return this.reports.list(query);
  }
}
