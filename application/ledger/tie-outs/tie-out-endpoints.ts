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
  summary: 'Reads a kept tie-out, with unmatched items and the check of its signature',
  params: { id: TieOutId },
  answers: { 200: TieOutDetails },
  problems: ['NotFound'],
});

export const readProviderBalances = endpoint('GET /api/finance/provider-balances', {
  ...finance,
  summary: "Compares the payment provider's balances with the books",
  answers: { 200: ProviderBalances },
});
