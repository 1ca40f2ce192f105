/** Raw SQL: lots with their unspent value. */
import {
  BREAKAGE_LOTS,
  BREAKAGE_MONTHS,
  MARGIN_PLANS,
  type Breakage,
  type BreakageReport,
} from '../../../application/ledger/reports/margin-contract.js';
import type { Database } from '../../platform/database/database.js';
import { DEFERRED, LOT_OF_ACCOUNT, LOTS_BY_PLAN } from './lots-by-plan.js';

const BPS = 10_000n;

/** Estimates the paid credits that will never be spent, from older lots. */
export async function breakageOf(database: Database, asOf: Date): Promise<BreakageReport> {
  const { rows } = await database.long.query({
    name: 'breakage',
    // Returned credits count with the plan and date of their original lot, but their grant does not count again.
    text: `
      with ${LOTS_BY_PLAN},
      rest as (
        select ${LOT_OF_ACCOUNT} as lot_id, -sum(delta)::bigint as worth from journal_line
         where ${DEFERRED} and at <= $1 group by 1)
      select plan, count(*) filter (where old and invoice_id is not null)::int as lots,
             coalesce(sum(lot.worth) filter (where old and invoice_id is not null), 0)::bigint as granted,
             coalesce(sum(rest.worth) filter (where old), 0)::bigint as unspent,
             coalesce(sum(lot.worth) filter (where not old and invoice_id is not null), 0)::bigint as "grantedLater",
             coalesce(sum(rest.worth), 0)::bigint as deferred
        from (select *, granted_at <= $1::timestamptz - interval '${BREAKAGE_MONTHS} months' as old from lot) as lot
        join rest using (lot_id) where plan <> 'given' group by plan`,
    values: [asOf],
  });
  const order = ({ plan }: Breakage) => MARGIN_PLANS.indexOf(plan);
  return {
    asOf: asOf.toISOString(),
    items: (rows as Sums[]).map(estimated).toSorted((a, b) => order(a) - order(b)),
  };
}

interface Sums {
  plan: Breakage['plan'];
  lots: number;
  granted: number;
  unspent: number;
  grantedLater: number;
  deferred: number;
}

/** Old lots stay as they are. Later lots keep the same unspent share, but at most their present value. */
export function estimated({ plan, lots, granted, unspent, grantedLater, deferred }: Sums): Breakage {
  const known = lots >= BREAKAGE_LOTS && granted > 0;
  const shareBps = known ? Number((BigInt(unspent) * BPS) / BigInt(granted)) : null;
  const later = known ? Number((BigInt(grantedLater) * BigInt(unspent)) / BigInt(granted)) : 0;
  return {
    plan,
    lots,
    grantedMicroUsd: granted,
    unspentMicroUsd: unspent,
    shareBps,
    deferredMicroUsd: deferred,
    estimateMicroUsd: known ? unspent + Math.min(deferred - unspent, later) : null,
  };
}
