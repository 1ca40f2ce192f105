import * as z from 'zod';
import { MAPPED_ACCOUNTS } from '../../../domain/ledger/account-map.js';
import { IsoTime, lineText, namedObject } from '../../shared/contract.js';
import { TrialBalanceQuery } from '../contract.js';

/** opening + invoiced + promotions + returned − recognised − refunded − chargedBack − forfeited + adjusted = closing */
export const DeferredMonth = namedObject('DeferredMonth', {
  month: z.string(),
  openingMicroUsd: z.int(),
  /** Paid invoices, net of tax. */
  invoicedMicroUsd: z.int(),
  /** Credits given away at our expense. */
  promotionsMicroUsd: z.int(),
  /** Credits of undone purchases. */
  returnedMicroUsd: z.int(),
  /** Spent credits: their value is now income. */
  recognisedMicroUsd: z.int(),
  /**
   * The value of unspent credits that refunds paid back, or that payments took back by failing after the credits
   * were granted.
   */
  refundedMicroUsd: z.int(),
  chargedBackMicroUsd: z.int(),
  /** Credits that were taken from a buyer without paying money back. */
  forfeitedMicroUsd: z.int(),
  adjustedMicroUsd: z.int(),
  /** Equals the deferred balance in the trial balance at the end of the month. */
  closingMicroUsd: z.int(),
});
export type DeferredMonth = z.infer<typeof DeferredMonth>;

export const DeferredReport = z.object({ items: z.array(DeferredMonth) });
export type DeferredReport = z.infer<typeof DeferredReport>;

const StatementPart = z.object({
  lines: z.array(
    z.object({
      /** A line of the chart of accounts, such as `deferred:*`. */
      account: z.string(),
      kind: z.enum(['asset', 'liability', 'equity', 'income', 'expense']),
      /** Positive on the side on which this kind of account grows. */
      amountMicroUsd: z.int(),
      /** The same amount, one month earlier. */
      beforeMicroUsd: z.int(),
    }),
  ),
  resultMicroUsd: z.int(),
  resultBeforeMicroUsd: z.int(),
});
export type StatementPart = z.infer<typeof StatementPart>;

/** The profit and loss of a month, and the balance sheet at its end. Other currencies than dollars are left out. */
export const MonthlyStatement = namedObject('MonthlyStatement', {
  month: z.string(),
  monthBefore: z.string(),
  isClosed: z.boolean(),
  /** What moved in the month. The result is income minus expenses. */
  profitAndLoss: StatementPart,
  /** Balances at the end of the month. Assets equal liabilities, equity and the result since the books began. */
  balanceSheet: StatementPart,
});
export type MonthlyStatement = z.infer<typeof MonthlyStatement>;

export const AgeingQuery = TrialBalanceQuery.pick({ asOf: true });

/** The value of unspent credits at a time, by the age of their lots. Returned credits keep the original date. */
export const AgeingReport = namedObject('AgeingReport', {
  asOf: IsoTime,
  items: z.array(
    z.object({
      /** The age of the lots in days, such as `31–90`. */
      age: z.string(),
      lots: z.int(),
      paidMicroUsd: z.int(),
      promotionalMicroUsd: z.int(),
      totalMicroUsd: z.int(),
    }),
  ),
});
export type AgeingReport = z.infer<typeof AgeingReport>;

export const JournalFormat = z.enum(['quickbooks', 'xero']);
export type JournalFormat = z.infer<typeof JournalFormat>;

/** An account of ours, such as `deferred:*`, with its name (QuickBooks) and code (Xero) in the other system. */
export const MappedAccount = z.strictObject({
  account: z.enum(MAPPED_ACCOUNTS),
  name: lineText(100).min(1, 'Say what it is called'),
  code: lineText(10).min(1, 'Say its code'),
});
/** The map may be incomplete, but a month in which an unmapped account moved cannot be exported. */
export const AccountMap = z
  .strictObject({
    accounts: z
      .array(MappedAccount)
      .max(MAPPED_ACCOUNTS.length)
      .refine((all) => new Set(all.map(({ account }) => account)).size === all.length, 'one account twice'),
  })
  .meta({ id: 'AccountMap' });
export type AccountMap = z.infer<typeof AccountMap>;
export const KnownAccounts = AccountMap.extend({ unmapped: z.array(z.string()) }).meta({
  id: 'KnownAccounts',
});
export type KnownAccounts = z.infer<typeof KnownAccounts>;
