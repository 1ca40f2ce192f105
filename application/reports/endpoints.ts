import { endpoint } from '../shared/endpoint.js';
import { NewReportBody, ReportAnswer, ReportPage, ReportsQuery } from './contract.js';

export const fileReport = endpoint('POST /api/reports', {
  tag: 'Reports',
  access: 'user',
  summary: 'Reports what is wrong with something on offer',
  body: NewReportBody,
  rateLimit: 'report',
  answers: { 201: ReportAnswer },
});

export const listReports = endpoint('GET /api/reports', {
  tag: 'Reports',
  access: 'admin',
  summary: 'What people reported, newest first',
  query: ReportsQuery,
  answers: { 200: ReportPage },
});
