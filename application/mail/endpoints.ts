import * as z from 'zod';
import { endpoint, sent } from '../shared/endpoint.js';

const development = { tag: 'Development', access: 'public', undescribed: true } as const;

export const readNode = endpoint('GET /dev/info', {
  ...development,
  summary: 'Returns the settings of this node, for scripts',
  answers: { 200: z.object({ stripeApiBase: z.string().nullable() }) },
});

export const readMailbox = endpoint('GET /dev/mailbox', {
  ...development,
  summary: 'Lists the stored mails as a page or as JSON',
  query: z.object({ format: z.enum(['html', 'json']).default('html') }),
  answers: { 200: sent('text/html; charset=utf-8') },
});
