import * as z from 'zod';
import { MAPPED_ACCOUNTS } from '../../../domain/ledger/account-map.js';
import { IsoTime, lineText } from '../../shared/contract.js';
import { TrialBalanceQuery } from '../contract.js';

/**
 * opening + invoiced + promotions + returned − recognised − refunded − chargedBack − forfeited + adjusted = closing, in
 * micro-dollars.
 */
export const DeferredMonth = z
  .object({
    month: z.string(),
    openingMicroUsd: z.int(),
    /** Paid by invoices, net of tax. */
    invoicedMicroUsd: z.int(),
    /** Credits that we gave away and fund. */
    promotionsMicroUsd: z.int(),
    /** Of purchases that were undone. */
    returnedMicroUsd: z.int(),
    /** Spent: it is income now. */
    recognisedMicroUsd: z.int(),
    /** Paid back, or never come in. */
    refundedMicroUsd: z.int(),
    chargedBackMicroUsd: z.int(),
    /** Taken without anything being paid back. */
    forfeitedMicroUsd: z.int(),
    /** Given by administrators. */
    adjustedMicroUsd: z.int(),
    /** As the trial balance has it at the end of the month. */
    closingMicroUsd: z.int(),
  })
  .meta({ id: 'DeferredMonth' });
export type DeferredMonth = z.infer<typeof DeferredMonth>;

/** Every month since the first posting, or those asked for, oldest first. */
export const DeferredReport = z.object({ items: z.array(DeferredMonth) });
export type DeferredReport = z.infer<typeof DeferredReport>;

export const AgeingQuery = TrialBalanceQuery.pick({ asOf: true });

/** What unspent credits were worth at a time, by the age of their lots. Credits that came back keep their date. */
export const AgeingReport = z
  .object({
    asOf: IsoTime,
    items: z.array(
      z.object({
        /** In days, such as `31–90`. */
        age: z.string(),
        /** Lots of which anything is left. */
        lots: z.int(),
        paidMicroUsd: z.int(),
        promotionalMicroUsd: z.int(),
        totalMicroUsd: z.int(),
      }),
    ),
  })
  .meta({ id: 'AgeingReport' });
export type AgeingReport = z.infer<typeof AgeingReport>;

export const JournalFormat = z.enum(['quickbooks', 'xero']);
export type JournalFormat = z.infer<typeof JournalFormat>;
export const MonthJournalQuery = z.object({
  format: JournalFormat,
  /** `true`: also of a month that is open; every line says that it is a draft. */
  draft: z.enum(['true', 'false']).default('false'),
});

/** An account of ours, such as `deferred:*`, with its name (QuickBooks) and code (Xero) in the other bookkeeping. */
export const MappedAccount = z.strictObject({
  account: z.enum(MAPPED_ACCOUNTS),
  name: lineText(100).min(1, 'Say what it is called'),
  code: lineText(10).min(1, 'Say its code'),
});
/** Accounts that are left out have none; a month in which they moved cannot be exported. */
export const AccountMap = z
  .strictObject({
    accounts: z
      .array(MappedAccount)
      .max(MAPPED_ACCOUNTS.length)
      .refine((all) => new Set(all.map(({ account }) => account)).size === all.length, 'one account twice'),
  })
  .meta({ id: 'AccountMap' });
export type AccountMap = z.infer<typeof AccountMap>;
/** With the accounts that have none. */
export const KnownAccounts = AccountMap.extend({ unmapped: z.array(z.string()) }).meta({
  id: 'KnownAccounts',
});
export type KnownAccounts = z.infer<typeof KnownAccounts>;
