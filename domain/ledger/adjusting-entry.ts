import type { AdjustingEntry, AdjustingLine } from '../shared/adjusting-lines.js';
import type { Decider } from '../shared/decider.js';
import { accept, reject, type Decision } from '../shared/decision.js';
import { reasonIn, type Reason } from '../shared/remark.js';
import { chartedAccount, foreignAccount } from './accounts.js';

/** Where what was in suspense may go to. All other accounts follow from events alone. */
export const ADJUSTED_ACCOUNTS = [
  'bank',
  'forfeited',
  'refunds',
  'tax',
  'stripe-fees',
  'dispute-fees',
  'chargeback-loss',
  'creator-losses',
] as const;
/** The same for other currencies. */
export const FOREIGN_ADJUSTED_ACCOUNTS = ['bank', 'forfeited', 'stripe-fees', 'chargeback-loss'] as const;
const SUSPENSE = 'suspense';

/** An item in suspense. */
export interface SuspenseItem {
  account: string;
  about: string;
  /** In millionths; a debit is positive. */
  balance: number;
}

/** What somebody asks to be posted about an item. */
export interface Clearing {
  account: string;
  about: string;
  to: string;
  /** Where it goes to another item in suspense: which. */
  toAbout?: string | undefined;
  /** In millionths, above zero; absent: all of it. */
  amountMicro?: number | undefined;
}

export type AdjustingRejection =
  /** There is no such item. */
  | { code: 'NotFound' }
  | { code: 'NotAdjustable' }
  /** The item has less, or had less by then. */
  | { code: 'MoreThanOpen'; openMicro: number };

const isSuspense = (account: string): boolean => account === SUSPENSE || account.startsWith(`${SUSPENSE}:`);

const itemOf = (
  items: readonly SuspenseItem[],
  { account, about }: Pick<AdjustingLine, 'account' | 'about'>,
): SuspenseItem | undefined => items.find((item) => item.account === account && item.about === about);

/** The lines that clear an item. The entry is in the item's own currency: nothing is exchanged. */
export function linesOf(
  { account, about, to, toAbout, amountMicro }: Clearing,
  items: readonly SuspenseItem[],
): { accepted: true; lines: AdjustingLine[] } | { accepted: false; rejection: AdjustingRejection } {
  const item = itemOf(items, { account, about });
  if (!item) return reject({ code: 'NotFound' });
  const { commodity = 'usd' } = chartedAccount(account) ?? {};
  const target = commodity === 'usd' ? to : foreignAccount(to, commodity);
  const goesToItem = to === SUSPENSE;
  const accounts: readonly string[] = commodity === 'usd' ? ADJUSTED_ACCOUNTS : FOREIGN_ADJUSTED_ACCOUNTS;
  if (!goesToItem && !accounts.includes(to)) return reject({ code: 'NotAdjustable' });
  if (goesToItem && (toAbout === undefined || toAbout === about)) return reject({ code: 'NotAdjustable' });
  const delta = -Math.sign(item.balance) * (amountMicro ?? Math.abs(item.balance));
  const lines = [
    { account, commodity, delta, about },
    {
      account: target,
      commodity,
      delta: -delta,
      ...(goesToItem && toAbout !== undefined && { about: toAbout }),
    },
  ];
  const obstacle = obstacleTo(lines, items);
  return obstacle ? reject(obstacle) : { accepted: true, lines };
}

/** Each line about an item takes from it at most what it has. */
export function obstacleTo(
  lines: readonly AdjustingLine[],
  items: readonly SuspenseItem[],
): AdjustingRejection | undefined {
  for (const line of lines) {
    if (!isSuspense(line.account)) continue;
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
  /** The end of the month that it is posted into. */
  effectiveAt?: string;
  /** What is in suspense now. */
  items: readonly SuspenseItem[];
  /** What was there at the end of that month. */
  itemsThen?: readonly SuspenseItem[];
} & PostedEntry;

export type AdjustingEvent = {
  type: 'AdjustingEntryPosted';
  /** `effectiveAt`: its time in the books, where that is not when it was recorded. */
  data: PostedEntry & { effectiveAt?: string; at: string };
};

/** The entries that are posted. */
type Posted = ReadonlySet<string>;

function decide(command: AdjustingCommand, posted: Posted): Decision<AdjustingEvent, AdjustingRejection> {
  const { entryId, lines, evidence, month, effectiveAt, requestedBy, approvedBy, now: at } = command;
  if (posted.has(entryId)) return accept();
  const { items, itemsThen = items } = command;
  const obstacle = obstacleTo(lines, items) ?? obstacleTo(lines, itemsThen);
  if (obstacle) return reject(obstacle);
  return accept({
    type: 'AdjustingEntryPosted',
    data: {
      entryId,
      lines,
      evidence,
      ...(month !== undefined && { month }),
      ...(effectiveAt !== undefined && { effectiveAt }),
      ...reasonIn(command),
      requestedBy,
      approvedBy,
      at,
    },
  });
}

export const adjustingDecider: Decider<AdjustingCommand, Posted, AdjustingEvent, AdjustingRejection, void> = {
  // One stream for all: entries about the same item follow each other.
  streamOf: () => 'adjusting-entries',
  initialState: new Set(),
  decide,
  evolve: (posted, { data }) => new Set([...posted, data.entryId]),
};
