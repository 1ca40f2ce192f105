import type { AdjustingEntry, AdjustingLine } from '../shared/adjusting-lines.js';
import { accept, reject, type Decision, type Decider, type Outcome } from '../shared/decision.js';
import type { Reason } from '../shared/remark.js';
import { RESERVE, reserveItem } from '../shared/balance-movement.js';
import { chartedAccount, foreignAccount, OWED, SUSPENSE } from './accounts.js';

export const CLEARED_ACCOUNTS = [SUSPENSE, OWED, RESERVE] as const;
/**
 * The accounts, besides suspense, to which an adjusting entry can move an
 * item. Only business events post to the other accounts.
 */
export const ADJUSTED_ACCOUNTS = [
  'bank',
  OWED,
  'forfeited',
  'refunds',
  'tax',
  'stripe-fees',
  'dispute-fees',
  RESERVE,
  'chargeback-loss',
  'creator-losses',
] as const;
export type AdjustedAccount = (typeof ADJUSTED_ACCOUNTS)[number];
const FOREIGN_ADJUSTED_ACCOUNTS: readonly AdjustedAccount[] = [
  'bank',
  OWED,
  'forfeited',
  'stripe-fees',
  RESERVE,
  'chargeback-loss',
];
/**
 * Moving an item may only credit `forfeited` and debts to customers, and only debit refunds, losses and the reserve.
 * Other target accounts take both.
 */
const TAKES_CREDITS_ONLY: ReadonlySet<string> = new Set<AdjustedAccount>([OWED, 'forfeited']);
const TAKES_DEBITS_ONLY: ReadonlySet<string> = new Set<AdjustedAccount>([
  'refunds',
  RESERVE,
  'chargeback-loss',
  'creator-losses',
]);

/** An item in suspense, owed to a customer or held in reserve. */
export interface SuspenseItem {
  account: string;
  about: string;
  /** The balance in millionths. Debits are positive. */
  balance: number;
}

export interface Clearing {
  account: string;
  about: string;
  to: string;
  /** The id of the other item in suspense, if `to` is `suspense`. */
  toAbout?: string | undefined;
  /** In millionths of the item's currency, above 0. Default: the whole item. */
  amountMicro?: number | undefined;
}

export type AdjustingRejection =
  | { code: 'NotFound' }
  | { code: 'NotAdjustable' }
  /** The target account takes only credits, or only debits. */
  | { code: 'WrongDirection' }
  /** The entry takes more than the item has, now or at the end of the chosen month. */
  | { code: 'MoreThanOpen'; openMicro: number };

/** Returns `suspense` for `suspense:eur`. */
const withoutCurrency = (account: string): string =>
  CLEARED_ACCOUNTS.find((name) => account === name || account.startsWith(`${name}:`)) ?? account;

function reachableFrom(account: string): readonly AdjustedAccount[] {
  const inUsd = chartedAccount(account)?.commodity === 'usd';
  const own = withoutCurrency(account);
  return (inUsd ? ADJUSTED_ACCOUNTS : FOREIGN_ADJUSTED_ACCOUNTS).filter((name) => name !== own);
}

export function accountsFor(item: Pick<SuspenseItem, 'account' | 'balance'>): AdjustedAccount[] {
  const refusing = item.balance > 0 ? TAKES_CREDITS_ONLY : TAKES_DEBITS_ONLY;
  return reachableFrom(item.account).filter((name) => !refusing.has(name));
}

const itemOf = (
  items: readonly SuspenseItem[],
  { account, about }: Pick<AdjustingLine, 'account' | 'about'>,
): SuspenseItem | undefined => items.find((item) => item.account === account && item.about === about);

