import { endpoint } from '../../shared/endpoint.js';
import { ProviderBalances, TieOutDetails, TieOutId, TieOutList } from './tie-out-contract.js';

const finance = { tag: 'Finance', access: 'finance' } as const;

export const listTieOuts = endpoint('GET /api/finance/tie-outs', {
  ...finance,
  summary: "The comparisons with reports of the payment provider's balance, newest first",
  answers: { 200: TieOutList },
});

export const readTieOut = endpoint('GET /api/finance/tie-outs/:id', {
  ...finance,
  summary: 'A comparison with a report, what only one side had, and whether it is as we signed it',
  params: { id: TieOutId },
  answers: { 200: TieOutDetails },
  problems: ['NotFound'],
});

export const readProviderBalances = endpoint('GET /api/finance/provider-balances', {
  ...finance,
  summary: "The payment provider's balance beside that of the books",
  answers: { 200: ProviderBalances },
});
