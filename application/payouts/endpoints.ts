import * as z from 'zod';
import { WaitingAnswer } from '../approvals/contract.js';
import { NamesAnswer, NamesQuery, PeopleAnswer, PeopleQuery } from '../accounts/contract.js';
import { exactText, Id, pageQuery, ReasonBody, soughtText } from '../shared/contract.js';
import { endpoint, text } from '../shared/endpoint.js';
import {
  ConnectAnswer,
  ConnectCountries,
  ConnectStatus,
  CreatorAccountByState,
  CreatorAccounts,
  CreatorBalance,
  CreatorDashboard,
  PayClaimBody,
  Payout,
  PayoutClaims,
  PayoutSchedule,
  PayoutScheduleBody,
  Sales,
  SALES_PERIODS,
  SalesUnderReview,
  Statement,
  Statements,
} from './contract.js';

const payee = { tag: 'Creators', access: 'payee' } as const;
const csv = { 200: text('text/csv; charset=utf-8') } as const;
const PAYOUT_REFUSALS = [
  'PayoutsNotEnabled',
  'WithdrawalTooSmall',
  'InsufficientEarnings',
  'WithdrawalInFlight',
  'NotFound',
  'PaymentsUnavailable',
] as const;

export const connectAccount = endpoint('POST /api/stripe/connect/create-account', {
  tag: 'Creators',
  access: 'creator',
  summary: "Returns the address of the payment provider's onboarding page",
  body: z.strictObject({
    /** Must be the caller's own id. */
    userId: exactText().max(100).optional(),
    /** Defaults to the email address of the caller's account. */
    email: z.email().max(254).optional(),
    /** Where the creator lives and banks; it cannot be changed later. */
    country: z
      .string()
      .regex(/^[A-Z]{2}$/, 'A country is a code of two letters')
      .default('US'),
  }),
  answers: { 200: ConnectAnswer },
  problems: ['NotAllowed', 'CountryNotSupported', 'PaymentsUnavailable'],
  freshSignIn: true,
});

export const listCountries = endpoint('GET /api/stripe/connect/countries', {
  ...payee,
  summary: 'The countries in which the payment provider pays creators',
  answers: { 200: ConnectCountries },
  problems: ['PaymentsUnavailable'],
});

export const readConnection = endpoint('GET /api/stripe/connect/status/:userId', {
  ...payee,
  summary: 'Whether the payment provider pays the caller',
  answers: { 200: ConnectStatus },
  problems: ['NotAllowed', 'PaymentsUnavailable'],
});

export const readBalance = endpoint('GET /api/creator/balance', {
  ...payee,
  summary: "Returns the caller's earnings: total, available and held",
  answers: { 200: CreatorBalance },
});

export const readSchedule = endpoint('GET /api/creator/payout-schedule', {
  ...payee,
  summary: "Returns the caller's payout schedule",
  answers: { 200: PayoutSchedule },
});

export const chooseSchedule = endpoint('PUT /api/creator/payout-schedule', {
  freshSignIn: true,
  tag: 'Creators',
  access: 'creator',
  summary: 'Sets the payout schedule, from the first of the next month',
  body: PayoutScheduleBody,
  answers: { 200: PayoutSchedule },
});

export const withdraw = endpoint('POST /api/creator/withdrawals', {
  freshSignIn: true,
  tag: 'Creators',
  access: 'creator',
  summary: 'Withdraws an amount, or everything available. The transfer follows within seconds',
  /** Without an amount everything available is withdrawn, in whole cents. */
  body: z.strictObject({ amountUsdCents: z.int().min(1).max(100_000_000).optional() }),
  answers: { 201: Payout },
  problems: PAYOUT_REFUSALS,
  idempotent: true,
});

export const listStatementsAsCsv = endpoint('GET /api/creator/statements.csv', {
  ...payee,
  summary: 'The withdrawals of the caller as a table',
  answers: csv,
});

export const readStatementAsCsv = endpoint('GET /api/creator/statements/:id.csv', {
  ...payee,
  summary: 'A withdrawal and the sales that it pays, as a table',
  answers: csv,
  problems: ['NotFound'],
});

