import { boundsOf, decidePeriod, openPeriod } from '../../../domain/ledger/period.js';
import type { World } from './world.js';

/** Hours to weeks go by. */
export function moveClock(world: World): void {
  world.did = 'on';
  world.company.now += (1 + world.below(world.oneIn(3) ? 480 : 48)) * 3_600_000;
}

/** The month before this one is closed, with what every account held at its end. */
export function closeMonth(world: World): void {
  const { company, months } = world;
  const now = new Date(world.now);
  const lasts = world.oneIn(3);
  const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - (lasts ? 0 : 1)))
    .toISOString()
    .slice(0, 7);
  const end = boundsOf(month).to.getTime();
  const balances = balancesUntil(world, end);
  const command = {
    type: 'ClosePeriod', month, by: 'petra', now: world.nowIso, hash: '', lastPosition: 0,
    balances: [...balances].map(([account, balance]) => ({
      account, balance, commodity: /^(user:|frozen:|issued|spent|revoked)/.test(account) ? 'credits' : 'usd',
    })),
  } as const; // prettier-ignore
  const decided = decidePeriod(command, openPeriod);
  const refused = decided.accepted ? undefined : decided.rejection.code;
  if (!world.agree(refused, lasts ? 'PeriodNotOver' : undefined)) return;
  months.push({ end, balances, position: company.log.length });
}

/** Of all lines before a moment. */
export function balancesUntil(world: World, end: number): Map<string, number> {
  const balances = new Map<string, number>();
  for (const { at, entry } of world.company.log)
    if (at < end)
      for (const { account, delta } of entry?.postings ?? [])
        balances.set(account, (balances.get(account) ?? 0) + delta);
  return balances;
}
