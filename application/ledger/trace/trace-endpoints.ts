import { endpoint } from '../../shared/endpoint.js';
import { FindQuery, FoundItems, Trace, TraceId, TraceQuery } from './trace-contract.js';

const finance = { tag: 'Finance', access: 'finance' } as const;

export const findInBooks = endpoint('GET /api/finance/find', {
  ...finance,
  summary: 'What the books have under an id, a position, a name, an e-mail, an amount or a day',
  query: FindQuery,
  answers: { 200: FoundItems },
});

export const explain = endpoint('GET /api/finance/trace/:id', {
  ...finance,
  summary:
    'The way that money took, from a movement at Stripe to the line of a payout, and how each amount came about',
  params: { id: TraceId },
  query: TraceQuery,
  answers: { 200: Trace },
  problems: ['NotFound'],
});
