import * as z from 'zod';
import { Id, pageQuery } from '../shared/contract.js';
import { endpointsOf } from '../shared/endpoint.js';
import { NewReportBody, ReportPage } from './contract.js';

const reports = endpointsOf({ tag: 'Reports' });

export const fileReport = reports('POST /api/reports', {
  access: 'user',
  summary: 'Reports a problem with a sample, pack or creator',
  body: NewReportBody,
  rateLimit: 'report',
  answers: { 201: z.object({ id: Id }) },
});

export const listReports = reports('GET /api/reports', {
  access: 'admin',
  summary: 'Lists reports, newest first',
  query: z.object(pageQuery),
  answers: { 200: ReportPage },
});
