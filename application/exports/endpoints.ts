import * as z from 'zod';
import { ExportQuery } from '../ledger/contract.js';
import { AttachedAnswer } from '../purchases/contract.js';
import { Id } from '../shared/contract.js';
import { endpoint } from '../shared/endpoint.js';
import { PreparedExport, PreparedExports } from './contract.js';

const own = { tag: 'Accounts', access: 'user' } as const;

export const orderPersonalData = endpoint('POST /api/me/exports', {
  ...own,
  rateLimit: 'export',
  summary: "Orders a copy of the caller's personal data",
  freshSignIn: true,
  answers: { 202: PreparedExport },
});

export const listPersonalData = endpoint('GET /api/me/exports', {
  ...own,
  summary: 'The copies of their data that the caller ordered',
  answers: { 200: PreparedExports },
});

const one = { params: { id: Id }, problems: ['NotFound'] } as const;

export const fetchPersonalData = endpoint('GET /api/me/exports/:id/file', {
  ...own,
  ...one,
  summary: 'Returns a short-lived address of a finished copy',
  freshSignIn: true,
  answers: { 200: AttachedAnswer },
});

export const removePersonalData = endpoint('DELETE /api/me/exports/:id', {
  ...own,
  ...one,
  summary: 'Removes a copy, or cancels its preparation',
  answers: { 204: null },
});

const finance = { tag: 'Finance', access: 'finance' } as const;

export const orderJournal = endpoint('POST /api/finance/exports', {
  ...finance,
  freshSignIn: true,
  rateLimit: 'export',
  summary: 'Orders an export of the journal',
  body: z.strictObject(ExportQuery.shape),
  answers: { 202: PreparedExport },
});

export const listJournals = endpoint('GET /api/finance/exports', {
  ...finance,
  summary: 'The files of the journal that the caller ordered',
  answers: { 200: PreparedExports },
});

export const fetchJournal = endpoint('GET /api/finance/exports/:id/file', {
  ...finance,
  ...one,
  freshSignIn: true,
  summary: 'Returns a short-lived address of a finished file',
  answers: { 200: AttachedAnswer },
});

export const removeJournal = endpoint('DELETE /api/finance/exports/:id', {
  ...finance,
  ...one,
  summary: 'Removes a file, or cancels its preparation',
  answers: { 204: null },
});
