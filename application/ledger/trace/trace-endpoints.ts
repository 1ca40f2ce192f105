import * as z from 'zod';
import { soughtText } from '../../shared/contract.js';
import { endpoint } from '../../shared/endpoint.js';
import { FIND_MAX_LENGTH, FIND_MIN_LENGTH } from '../values.js';
import { FoundItem, Trace, TraceId, TraceQuery } from './trace-contract.js';

const finance = { tag: 'Finance', access: 'finance' } as const;

export const findInBooks = endpoint('GET /api/finance/find', {
  ...finance,
  summary: 'What the books have under an id, a position, a name, an e-mail, an amount or a day',
  query: z.object({ q: soughtText(FIND_MAX_LENGTH).trim().min(FIND_MIN_LENGTH) }),
  answers: { 200: z.object({ items: z.array(FoundItem) }) },
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
