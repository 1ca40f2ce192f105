import * as z from 'zod';
import { WaitingAnswer } from '../approvals/contract.js';
import { NamesAnswer, NamesQuery, PeopleAnswer, PeopleQuery } from '../accounts/contract.js';
import { exactText, Id, page, pageQuery, ReasonBody, soughtText } from '../shared/contract.js';
import { endpointsOf, text } from '../shared/endpoint.js';
import * as contract from './contract.js';
import { TaxDetails, TaxDetailsBody } from './tax-contract.js';

const payee = endpointsOf({ tag: 'Creators', access: 'payee' });
const csv = { 200: text('text/csv; charset=utf-8') } as const;
const PAYOUT_REFUSALS = [
  'PayoutsNotEnabled',
  'WithdrawalTooSmall',
  'InsufficientEarnings',
  'WithdrawalInFlight',
  'NotFound',
  'PaymentsUnavailable',
] as const;

export const connectAccount = payee('POST /api/stripe/connect/create-account', {
  access: 'creator',
  summary: "Returns the address of the payment provider's onboarding page",
  body: z.strictObject({
    /** Must be the caller's own id. */
    userId: exactText().max(100).optional(),
    /** Defaults to the email address of the caller's account. */
    email: z.email().max(254).optional(),
    /** The country where the creator lives and has a bank account. It cannot be changed later. */
    country: z
      .string()
      .regex(/^[A-Z]{2}$/, 'A country is a code of two letters')
      .default('US'),
  }),
  answers: { 200: contract.ConnectAnswer },
  problems: ['NotAllowed', 'CountryNotSupported', 'PaymentsUnavailable'],
  freshSignIn: true,
});

export const listCountries = payee('GET /api/stripe/connect/countries', {
  summary: 'Lists the countries in which the payment provider pays creators',
  answers: { 200: contract.ConnectCountries },
  problems: ['PaymentsUnavailable'],
});

export const readConnection = payee('GET /api/stripe/connect/status/:userId', {
  summary: 'Returns whether the payment provider pays the caller',
  answers: { 200: contract.ConnectStatus },
  problems: ['NotAllowed', 'PaymentsUnavailable'],
});

export const readBalance = payee('GET /api/creator/balance', {
  summary: "Returns the caller's earnings: total, available and held",
  answers: { 200: contract.CreatorBalance },
});

export const readSchedule = payee('GET /api/creator/payout-schedule', {
  summary: "Returns the caller's payout schedule",
  answers: { 200: contract.PayoutSchedule },
});

export const chooseSchedule = payee('PUT /api/creator/payout-schedule', {
  freshSignIn: true,
  access: 'creator',
  summary: 'Sets the payout schedule, from the first of the next month',
  body: contract.PayoutScheduleBody,
  answers: { 200: contract.PayoutSchedule },
});

export const withdrawEarnings = payee('POST /api/creator/withdrawals', {
  freshSignIn: true,
  access: 'creator',
  summary: 'Withdraws an amount, or everything available. The transfer follows within seconds',
  /** If the amount is absent, everything available is withdrawn, in whole cents. */
  body: z.strictObject({ amountUsdCents: z.int().min(1).max(100_000_000).optional() }),
  answers: { 201: contract.Payout },
  problems: PAYOUT_REFUSALS,
  idempotent: true,
});

export const listStatementsAsCsv = payee('GET /api/creator/statements.csv', {
  summary: 'Exports the withdrawals of the caller as a table',
  answers: csv,
});

export const readStatementAsCsv = payee('GET /api/creator/statements/:id.csv', {
  summary: 'Exports a withdrawal and the sales that it pays, as a table',
  answers: csv,
  problems: ['NotFound'],
});

export const listStatements = payee('GET /api/creator/statements', {
  summary: 'Lists the withdrawals of the caller, newest first',
  query: z.object(pageQuery),
  answers: { 200: contract.Statements },
});

export const readStatement = payee('GET /api/creator/statements/:id', {
  summary: 'Returns a withdrawal and the sales that it pays',
  answers: { 200: contract.Statement },
  problems: ['NotFound'],
});

