import * as z from 'zod';
import { endpoint, endpointsOf } from '../shared/endpoint.js';
import { AcceptedVersions, LegalPage, PendingAcceptances, TextVersion } from './contract.js';

export const readLegalText = endpoint('GET /api/legal/:document', {
  tag: 'Legal texts',
  access: 'public',
  summary: 'Returns a legal text: the version in use, or an earlier one',
  query: z.object({ version: TextVersion.optional() }),
  answers: { 200: LegalPage },
  problems: ['NotFound'],
  sameForVisitors: true,
});

const own = endpointsOf({ tag: 'Legal texts', access: 'user' });

export const listPendingAcceptances = own('GET /api/me/acceptances', {
  summary: 'Returns the legal texts that the caller has not accepted in their current version',
  answers: { 200: PendingAcceptances },
});

export const acceptTexts = own('POST /api/me/acceptances', {
  rateLimit: 'edit',
  summary: 'Records that the caller accepts legal texts in these versions',
  body: AcceptedVersions,
  answers: { 204: null },
  problems: ['LegalTextChanged'],
});
