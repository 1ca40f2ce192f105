import * as z from 'zod';
import { Id, IsoTime, page, bodyText, namedObject } from '../shared/contract.js';

export const REPORT_REASONS = ['copyright', 'defective', 'misleading', 'offensive', 'other'] as const;

export const NewReportBody = z.strictObject({
  kind: z.enum(['sample', 'pack', 'creator']),
  id: Id,
  reason: z.enum(REPORT_REASONS),
  detail: bodyText(2_000).default(''),
});
export type NewReport = z.infer<typeof NewReportBody>;

export const Report = namedObject('Report', {
  id: Id,
  kind: z.enum(['sample', 'pack', 'creator']),
  subjectId: z.string(),
  reason: z.enum(REPORT_REASONS),
  detail: z.string(),
  reporterId: z.string().nullable(),
  createdAt: IsoTime,
});
export const ReportPage = page(Report);
export type ReportPage = z.infer<typeof ReportPage>;
