import * as z from 'zod';
import { Id, pageQuery } from '../shared/contract.js';
import { endpoint } from '../shared/endpoint.js';
import { NewReportBody, ReportPage } from './contract.js';

export const fileReport = endpoint('POST /api/reports', {
  tag: 'Reports',
  access: 'user',
  summary: 'Reports a problem with a sample, pack or creator',
  body: NewReportBody,
  rateLimit: 'report',
  answers: { 201: z.object({ id: Id }) },
});

export const listReports = endpoint('GET /api/reports', {
  tag: 'Reports',
  access: 'admin',
  summary: 'Lists reports, newest first',
  query: z.object(pageQuery),
  answers: { 200: ReportPage },
});
