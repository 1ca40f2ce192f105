import { Injectable } from '@nestjs/common';
import type { NewReport, ReportPage } from '../../application/reports/contract.js';
import { Reports } from '../../application/reports/readers.js';
import { decodeCursor, encodeCursor } from '../platform/database/cursor.js';
import { Database } from '../platform/database/database.js';

type Row = Omit<ReportPage['items'][number], 'createdAt'> & { createdAt: Date };

@Injectable()
export class PostgresReports extends Reports {
  constructor(private readonly database: Database) {
    super();
  }

  async file(report: NewReport & { reportId: string; reporterId: string; createdAt: Date }): Promise<void> {
    await this.database.pool.query(
      `insert into report (report_id, reporter_id, subject_kind, subject_id, reason, detail, created_at)
       values ($1, $2, $3, $4, $5, $6, $7)`,
      [
        report.reportId,
        report.reporterId,
        report.kind,
        report.id,
        report.reason,
        report.detail,
        report.createdAt,
      ],
    );
  }

  async list(page: { limit: number; cursor?: string }): Promise<ReportPage> {
    const [createdAt, reportId] = decodeCursor(page.cursor, ['time', 'text']) ?? [];
    const { rows } = await this.database.pool.query<Row>(
      `select report_id as id, subject_kind as kind, subject_id as "subjectId", reason, detail,
              reporter_id as "reporterId", created_at as "createdAt"
         from report
        where $1::timestamptz is null or (created_at, report_id) < ($1, $2::text)
        order by created_at desc, report_id desc limit $3`,
      [createdAt ?? null, reportId ?? null, page.limit + 1],
    );
    const shown = rows.slice(0, page.limit);
    const last = rows.length > page.limit ? shown.at(-1) : undefined;
    return {
      items: shown.map((row) => ({ ...row, createdAt: row.createdAt.toISOString() })),
      nextCursor: last ? encodeCursor([last.createdAt.toISOString(), last.id]) : null,
    };
  }
}
