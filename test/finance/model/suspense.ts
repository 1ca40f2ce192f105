import {
  ADJUSTED_ACCOUNTS,
  adjustingDecider,
  linesOf,
  type AdjustingCommand,
} from '../../../domain/ledger/adjusting-entry.js';
import { endOf, periodDecider, type Period } from '../../../domain/ledger/period.js';
import { closeMonth, monthOf, obstacle } from './months.js';
import type { OpenItem } from './oracle-money.js';
import { codeOf, type World } from './world.js';

const CENT = 10_000;

/** Adjusts an item in suspense: all of it or a part, now or in an earlier month. */
export function clearSuspense(world: World): void {
  const { company, money } = world;
  const items = [...money.openItems().values()];
  if (items.length === 0) return;
  const item = world.pick(items);
  const cents = Math.floor(Math.abs(item.balance) / CENT);
  const currency = /:([a-z]{3})$/.exec(item.account)?.[1];
  const suffix = currency ? `:${currency}` : '';
  const suspense = `suspense${suffix}`;
  const other = world.oneIn(3)
    ? items.find(({ about, account }) => about !== item.about && account === suspense)
    : undefined;
  const to = other ? 'suspense' : world.pick(ADJUSTED_ACCOUNTS);
  const target = `${to}${suffix}`;
  // Sometimes more than the item has.
  const amountMicro = world.oneIn(3) ? undefined : CENT * (1 + world.below(cents + 2));
  const moved = Math.sign(item.balance) * (amountMicro ?? Math.abs(item.balance));
  // An earlier month, or the month of the item.
  const then = world.oneIn(2) ? item.since : world.now - world.below(40) * 86_400_000;
  const month = world.oneIn(2) ? monthOf(then) : undefined;
  const expected = refusalOf(world, { item, other, moved, month });
  const entryId = world.id('entry');
  const { account, about } = item;
  const known = company.suspenseItems();
  const lines = linesOf({ account, about, to, toAbout: other?.about, amountMicro }, known);
  const refused = other ? undefined : refusedBy(item, to, target, currency !== undefined);
  if (!world.agree(codeOf(lines), refused ?? takes(item, other, moved)) || !lines.accepted) return;
  const effectiveAt = month === undefined ? undefined : endOf(month).toISOString();
  const command: AdjustingCommand = {
    type: 'PostAdjustingEntry',
    entryId,
    lines: lines.lines,
    evidence: 'a letter',
    ...(month !== undefined && { month }),
    ...(effectiveAt !== undefined && {
      effectiveAt,
      itemsThen: company.suspenseItems(Date.parse(effectiveAt)),
    }),
    reason: 'why',
    requestedBy: 'pia',
    approvedBy: 'zoe',
    items: known,
    now: world.nowIso,
  };
  const posted = adjustingDecider.decide(command, company.adjusted);
  const adjusted = month === undefined ? undefined : adjustPeriod(world, month, entryId);
  if (!world.agree(codeOf(posted) ?? adjusted, expected) || !posted.accepted) return;
  for (const { type, data } of posted.events)
    company.record('adjusting-entries', type, data, effectiveAt ? Date.parse(effectiveAt) : world.now);
  company.adjusted = posted.events.reduce(adjustingDecider.evolve, company.adjusted);
  const again = adjustingDecider.decide({ ...command, items: [] }, company.adjusted);
  world.same(again.accepted && again.events.length, 0, 'events of an entry that is posted');
  money.cleared.push({ account, to: target, moved });
  const at = effectiveAt === undefined ? world.now : Date.parse(effectiveAt);
  money.changeItem(about, account, -moved, at);
  if (other) money.changeItem(other.about, suspense, moved, at);
  if (to === 'owed-to-customers') money.changeItem(about, target, moved, at);
  if (to === 'stripe:reserve')
    money.changeItem(`reserve${currency ? `-${currency}` : ''}`, target, moved, at);
  world.did = other ? 'with another' : month === undefined ? 'now' : 'in its month';
}

