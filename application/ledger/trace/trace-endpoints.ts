import * as z from 'zod';
import { soughtText } from '../../shared/contract.js';
import { endpointsOf } from '../../shared/endpoint.js';
import { FIND_MAX_LENGTH, FIND_MIN_LENGTH } from '../values.js';
import { FoundItem, Trace, TraceId, TraceQuery } from './trace-contract.js';

const finance = endpointsOf({ tag: 'Finance', access: 'finance' });

export const findInBooks = finance('GET /api/finance/find', {
  summary: 'What the books have under an id, a position, a name, an e-mail, an amount or a day',
  query: z.object({ q: soughtText(FIND_MAX_LENGTH).trim().min(FIND_MIN_LENGTH) }),
  answers: { 200: z.object({ items: z.array(FoundItem) }) },
});

export const explain = finance('GET /api/finance/trace/:id', {
  summary:
    'The way that money took, from a movement at Stripe to the line of a payout, and how each amount came about',
  params: { id: TraceId },
  query: TraceQuery,
  answers: { 200: Trace },
  problems: ['NotFound'],
});
