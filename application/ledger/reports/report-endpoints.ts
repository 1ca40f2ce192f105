import { endpoint } from '../../shared/endpoint.js';
import { AgeingQuery, AgeingReport, DeferredReport } from './report-contract.js';

const finance = { tag: 'Finance', access: 'finance' } as const;

export const reportDeferred = endpoint('GET /api/finance/reports/deferred', {
  ...finance,
  summary: 'How deferred revenue came and went, month by month, in dollars',
  answers: { 200: DeferredReport },
});

export const reportAgeing = endpoint('GET /api/finance/reports/ageing', {
  ...finance,
  summary: 'What unspent credits are worth, by their age',
  query: AgeingQuery,
  answers: { 200: AgeingReport },
});
