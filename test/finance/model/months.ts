import { boundsOf, periodDecider } from '../../../domain/ledger/period.js';
import type { World } from './world.js';

/** Advances the clock by hours to weeks. */
export function moveClock(world: World): void {
  world.did = 'on';
  world.company.now += (1 + world.below(world.oneIn(3) ? 480 : 48)) * 3_600_000;
}

/** Closes the previous month and keeps every account's balance at its end. */
export function closeMonth(world: World): void {
  const { company, months } = world;
  const now = new Date(world.now);
  const lasts = world.oneIn(3);
  const last = monthOf(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - (lasts ? 0 : 1)));
  // The next month in order, or the last one that is over, even if earlier months are open.
  const newest = months.map((each) => each.end).sort((a, b) => b - a)[0];
  const month = !lasts && newest && world.oneIn(2) ? monthOf(Math.min(newest, Date.parse(last))) : last;
  const end = boundsOf(month).to.getTime();
  const balances = balancesUntil(world, end);
  const first = company.log.find(({ entry }) => entry);
  const command = {
    type: 'ClosePeriod',
    month,
    by: 'petra',
    now: world.nowIso,
    hash: '',
    lastPosition: 0,
    firstMonth: first && monthOf(first.at),
    closedMonths: months.map((each) => each.month),
    broken: [],
    undone: [],
    balances: [...balances].map(([account, balance]) => ({
      account,
      balance,
      commodity: /^(user:|frozen:|issued|spent|revoked)/.test(account) ? 'credits' : 'usd',
    })),
  } as const;
  const decided = periodDecider.decide(command, periodDecider.initialState);
  const refused = decided.accepted ? undefined : decided.rejection.code;
  if (!world.agree(refused, lasts ? 'PeriodNotOver' : obstacle(world, end))) return;
  months.push({ month, end, balances, position: company.log.length });
}

export const monthOf = (at: number): string => new Date(at).toISOString().slice(0, 7);

/** Computes the refusal: from the first month with an entry on, every earlier month must be closed. */
export function obstacle({ company, months }: World, end: number): string | undefined {
  const posted = company.log.flatMap(({ at, entry }) => (entry ? [at] : []));
  if (!posted.some((at) => at < end)) return 'PeriodBeforeBooks';
  let over = boundsOf(monthOf(Math.min(...posted))).to.getTime();
  for (; over < end; over = boundsOf(monthOf(over)).to.getTime())
    if (!months.some((closed) => closed.end === over)) return 'PeriodOutOfOrder';
  return undefined;
}

/** Sums all postings before a moment. */
export function balancesUntil(world: World, end: number): Map<string, number> {
  const balances = new Map<string, number>();
  for (const { at, entry } of world.company.log)
    if (at < end)
      for (const { account, delta } of entry?.postings ?? [])
        balances.set(account, (balances.get(account) ?? 0) + delta);
  return balances;
}
