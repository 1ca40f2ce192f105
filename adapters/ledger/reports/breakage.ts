/** Raw SQL: lots with what is left of each. */
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

/** What is paid for and will never be spent, as far as older lots tell. */
export async function breakageOf(database: Database, asOf: Date): Promise<BreakageReport> {
  const { rows } = await database.long.query({
    name: 'breakage',
    // What came back stands beside the lot that it came from, with its plan and its date, and was granted once.
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

/** Older lots stay as they are; of later ones as much as of those is left, and no more than there is. */
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
