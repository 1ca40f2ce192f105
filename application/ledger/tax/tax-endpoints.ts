import { endpoint } from '../../shared/endpoint.js';
import { SpanQuery } from '../contract.js';
import { TaxReport } from './tax-contract.js';

export const readTaxReport = endpoint('GET /api/finance/tax', {
  tag: 'Finance',
  access: 'finance',
  summary: 'Value-added and sales tax by month and place',
  query: SpanQuery,
  answers: { 200: TaxReport },
});
