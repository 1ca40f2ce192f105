import * as z from 'zod';
import { endpointsOf, sent } from '../shared/endpoint.js';

const development = endpointsOf({ tag: 'Development', access: 'public', undescribed: true });

export const readNode = development('GET /dev/info', {
  summary: 'Returns the settings of this node, for scripts',
  answers: { 200: z.object({ stripeApiBase: z.string().nullable() }) },
});

export const readMailbox = development('GET /dev/mailbox', {
  summary: 'Lists the stored mails as a page or as JSON',
  query: z.object({ format: z.enum(['html', 'json']).default('html') }),
  answers: { 200: sent('text/html; charset=utf-8') },
});
