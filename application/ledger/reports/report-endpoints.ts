import * as z from 'zod';
import { page, pageQuery } from '../../shared/contract.js';
import { endpointsOf, text } from '../../shared/endpoint.js';
import { Month, SpanQuery } from '../contract.js';
import { EXPORT_TYPES } from '../export.js';
import { Year } from '../../payouts/contract.js';
import {
  AskedCreators,
  CreatorTaxes,
  CreatorTaxFileQuery,
  IncompleteCreator,
  Quarter,
  TaxReport,
  VatRateBody,
  VatReturn,
} from '../tax/tax-contract.js';
import {
  MaterialityBody,
  MaterialityLevel,
  ProviderBalances,
  TieOutDetails,
  TieOutId,
  TieOutList,
} from '../tie-outs/tie-out-contract.js';
import { MarginReport, MonthsQuery } from './margin-contract.js';
import {
  AccountMap,
  AgeingQuery,
  AgeingReport,
  DeferredReport,
  JournalFormat,
  KnownAccounts,
  MonthlyStatement,
} from './report-contract.js';

const finance = endpointsOf({ tag: 'Finance', access: 'finance' });

export const reportDeferred = finance('GET /api/finance/reports/deferred', {
  summary: 'Returns how deferred revenue came and went, month by month, in dollars',
  query: MonthsQuery,
  answers: { 200: DeferredReport },
});

export const reportMargin = finance('GET /api/finance/reports/margin', {
  summary:
    'Returns what each plan earned and cost, month by month; together the income and expenses of the books',
  query: MonthsQuery,
  answers: { 200: MarginReport },
});

const StatementQuery = z.object({ month: Month });

export const readFinancialStatement = finance('GET /api/finance/reports/statement', {
  summary: 'Returns profit and loss of a month and the balance sheet at its end, beside the month before',
  query: StatementQuery,
  answers: { 200: MonthlyStatement },
});

export const printStatement = finance('GET /api/finance/reports/statement.pdf', {
  freshSignIn: true,
  summary: 'Exports the same statement as a PDF',
  query: StatementQuery,
  answers: { 200: text('application/pdf') },
});

export const reportAgeing = finance('GET /api/finance/reports/ageing', {
  summary: 'Returns what unspent credits are worth, by their age',
  query: AgeingQuery,
  answers: { 200: AgeingReport },
});

export const exportMonth = finance('GET /api/finance/periods/:month/journal', {
  freshSignIn: true,
  summary: 'Exports a month as one journal entry for QuickBooks or Xero, as CSV in whole cents',
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

export const readAccountMap = finance('GET /api/finance/account-map', {
  summary: 'Returns the names of the accounts in other accounting software',
  answers: { 200: KnownAccounts },
});

export const changeAccountMap = finance('PUT /api/finance/account-map', {
  summary: 'Changes the names of the accounts in other accounting software',
  body: AccountMap,
  answers: { 200: KnownAccounts },
});

export const readTaxReport = finance('GET /api/finance/tax', {
  summary: 'Returns value-added and sales tax by month and place',
  query: SpanQuery,
  answers: { 200: TaxReport },
});

export const exportReverseCharges = finance('GET /api/finance/vat/:quarter/firms.csv', {
  freshSignIn: true,
  summary: 'Exports the sales of a quarter with reverse charge, by VAT id of the firm, as a table',
  params: { quarter: Quarter },
  answers: { 200: text(EXPORT_TYPES.csv.contentType) },
});

export const readVatReturn = finance('GET /api/finance/vat/:quarter', {
  summary:
    'Returns the value-added tax of a quarter by member state of the European Union, in dollars and euros',
  params: { quarter: Quarter },
  answers: { 200: VatReturn },
});

export const setVatRate = finance('PUT /api/finance/vat/:quarter/rate', {
  summary: "Stores the euro rate of a quarter's last day with its return",
  params: { quarter: Quarter },
  body: VatRateBody,
  answers: { 200: VatReturn },
  problems: ['PeriodNotOver'],
});

export const exportCreatorTaxes = finance('GET /api/finance/reports/creator-taxes/:year.csv', {
  freshSignIn: true,
  rateLimit: 'export',
  summary: 'Exports what DAC7 and Forms 1099 ask about each creator of a year, with tax numbers, as a table',
  params: { year: Year },
  query: CreatorTaxFileQuery,
  answers: { 200: text(EXPORT_TYPES.csv.contentType) },
});

export const reportCreatorTaxes = finance('GET /api/finance/reports/creator-taxes/:year', {
  summary: 'Counts the creators of a year whom tax reports have to name, by country',
  params: { year: Year },
  answers: { 200: CreatorTaxes },
});

export const listIncompleteCreators = finance('GET /api/finance/reports/creator-taxes/:year/incomplete', {
  summary: 'Lists creators whom tax reports have to name and of whom something is missing',
  params: { year: Year },
  query: z.object(pageQuery),
  answers: { 200: page(IncompleteCreator) },
});

export const askIncompleteCreators = finance('POST /api/finance/reports/creator-taxes/:year/ask', {
  summary: 'Asks these creators for their tax details, once a year, by a notice and a mail',
  params: { year: Year },
  answers: { 200: AskedCreators },
});

export const listTieOuts = finance('GET /api/finance/tie-outs', {
  summary: "Lists the comparisons with reports of the payment provider's balance, newest first",
  answers: { 200: TieOutList },
});

export const readTieOut = finance('GET /api/finance/tie-outs/:id', {
  summary: 'Reads a kept tie-out, with unmatched items',
  params: { id: TieOutId },
  answers: { 200: TieOutDetails },
  problems: ['NotFound'],
});

export const readMateriality = finance('GET /api/finance/materiality', {
  summary: 'Returns the amount below which findings are listed and raise no alert',
  answers: { 200: MaterialityLevel },
});

export const setMateriality = finance('PUT /api/finance/materiality', {
  summary: 'Sets the amount below which findings are listed and raise no alert',
  body: MaterialityBody,
  answers: { 200: MaterialityLevel },
});

export const readProviderBalances = finance('GET /api/finance/provider-balances', {
  summary: "Compares the payment provider's balances with the books",
  answers: { 200: ProviderBalances },
});
