import { Backfill, BACKFILLED, type Backfilled } from '../application/ledger/backfill.js';
import { AlertQueries } from '../application/ledger/queries.js';
import { SET_ASIDE } from '../application/alerts/set-aside.js';
import type { Print, Tools } from './tools.js';

export async function backfillStripe(
  { app }: Pick<Tools, 'app'>,
  { since, only }: { since: string; only?: Backfilled[] },
  print: Print,
): Promise<void> {
  const day = (at: Date): string => at.toISOString().slice(0, 10);
  const sums = new Map<Backfilled, { found: number; added: number }>();
  const kinds = only ?? BACKFILLED;
  const backfill = app.get(Backfill);
  const alerts = app.get(AlertQueries);
  const before = new Set(await alerts.lasting(SET_ASIDE));
  await backfill.run(new Date(since), kinds, ({ from, until, kind, found, added }) => {
    const sum = sums.get(kind) ?? { found: 0, added: 0 };
    sums.set(kind, { found: sum.found + found, added: sum.added + added });
    if (found > 0) print(`${day(from)} to ${day(until)}  ${kind}: ${added} new, ${found - added} known`);
  });
  for (const [kind, { found, added }] of sums)
    print(`${kind}: ${added} new, ${found - added} known or not ours`);
  const setAside = (await alerts.lasting(SET_ASIDE)).filter((key) => !before.has(key)).length;
  if (setAside > 0)
    print(`${setAside} contradict the books and were set aside; \`offcut finance alerts\` lists them`);
}
