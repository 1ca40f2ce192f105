import { accept, type Decider } from '../shared/decision.js';
import { CHART } from './accounts.js';

/** One of our accounts, with its name and code in another bookkeeping system. */
export interface MappedAccount {
  account: string;
  name: string;
  code: string;
}

/** The account for amounts below a cent in the summary of a month. */
export const ROUNDING = 'rounding';

export const MAPPED_ACCOUNTS: readonly string[] = [
  ...CHART.filter(({ kind }) => kind !== 'credits').map(({ name }) => name),
  ROUNDING,
];

const DEFAULTS: Record<string, [code: string, name: string]> = {
  'stripe:balance': ['1010', 'Stripe balance'],
  'stripe:reserve': ['1015', 'Stripe reserve'],
  'bank:in-transit': ['1020', 'Payouts to the bank in transit'],
  bank: ['1030', 'Bank'],
  'disputes:held': ['1040', 'Held for disputes'],
  'deferred:*': ['2010', 'Deferred revenue'],
  'creator:*': ['2020', 'Owed to creators'],
  'payouts-in-transit': ['2030', 'Payouts to creators in transit'],
  tax: ['2040', 'Sales tax payable'],
  'tax:*': ['2040', 'Sales tax payable'],
  'owed-to-customers': ['2050', 'Owed to customers'],
  suspense: ['2090', 'Suspense'],
  'opening-balances': ['3010', 'Opening balances'],
  credits: ['4010', 'Credits used'],
  forfeited: ['4020', 'Forfeited credits'],
  refunds: ['4030', 'Refunds'],
  royalties: ['5010', 'Royalties'],
  'stripe-fees': ['5020', 'Stripe fees'],
  'dispute-fees': ['5030', 'Dispute fees'],
  'chargeback-loss': ['5040', 'Chargeback losses'],
  promotions: ['5050', 'Promotions'],
  'creator-losses': ['5060', 'Debts of creators written off'],
  [ROUNDING]: ['5090', 'Rounding'],
};

const DEFAULT_MAP = MAPPED_ACCOUNTS.flatMap((account) => {
  const [code, name] = DEFAULTS[account] ?? [];
  return code !== undefined && name !== undefined ? [{ account, name, code }] : [];
});

interface AccountMap {
  accounts: readonly MappedAccount[];
  by: string;
}

/** Stream `account-map`: the newest map counts. */
export const accountMapDecider: Decider<
  { type: 'ChangeAccountMap'; now: string } & AccountMap,
  readonly MappedAccount[],
  { type: 'AccountMapChanged'; data: AccountMap & { at: string } },
  never,
  void
> = {
  streamOf: () => 'account-map',
  initialState: DEFAULT_MAP,
  decide: ({ accounts, by, now: at }, known) =>
    JSON.stringify(accounts) === JSON.stringify(known)
      ? accept()
      : accept({ type: 'AccountMapChanged', data: { accounts, by, at } }),
  evolve: (_, { data }) => data.accounts,
};
