/** The unit of a line: integer micro-dollars, credits, or millionths of a currency such as `eur`. Units never mix. */
export type Commodity = 'usd' | 'credits' | (string & {});

export type AccountKind = 'asset' | 'liability' | 'equity' | 'income' | 'expense' | 'credits';

/**
 * The chart of accounts, in print order. `…:*` stands for one account per lot, creator, user or place. `code` and
 * `title` are the suggested account in another bookkeeping system. `label` replaces the title on screens.
 */
export const CHART = [
  { name: 'stripe:balance', kind: 'asset', code: '1010', title: 'Stripe balance' },
  { name: 'stripe:reserve', kind: 'asset', code: '1015', title: 'Stripe reserve' },
  { name: 'bank:in-transit', kind: 'asset', code: '1020', title: 'Payouts to the bank in transit' },
  { name: 'bank', kind: 'asset', code: '1030', title: 'Bank' },
  { name: 'disputes:held', kind: 'asset', code: '1040', title: 'Held for disputes' },
  {
    name: 'deferred:*',
    kind: 'liability',
    code: '2010',
    title: 'Deferred revenue',
    label: 'Credits sold, not yet spent',
  },
  { name: 'creator:*', kind: 'liability', code: '2020', title: 'Owed to creators' },
  { name: 'payouts-in-transit', kind: 'liability', code: '2030', title: 'Payouts to creators in transit' },
  {
    name: 'tax',
    kind: 'liability',
    code: '2040',
    title: 'Sales tax payable',
    label: 'Sales tax, place unknown',
  },
  { name: 'tax:*', kind: 'liability', code: '2040', title: 'Sales tax payable' },
  { name: 'owed-to-customers', kind: 'liability', code: '2050', title: 'Owed to customers' },
  { name: 'suspense', kind: 'liability', code: '2090', title: 'Suspense' },
  { name: 'opening-balances', kind: 'equity', code: '3010', title: 'Opening balances' },
  { name: 'credits', kind: 'income', code: '4010', title: 'Credits used' },
  { name: 'forfeited', kind: 'income', code: '4020', title: 'Forfeited credits' },
  { name: 'refunds', kind: 'income', code: '4030', title: 'Refunds' },
  { name: 'royalties', kind: 'expense', code: '5010', title: 'Royalties' },
  { name: 'stripe-fees', kind: 'expense', code: '5020', title: 'Stripe fees' },
  { name: 'dispute-fees', kind: 'expense', code: '5030', title: 'Dispute fees' },
  { name: 'chargeback-loss', kind: 'expense', code: '5040', title: 'Chargeback losses' },
  { name: 'promotions', kind: 'expense', code: '5050', title: 'Promotions' },
  { name: 'creator-losses', kind: 'expense', code: '5060', title: 'Debts of creators written off' },
  { name: 'issued', kind: 'credits', label: 'Credits issued' },
  { name: 'user:*', kind: 'credits', label: 'Credits of listeners and unredeemed gifts' },
  { name: 'frozen:*', kind: 'credits', label: 'Credits frozen by disputes' },
  { name: 'spent', kind: 'credits', label: 'Credits spent' },
  { name: 'revoked', kind: 'credits', label: 'Credits taken back' },
] as const satisfies readonly ({ name: string; kind: AccountKind } & (
  | { code: string; title: string; label?: string }
  | { label: string }
))[];

/** The accounts for cash, whose amounts are whole cents. */
export const CASH_ACCOUNTS = [
  'stripe:balance',
  'stripe:reserve',
  'bank:in-transit',
  'bank',
  'disputes:held',
] as const;

/**
 * Debts to customers. Each failed or pending refund is one item, and so is each item that an adjusting entry moved
 * here.
 */
export const OWED = 'owed-to-customers';
export const SUSPENSE = 'suspense';

export interface ChartedAccount {
  /** The name in the chart: the account itself, or `deferred:*` for the account of a lot. */
  group: (typeof CHART)[number]['name'];
  kind: AccountKind;
  commodity: Commodity;
}

/** Matches accounts in foreign currencies, such as `stripe:balance:eur` and `suspense:eur`. SQL uses it, too. */
export const FOREIGN =
  /^(stripe:balance|stripe:reserve|owed-to-customers|suspense|opening-balances|bank|forfeited|stripe-fees|chargeback-loss):([a-z]{3})$/;
export const foreignAccount = (account: string, currency: string): string => `${account}:${currency}`;

const entryOf = (account: string) =>
  CHART.find(({ name }) =>
    name.endsWith(':*')
      ? account.length > name.length - 1 && account.startsWith(name.slice(0, -1))
      : account === name,
  );

export function chartedAccount(account: string): ChartedAccount | undefined {
  const [, base, currency] = FOREIGN.exec(account) ?? [];
  const known = base && currency ? chartedAccount(base) : undefined;
  if (known && currency) return { ...known, commodity: currency };
  const entry = entryOf(account);
  return (
    entry && { group: entry.name, kind: entry.kind, commodity: entry.kind === 'credits' ? 'credits' : 'usd' }
  );
}

/** Returns the line of the chart of accounts, such as `tax:*` for `tax:DE`. */
export const chartLineOf = (account: string): string => chartedAccount(account)?.group ?? account;

/** The account in plain words, such as "Sales tax payable, DE". Accounts of lots and people have the label of their group. */
export function accountLabel(account: string): string {
  const [, base, currency] = FOREIGN.exec(account) ?? [];
  const entry = entryOf(base ?? account);
  if (!entry) return account;
  const label = 'label' in entry ? entry.label : entry.title;
  const [, place] = /^tax:([^*]+)$/.exec(account) ?? [];
  return [label, place ?? currency?.toUpperCase()].filter(Boolean).join(', ');
}

export const chartOrder = (group: string): number => CHART.findIndex(({ name }) => name === group);

export const deferredAccount = (lotId: string): string => `deferred:${lotId}`;
/** Returns the account for tax owed to a place such as `DE` or `US-NY`, or the account for unknown places. */
export const taxAccount = (place: string | undefined): string =>
  place === undefined ? 'tax' : `tax:${place}`;
export const creatorAccount = (creatorId: string): string => `creator:${creatorId}`;
export const userAccount = (userId: string): string => `user:${userId}`;
export const frozenAccount = (userId: string): string => `frozen:${userId}`;
