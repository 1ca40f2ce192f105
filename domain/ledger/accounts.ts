/** The unit of a line: integer micro-dollars, credits, or millionths of a currency such as `eur`. Units never mix. */
export type Commodity = 'usd' | 'credits' | (string & {});

export type AccountKind = 'asset' | 'liability' | 'equity' | 'income' | 'expense' | 'credits';

/** The chart of accounts, in print order. `…:*` stands for one account per lot, creator, user or place. */
export const CHART = [
  { name: 'stripe:balance', kind: 'asset' },
  { name: 'stripe:reserve', kind: 'asset' },
  { name: 'bank:in-transit', kind: 'asset' },
  { name: 'bank', kind: 'asset' },
  { name: 'disputes:held', kind: 'asset' },
  { name: 'deferred:*', kind: 'liability' },
  { name: 'creator:*', kind: 'liability' },
  { name: 'payouts-in-transit', kind: 'liability' },
  { name: 'tax', kind: 'liability' },
  { name: 'tax:*', kind: 'liability' },
  { name: 'owed-to-customers', kind: 'liability' },
  { name: 'suspense', kind: 'liability' },
  { name: 'opening-balances', kind: 'equity' },
  { name: 'credits', kind: 'income' },
  { name: 'forfeited', kind: 'income' },
  { name: 'refunds', kind: 'income' },
  { name: 'royalties', kind: 'expense' },
  { name: 'stripe-fees', kind: 'expense' },
  { name: 'dispute-fees', kind: 'expense' },
  { name: 'chargeback-loss', kind: 'expense' },
  { name: 'promotions', kind: 'expense' },
  { name: 'creator-losses', kind: 'expense' },
  { name: 'issued', kind: 'credits' },
  { name: 'user:*', kind: 'credits' },
  { name: 'frozen:*', kind: 'credits' },
  { name: 'spent', kind: 'credits' },
  { name: 'revoked', kind: 'credits' },
] as const satisfies readonly { name: string; kind: AccountKind }[];

/** Cash accounts. Their amounts are whole cents. */
export const CASH_ACCOUNTS = [
  'stripe:balance',
  'stripe:reserve',
  'bank:in-transit',
  'bank',
  'disputes:held',
] as const;

/** Debts to customers, such as failed refunds; one item per refund. */
export const OWED = 'owed-to-customers';
export const SUSPENSE = 'suspense';

export interface ChartedAccount {
  /** The name in the chart: the account itself, or `deferred:*` for the account of a lot. */
  group: (typeof CHART)[number]['name'];
  kind: AccountKind;
  commodity: Commodity;
}

/** The accounts that also exist in foreign currencies, such as `stripe:balance:eur` and `suspense:eur`. */
const FOREIGN =
  /^(stripe:balance|stripe:reserve|owed-to-customers|suspense|opening-balances|bank|forfeited|stripe-fees|chargeback-loss):([a-z]{3})$/;
export const foreignAccount = (account: string, currency: string): string => `${account}:${currency}`;

export function chartedAccount(account: string): ChartedAccount | undefined {
  const [, base, currency] = FOREIGN.exec(account) ?? [];
  const known = base && currency ? chartedAccount(base) : undefined;
  if (known && currency) return { ...known, commodity: currency };
  const entry = CHART.find(({ name }) =>
    name.endsWith(':*')
      ? account.length > name.length - 1 && account.startsWith(name.slice(0, -1))
      : account === name,
  );
  return (
    entry && { group: entry.name, kind: entry.kind, commodity: entry.kind === 'credits' ? 'credits' : 'usd' }
  );
}

export const chartOrder = (group: string): number => CHART.findIndex(({ name }) => name === group);

export const deferredAccount = (lotId: string): string => `deferred:${lotId}`;
/** Returns the account for tax owed to a place such as `DE` or `US-NY`, or the account for unknown places. */
export const taxAccount = (place: string | undefined): string =>
  place === undefined ? 'tax' : `tax:${place}`;
export const creatorAccount = (creatorId: string): string => `creator:${creatorId}`;
export const userAccount = (userId: string): string => `user:${userId}`;
export const frozenAccount = (userId: string): string => `frozen:${userId}`;
