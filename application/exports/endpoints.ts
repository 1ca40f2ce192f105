import * as z from 'zod';
import { ExportQuery } from '../ledger/contract.js';
import { AttachedAnswer } from '../purchases/contract.js';
import { Id } from '../shared/contract.js';
import { endpointsOf } from '../shared/endpoint.js';
import { PreparedExport, PreparedExports } from './contract.js';

const own = endpointsOf({ tag: 'Accounts', access: 'user' });

export const orderPersonalData = own('POST /api/me/exports', {
  rateLimit: 'export',
  summary: "Orders a copy of the caller's personal data",
  freshSignIn: true,
  answers: { 202: PreparedExport },
});

export const listPersonalData = own('GET /api/me/exports', {
  summary: 'Lists the copies of their data that the caller ordered',
  answers: { 200: PreparedExports },
});

const one = { params: { id: Id }, problems: ['NotFound'] } as const;

export const fetchPersonalData = own('GET /api/me/exports/:id/file', {
  ...one,
  summary: 'Returns a short-lived address of a finished copy',
  freshSignIn: true,
  answers: { 200: AttachedAnswer },
});

export const removePersonalData = own('DELETE /api/me/exports/:id', {
  ...one,
  summary: 'Removes a copy, or cancels its preparation',
  answers: { 204: null },
});

const finance = endpointsOf({ tag: 'Finance', access: 'finance' });

export const orderJournal = finance('POST /api/finance/exports', {
  freshSignIn: true,
  rateLimit: 'export',
  summary: 'Orders an export of the journal',
  body: z.strictObject(ExportQuery.shape),
  answers: { 202: PreparedExport },
});

export const listJournals = finance('GET /api/finance/exports', {
  summary: 'Lists the files of the journal that the caller ordered',
  answers: { 200: PreparedExports },
});

export const fetchJournal = finance('GET /api/finance/exports/:id/file', {
  ...one,
  freshSignIn: true,
  summary: 'Returns a short-lived address of a finished file',
  answers: { 200: AttachedAnswer },
});

export const removeJournal = finance('DELETE /api/finance/exports/:id', {
  ...one,
  summary: 'Removes a file, or cancels its preparation',
  answers: { 204: null },
});
