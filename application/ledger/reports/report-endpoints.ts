import * as z from 'zod';
import { endpoint, text } from '../../shared/endpoint.js';
import { Month, SpanQuery } from '../contract.js';
import { EXPORT_TYPES } from '../export.js';
import { TaxReport } from '../tax/tax-contract.js';
import { ProviderBalances, TieOut, TieOutDetails, TieOutId } from '../tie-outs/tie-out-contract.js';
import { BreakageReport, MarginReport, MonthsQuery } from './margin-contract.js';
import {
  AccountMap,
  AgeingQuery,
  AgeingReport,
  DeferredReport,
  JournalFormat,
  KnownAccounts,
} from './report-contract.js';

const finance = { tag: 'Finance', access: 'finance' } as const;

export const reportDeferred = endpoint('GET /api/finance/reports/deferred', {
  ...finance,
  summary: 'How deferred revenue came and went, month by month, in dollars',
  query: MonthsQuery,
  answers: { 200: DeferredReport },
});

export const reportMargin = endpoint('GET /api/finance/reports/margin', {
  ...finance,
  summary: 'What each plan earned and cost, month by month; together the income and expenses of the books',
  query: MonthsQuery,
  answers: { 200: MarginReport },
});

export const reportBreakage = endpoint('GET /api/finance/reports/breakage', {
  ...finance,
  summary: 'Estimates paid credits that will never be spent; the estimate is never posted',
  query: AgeingQuery,
  answers: { 200: BreakageReport },
});

export const reportAgeing = endpoint('GET /api/finance/reports/ageing', {
  ...finance,
  summary: 'What unspent credits are worth, by their age',
  query: AgeingQuery,
  answers: { 200: AgeingReport },
});

export const exportMonth = endpoint('GET /api/finance/periods/:month/journal', {
  ...finance,
  freshSignIn: true,
  summary: 'A month as one journal entry for QuickBooks or Xero, as CSV in whole cents',
  params: { month: Month },
  query: z.object({
    format: JournalFormat,
    draft: z
      .enum(['true', 'false'])
      .default('false')
      .describe('Accepts an open month and marks every line as a draft'),
  }),
  answers: { 200: text(EXPORT_TYPES.csv.contentType) },
  problems: ['PeriodIsOpen', 'AccountsUnmapped'],
});

export const readAccountMap = endpoint('GET /api/finance/account-map', {
  ...finance,
  summary: 'Returns the names of the accounts in other accounting software',
  answers: { 200: KnownAccounts },
});

export const changeAccountMap = endpoint('PUT /api/finance/account-map', {
  ...finance,
  summary: 'Changes the names of the accounts in other accounting software',
  body: AccountMap,
  answers: { 200: KnownAccounts },
});

export const readTaxReport = endpoint('GET /api/finance/tax', {
  ...finance,
  summary: 'Value-added and sales tax by month and place',
  query: SpanQuery,
  answers: { 200: TaxReport },
});

export const listTieOuts = endpoint('GET /api/finance/tie-outs', {
  ...finance,
  summary: "The comparisons with reports of the payment provider's balance, newest first",
  answers: { 200: z.object({ items: z.array(TieOut) }) },
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