export const listStatements = endpoint('GET /api/creator/statements', {
  ...payee,
  summary: 'The withdrawals of the caller, newest first',
  query: z.object(pageQuery),
  answers: { 200: Statements },
});

export const readStatement = endpoint('GET /api/creator/statements/:id', {
  ...payee,
  summary: 'A withdrawal and the sales that it pays',
  answers: { 200: Statement },
  problems: ['NotFound'],
});

export const listSales = endpoint('GET /api/creator/sales', {
  ...payee,
  summary: "Lists the caller's sales, with totals per day",
  query: z.object({ period: z.enum(SALES_PERIODS).default('week'), ...pageQuery }),
  answers: { 200: Sales },
});

export const listSalesAsCsv = endpoint('GET /api/creator/sales.csv', {
  ...payee,
  summary: 'Every sale of the caller as a table, newest first',
  answers: csv,
});

export const readDashboard = endpoint('GET /api/creator/dashboard', {
  tag: 'Creators',
  access: 'user',
  summary: "Summarises the caller's last 30 days; all zero without sales",
  answers: { 200: CreatorDashboard },
});

const finance = { tag: 'Finance', access: 'finance' } as const;
const creatorId = { creatorId: Id } as const;

export const findPeople = endpoint('GET /api/finance/people', {
  ...finance,
  summary: 'Finds users by e-mail address, name or handle',
  query: PeopleQuery,
  answers: { 200: PeopleAnswer },
});

export const listNames = endpoint('GET /api/finance/names', {
  ...finance,
  summary: 'Returns the names of users by their ids',
  query: NamesQuery,
  answers: { 200: NamesAnswer },
});

export const listCreatorAccounts = endpoint('GET /api/finance/creators', {
  ...finance,
  summary: 'Lists the balances owed to creators',
  query: z.object({
    ...pageQuery,
    /** Part of a name or handle, or an id. */
    search: soughtText(100).trim().default(''),
  }),
  answers: { 200: CreatorAccounts },
});

export const readCreatorAccount = endpoint('GET /api/finance/creators/:creatorId', {
  ...finance,
  summary: 'Returns the balance owed to a creator, with the held part',
  params: creatorId,
  answers: { 200: CreatorAccountByState },
  problems: ['NotFound'],
});

export const listCreatorStatements = endpoint('GET /api/finance/creators/:creatorId/statements', {
  ...finance,
  summary: 'The withdrawals of a creator, newest first',
  params: creatorId,
  query: z.object(pageQuery),
  answers: { 200: Statements },
});

export const readCreatorStatement = endpoint('GET /api/finance/creators/:creatorId/statements/:id', {
  ...finance,
  summary: 'A withdrawal of a creator and the sales that it pays; none for one that failed',
  params: { creatorId: Id, id: Id },
  answers: { 200: Statement },
  problems: ['NotFound'],
});

export const listSalesUnderReview = endpoint('GET /api/finance/sales-under-review', {
  ...finance,
  summary: 'Lists sales under review, newest first. Their shares cannot be withdrawn',
  query: z.object(pageQuery),
  answers: { 200: SalesUnderReview },
});

export const releaseSale = endpoint('POST /api/finance/sales-under-review/:purchaseId/release', {
  ...finance,
  summary: 'Requests the release of a sale under review by a second person',
  params: { purchaseId: Id },
  body: ReasonBody,
  answers: { 202: WaitingAnswer },
  problems: ['NotFound', 'OwnInterest'],
  idempotent: true,
  freshSignIn: true,
});

export const listClaims = endpoint('GET /api/finance/claims', {
  ...finance,
  summary: 'Lists the balances owed to deleted accounts',
  answers: { 200: PayoutClaims },
});

export const payClaim = endpoint('POST /api/finance/claims/payouts', {
  ...finance,
  freshSignIn: true,
  summary: 'Pays a claim to the account of the person who presents its code',
  body: PayClaimBody,
  answers: { 201: Payout },
  problems: [...PAYOUT_REFUSALS, 'ClaimExpired', 'OwnInterest'],
  idempotent: true,
});
