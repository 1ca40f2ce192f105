import { Module, Controller } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { CommandBus } from '@nestjs/cqrs';
import { Reports } from '../../application/reports/report-store.js';
import { FileComplaint } from '../../application/complaints/file-complaint.js';
import { fileReport, listReports } from '../../application/reports/endpoints.js';
import { Clock } from '../../application/shared/clock.js';
import { Route, type Call } from '../platform/http/route.js';
import { PostgresReports } from './postgres-reports.js';

@Controller()
class ReportsController {
  constructor(
    private readonly reports: Reports,
    private readonly commands: CommandBus,
    private readonly clock: Clock,
  ) {}

  @Route(fileReport)
  async file({ actor, body: report }: Call<typeof fileReport>) {
    const reportId = randomUUID();
    await this.reports.file({
      ...report,
      reportId,
      reporterId: actor.userId,
      createdAt: this.clock.now(),
    });
    const { kind, id, reason, detail } = report;
    // If the subject is not on offer, or the user has an open complaint about it, only the report is stored.
    await this.commands.execute(
      new FileComplaint(
        { userId: actor.userId },
        {
          subject: { kind, id },
          kind: reason === 'offensive' ? 'other' : reason,
          text: detail,
          inConfidence: true,
        },
        { complaintId: reportId, once: true },
      ),
    );
    return { id: reportId };
  }

  @Route(listReports)
  list({ query }: Call<typeof listReports>) {
    return this.reports.list(query);
  }
}

@Module({
  controllers: [ReportsController],
  providers: [{ provide: Reports, useClass: PostgresReports }],
})
export class ReportsModule {}
