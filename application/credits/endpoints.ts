import { endpoint } from '../shared/endpoint.js';
import { CreditBalance, CreditLinePage, LedgerQuery } from './contract.js';

const own = { tag: 'Credits', access: 'user' } as const;

export const readCredits = endpoint('GET /api/credits', {
  ...own,
  summary: 'The credits of the caller, and the lots that they come from',
  answers: { 200: CreditBalance },
});

export const listCreditLines = endpoint('GET /api/credits/ledger', {
  ...own,
  summary: 'The credit movements of the caller, newest first',
  query: LedgerQuery,
  answers: { 200: CreditLinePage },
});