/** Returns the lines that clear an item. They keep the item's currency: an entry never exchanges money. */
export function linesOf(
  { account, about, to, toAbout, amountMicro }: Clearing,
  items: readonly SuspenseItem[],
): Outcome<{ lines: AdjustingLine[] }, AdjustingRejection> {
  const item = itemOf(items, { account, about });
  if (!item) return reject({ code: 'NotFound' });
  const { commodity = 'usd' } = chartedAccount(account) ?? {};
  const target = commodity === 'usd' ? to : foreignAccount(to, commodity);
  const goesToItem = to === SUSPENSE;
  if (goesToItem ? toAbout === undefined || toAbout === about : !has(reachableFrom(account), to))
    return reject({ code: 'NotAdjustable' });
  if (!goesToItem && !has(accountsFor(item), to)) return reject({ code: 'WrongDirection' });
  const delta = -Math.sign(item.balance) * (amountMicro ?? Math.abs(item.balance));
  // The reserve has one item per currency. A debt to a customer keeps the id of the item that it clears.
  const targetAbout =
    to === RESERVE ? reserveItem(commodity) : to === OWED ? about : goesToItem ? toAbout : undefined;
  const lines = [
    { account, commodity, delta, about },
    { account: target, commodity, delta: -delta, ...(targetAbout !== undefined && { about: targetAbout }) },
  ];
  const obstacle = obstacleTo(lines, items);
  return obstacle ? reject(obstacle) : { accepted: true, lines };
}

const has = (names: readonly string[], name: string): boolean => names.includes(name);

/** Refuses an adjusting entry if its first line, or another line in suspense, takes more than the item has. */
export function obstacleTo(
  lines: readonly AdjustingLine[],
  items: readonly SuspenseItem[],
): AdjustingRejection | undefined {
  for (const [index, line] of lines.entries()) {
    if (index > 0 && withoutCurrency(line.account) !== SUSPENSE) continue;
    const { balance = 0 } = itemOf(items, line) ?? {};
    if (Math.sign(balance) !== -Math.sign(line.delta) || Math.abs(line.delta) > Math.abs(balance))
      return { code: 'MoreThanOpen', openMicro: Math.abs(balance) };
  }
  return undefined;
}

export interface PostedEntry extends AdjustingEntry, Reason {
  entryId: string;
  requestedBy: string;
  approvedBy: string;
}

export type AdjustingCommand = {
  type: 'PostAdjustingEntry';
  now: string;
  /** The end of the month into which the entry is posted. */
  effectiveAt?: string;
  items: readonly SuspenseItem[];
  itemsThen?: readonly SuspenseItem[];
} & PostedEntry;

export type AdjustingEvent = {
  type: 'AdjustingEntryPosted';
  /** `effectiveAt` is when the entry is posted, if that differs from the time of recording. */
  data: PostedEntry & { effectiveAt?: string; at: string };
};

type Posted = ReadonlySet<string>;

function decide(command: AdjustingCommand, posted: Posted): Decision<AdjustingEvent, AdjustingRejection> {
  const { type: _, items, itemsThen = items, now: at, ...entry } = command;
  if (posted.has(entry.entryId)) return accept();
  const obstacle = obstacleTo(entry.lines, items) ?? obstacleTo(entry.lines, itemsThen);
  if (obstacle) return reject(obstacle);
  return accept({ type: 'AdjustingEntryPosted', data: { ...entry, at } });
}

export const adjustingDecider: Decider<AdjustingCommand, Posted, AdjustingEvent, AdjustingRejection, void> = {
  // All entries share one stream, so that two concurrent entries cannot take the same item.
  streamOf: () => 'adjusting-entries',
  initialState: new Set(),
  decide,
  evolve: (posted, { data }) => new Set([...posted, data.entryId]),
};

interface Explained extends Reason {
  account: string;
  about: string;
  by: string;
}

/** Stream `explained-{account}.{about}`: notes about an item in suspense. The newest note counts. */
export const explainedDecider: Decider<
  { type: 'ExplainItem'; now: string } & Explained,
  undefined,
  { type: 'SuspenseExplained'; data: Explained & { at: string } },
  never,
  { account: string; about: string }
> = {
  streamOf: ({ account, about }) => `explained-${account}.${about}`,
  initialState: undefined,
  decide: ({ type: _, now: at, ...explained }) =>
    accept({ type: 'SuspenseExplained', data: { ...explained, at } }),
  evolve: () => undefined,
};