/** Accounts for money that came (income, debts), and for money that went (losses, reserves). */
const CAME = ['owed-to-customers', 'forfeited'];
const WENT = ['refunds', 'stripe:reserve', 'chargeback-loss', 'creator-losses'];
const IN_DOLLARS_ONLY = ['refunds', 'tax', 'dispute-fees', 'creator-losses'];

function refusedBy(item: OpenItem, to: string, target: string, isForeign: boolean): string | undefined {
  if (target === item.account || (isForeign && IN_DOLLARS_ONLY.includes(to))) return 'NotAdjustable';
  return (item.balance > 0 ? CAME : WENT).includes(to) ? 'WrongDirection' : undefined;
}

interface Wish {
  item: OpenItem;
  other: OpenItem | undefined;
  moved: number;
  month: string | undefined;
}

const takes = (item: OpenItem, other: OpenItem | undefined, moved: number): 'MoreThanOpen' | undefined =>
  Math.sign(item.balance) !== Math.sign(moved) ||
  Math.abs(moved) > Math.abs(item.balance) ||
  (other && (Math.sign(other.balance) === Math.sign(moved) || Math.abs(moved) > Math.abs(other.balance)))
    ? 'MoreThanOpen'
    : undefined;

/** Computes the refusal by counting: first from the item now, then from the item at the end of that month. */
function refusalOf(world: World, { item, other, moved, month }: Wish): string | undefined {
  if (takes(item, other, moved)) return 'MoreThanOpen';
  if (month === undefined) return undefined;
  const end = endOf(month).getTime() + 1;
  const then = world.money.openItems(end);
  const thenOf = (each: OpenItem) => then.get(`${each.account} ${each.about}`) ?? { ...each, balance: 0 };
  if (takes(thenOf(item), other && thenOf(other), moved)) return 'MoreThanOpen';
  if (end > world.now) return 'PeriodNotOver';
  if (world.months.some((closed) => closed.month === month)) return 'PeriodIsClosed';
  return obstacle(world, end) === 'PeriodBeforeBooks' ? 'PeriodBeforeBooks' : undefined;
}

const periodOf = ({ months, company }: World, month: string): Period => {
  const closed = months.find((each) => each.month === month);
  const reopenings = company.reopenings.get(month) ?? [];
  if (!closed) return { status: 'open', sealed: false, reopenings };
  const data = { month, lastPosition: closed.position, hash: '', balances: [], by: 'petra', at: '' };
  return { status: 'closed', signed: false, ...data, reopenings };
};

const turnOf = (world: World) => {
  const first = world.company.log.find(({ entry }) => entry);
  return {
    now: world.nowIso,
    firstMonth: first && monthOf(first.at),
    closedMonths: world.months.map(({ month }) => month),
  };
};

const adjustPeriod = (world: World, month: string, entryId: string): string | undefined =>
  codeOf(
    periodDecider.decide({ type: 'AdjustPeriod', month, entryId, ...turnOf(world) }, periodOf(world, month)),
  );

/** Two people reopen a closed month; only the newest can be reopened. */
export function reopenMonth(world: World): void {
  const { months, company } = world;
  if (months.length === 0) return;
  // Often closes another month after it, otherwise every closed month is the newest.
  if (months.length === 1 && world.oneIn(2)) {
    company.now += 32 * 86_400_000;
    closeMonth(world);
  }
  const { month } = world.pick(months);
  const newest = months
    .map((each) => each.month)
    .sort()
    .at(-1) as string;
  const approvalId = world.id('approval');
  const { now, closedMonths } = turnOf(world);
  const command = {
    type: 'ReopenPeriod',
    month,
    by: 'pia',
    approvedBy: 'zoe',
    approvalId,
    reason: 'why',
    now,
    closedMonths,
  } as const;
  const decided = periodDecider.decide(command, periodOf(world, month));
  if (!world.agree(codeOf(decided), month < newest ? 'PeriodNotNewest' : undefined)) return;
  company.reopenings.set(month, [...(company.reopenings.get(month) ?? []), approvalId]);
  months.splice(0, months.length, ...months.filter((each) => each.month !== month));
  const again = periodDecider.decide(command, periodOf(world, month));
  world.same(again.accepted && again.events.length, 0, 'events of a month that is reopened');
}
