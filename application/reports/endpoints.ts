import { endpoint } from '../shared/endpoint.js';
import { NewReportBody, ReportAnswer, ReportPage, ReportsQuery } from './contract.js';

export const fileReport = endpoint('POST /api/reports', {
  tag: 'Reports',
  access: 'user',
  summary: 'Reports a problem with a sample, pack or creator',
  body: NewReportBody,
  rateLimit: 'report',
  answers: { 201: ReportAnswer },
});

export const listReports = endpoint('GET /api/reports', {
  tag: 'Reports',
  access: 'admin',
  summary: 'Lists reports, newest first',
  query: ReportsQuery,
  answers: { 200: ReportPage },
});