export const listMonthlyStatements = payee('GET /api/creator/monthly-statements', {
  summary: 'Lists the account of the caller by month, newest first',
  answers: { 200: contract.EarningsMonths },
});

export const listMonthsAsCsv = payee('GET /api/creator/monthly-statements.csv', {
  summary: 'Exports the account of the caller by month, as a table',
  answers: csv,
});

export const readYear = payee('GET /api/creator/years/:year', {
  params: { year: contract.Year },
  summary: 'Returns the account of the caller in a calendar year, by month',
  answers: { 200: contract.EarningsYear },
});

export const readYearAsCsv = payee('GET /api/creator/years/:year.csv', {
  params: { year: contract.Year },
  summary: 'Exports the account of the caller in a calendar year, by month, as a table with its totals',
  answers: csv,
});

export const readYearAsPdf = payee('GET /api/creator/years/:year.pdf', {
  params: { year: contract.Year },
  summary: 'Exports the account of the caller in a calendar year as a PDF',
  answers: { 200: text('application/pdf') },
});

export const readTaxDetails = payee('GET /api/creator/tax-details', {
  summary: 'Returns what the caller stated for tax reports. Of numbers, only the last characters',
  answers: { 200: TaxDetails },
});

export const stateTaxDetails = payee('PUT /api/creator/tax-details', {
  freshSignIn: true,
  rateLimit: 'edit',
  summary:
    'Stores what tax reports ask about the caller. Numbers are encrypted, and kept if they are left out',
  body: TaxDetailsBody,
  answers: { 200: TaxDetails },
});

export const listSales = payee('GET /api/creator/sales', {
  summary: "Lists the caller's sales, with totals per day",
  query: z.object({ period: z.enum(contract.SALES_PERIODS).default('week'), ...pageQuery }),
  answers: { 200: contract.Sales },
});

export const listSalesAsCsv = payee('GET /api/creator/sales.csv', {
  summary: 'Exports every sale of the caller as a table, newest first',
  answers: csv,
});

export const reportSales = payee('GET /api/creator/sales/report', {
  summary: 'Sums the sales of the caller by sample, pack or day, beside an earlier period',
  query: contract.SalesReportQuery,
  answers: { 200: contract.SalesReport },
});

export const reportSalesAsCsv = payee('GET /api/creator/sales/report.csv', {
  summary: 'Sums the sales of the caller by sample, pack or day as a table',
  query: contract.SalesReportFileQuery,
  answers: csv,
});

export const readReach = payee('GET /api/creator/sales/reach', {
  summary: "Counts how often the caller's samples were shown, played, saved and bought",
  query: contract.ReachQuery,
  answers: { 200: contract.SampleReach },
});

export const readReachAsCsv = payee('GET /api/creator/sales/reach.csv', {
  summary: "Counts how often the caller's samples were shown, played, saved and bought, as a table",
  query: contract.ReachFileQuery,
  answers: csv,
});

export const listSearches = payee('GET /api/creator/sales/searches', {
  summary: "Lists up to 50 searches that found the caller's samples three times or more",
  query: contract.ReachFileQuery,
  answers: { 200: contract.SearchesThatFound },
});

export const listSplits = payee('GET /api/splits', {
  summary: 'Lists the splits that the caller proposed or was offered, newest first',
  query: z.object({ packId: Id.optional(), ...pageQuery }),
  answers: { 200: page(contract.Split) },
});

export const proposeSplit = payee('POST /api/creator/packs/:id/splits', {
  // A stolen session must not give away what a creator earns.
  freshSignIn: true,
  access: 'creator',
  rateLimit: 'edit',
  summary: "Offers another creator a part of the caller's share of a pack",
  params: { id: Id },
  body: contract.SplitOffer,
  answers: { 201: contract.Split },
  problems: [
    'NotFound',
    'PackTakenDown',
    'CollaboratorUnknown',
    'SplitWithSelf',
    'AlreadyShared',
    'SharesExceedWhole',
    'TooManyCollaborators',
  ],
  idempotent: true,
});

const answer = endpointsOf({
  tag: 'Creators',
  access: 'payee',
  rateLimit: 'edit',
  params: { id: Id },
  answers: { 200: contract.Split },
  problems: ['NotFound', 'SplitClosed'],
  idempotent: true,
});

