import * as z from 'zod';
import { exactText } from '../shared/contract.js';
import { endpointsOf } from '../shared/endpoint.js';
import { CreditBalance, CreditLinePage } from './contract.js';

const own = endpointsOf({ tag: 'Credits', access: 'user' });

export const readCredits = own('GET /api/credits', {
  summary: 'Returns the credits of the caller, and the lots that they come from',
  answers: { 200: CreditBalance },
});

export const listCreditLines = own('GET /api/credits/ledger', {
  summary: 'Lists the credit movements of the caller, newest first',
  query: z.object({
    limit: z.coerce.number().int().min(1).max(100).default(50),
    cursor: exactText().max(100).optional(),
  }),
  answers: { 200: CreditLinePage },
});
