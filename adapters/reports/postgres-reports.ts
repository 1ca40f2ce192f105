import { Reports } from '../../application/reports/report-store.js';
import type { NewReport, ReportPage } from '../../application/reports/contract.js';
import { withIsoTimes } from '../../application/shared/iso-times.js';
import { decodeCursor, pageOf } from '../platform/database/cursor.js';
import { DatabaseAdapter } from '../platform/database/database.js';

export class PostgresReports extends DatabaseAdapter implements Reports {
  async file(report: NewReport & { reportId: string; reporterId: string; createdAt: Date }): Promise<void> {
    await this.database.db
      .insertInto('report')
      .values({
        report_id: report.reportId,
        reporter_id: report.reporterId,
        subject_kind: report.kind,
        subject_id: report.id,
        reason: report.reason,
        detail: report.detail,
        created_at: report.createdAt,
      })
      .execute();
  }

  async list(page: { limit: number; cursor?: string }): Promise<ReportPage> {
    const seen = decodeCursor(page.cursor, ['time', 'text']);
    const rows = await this.database.db
      .selectFrom('report')
      .select(['report_id as id', 'subject_kind as kind', 'subject_id as subjectId', 'reason', 'detail'])
      .select(['reporter_id as reporterId', 'created_at as createdAt'])
      .where(({ eb, lit, refTuple, tuple }) =>
        seen ? eb(refTuple('created_at', 'report_id'), '<', tuple(new Date(seen[0]), seen[1])) : lit(true),
      )
      .orderBy('created_at', 'desc')
      .orderBy('report_id', 'desc')
      .limit(page.limit + 1)
      .execute();
    const { shown, nextCursor } = pageOf(rows.map(withIsoTimes), page.limit, (last) => [
      last.createdAt,
      last.id,
    ]);
    return { items: shown, nextCursor };
  }
}