export const acceptSplit = answer('POST /api/splits/:id/accept', {
  access: 'creator',
  summary: 'Accepts a part of a pack. It counts from the next sale',
});

export const declineSplit = answer('POST /api/splits/:id/decline', {
  summary: 'Declines a part of a pack. It stays with the creator of the pack',
});

export const endSplit = answer('POST /api/splits/:id/end', {
  summary: 'Ends a split, or withdraws its proposal. The collaborator keeps what was earned',
});

const buyer = endpointsOf({ tag: 'Accounts', access: 'user' });

export const readBuyerName = buyer('GET /api/me/buyer-name', {
  summary: 'Returns whether creators see the name of the caller at their sales',
  answers: { 200: contract.BuyerName },
});

export const changeBuyerName = buyer('PUT /api/me/buyer-name', {
  rateLimit: 'edit',
  summary: 'Chooses whether creators see the name of the caller at their sales',
  body: contract.BuyerName,
  answers: { 200: contract.BuyerName },
});

export const readDashboard = payee('GET /api/creator/dashboard', {
  access: 'user',
  summary: "Summarises the caller's last 30 days; all zero without sales",
  answers: { 200: contract.CreatorDashboard },
});

const finance = endpointsOf({ tag: 'Finance', access: 'finance' });
const creatorId = { creatorId: Id } as const;

export const lookUpPeople = finance('GET /api/finance/people', {
  summary: 'Finds users by e-mail address, name or handle',
  query: PeopleQuery,
  answers: { 200: PeopleAnswer },
});

export const listNames = finance('GET /api/finance/names', {
  summary: 'Returns the names of users by their ids',
  query: NamesQuery,
  answers: { 200: NamesAnswer },
});

export const listCreatorAccounts = finance('GET /api/finance/creators', {
  summary: 'Lists the balances owed to creators',
  query: z.object({
    ...pageQuery,
    /** Finds creators by a part of the name or handle, or by the id. */
    search: soughtText(100).trim().default(''),
  }),
  answers: { 200: contract.CreatorAccounts },
});

export const readCreatorAccount = finance('GET /api/finance/creators/:creatorId', {
  summary: 'Returns the balance owed to a creator, with the held part',
  params: creatorId,
  answers: { 200: contract.CreatorAccountByState },
  problems: ['NotFound'],
});

export const listCreatorStatements = finance('GET /api/finance/creators/:creatorId/statements', {
  summary: 'Lists the withdrawals of a creator, newest first',
  params: creatorId,
  query: z.object(pageQuery),
  answers: { 200: contract.Statements },
});

export const readCreatorStatement = finance('GET /api/finance/creators/:creatorId/statements/:id', {
  summary: 'Returns a withdrawal of a creator and the sales that it pays; none for one that failed',
  params: { creatorId: Id, id: Id },
  answers: { 200: contract.Statement },
  problems: ['NotFound'],
});

export const listSalesUnderReview = finance('GET /api/finance/sales-under-review', {
  summary: 'Lists sales under review, newest first. Their shares cannot be withdrawn',
  query: z.object(pageQuery),
  answers: { 200: contract.SalesUnderReview },
});

export const releaseSale = finance('POST /api/finance/sales-under-review/:purchaseId/release', {
  summary: 'Requests the release of a sale under review by a second person',
  params: { purchaseId: Id },
  body: ReasonBody,
  answers: { 202: WaitingAnswer },
  problems: ['NotFound', 'OwnInterest'],
  idempotent: true,
  freshSignIn: true,
});

export const listClaims = finance('GET /api/finance/claims', {
  summary: 'Lists the balances owed to deleted accounts',
  answers: { 200: contract.PayoutClaims },
});

export const payClaim = finance('POST /api/finance/claims/payouts', {
  freshSignIn: true,
  summary: 'Pays a claim to the account of the person who presents its code',
  body: contract.PayClaimBody,
  answers: { 201: contract.Payout },
  problems: [...PAYOUT_REFUSALS, 'ClaimExpired', 'OwnInterest'],
  idempotent: true,
});
