/** Raw SQL: reads fields from the JSON of the events that granted lots. */
import { PLANS } from '../../../domain/subscriptions/plans.js';
import { PRODUCT_IDS } from '../../../domain/subscriptions/products.js';
import { quoted } from '../proof/check-terms.js';

/** Older invoices name no plan. Their number of credits identifies the plan. */
const BY_CREDITS = PLANS.map(({ id, credits }) => `when ${credits} then '${id}'`).join(' ');

const PRODUCT = `coalesce(data->'invoice'->>'product', data->'invoice'->>'plan')`;

/** SQL for every lot with the product that was paid for. Returned credits have the product of their original lot. */
export const LOTS_BY_PLAN = `
  grant_of as (
    select data->>'lotId' as lot_id, data->'invoice'->>'invoiceId' as invoice_id, data->'returned'->>'lotId' as came_from,
           (data->'invoice'->>'grossMicroUsd')::bigint as gross, (data->>'valueMicroUsd')::bigint as worth,
           (data->>'grantedAt')::timestamptz as granted_at,
           case when ${PRODUCT} in (${quoted(PRODUCT_IDS)}) then ${PRODUCT}
                when data->'invoice' is not null then case (data->>'credits')::int ${BY_CREDITS} else 'none' end
                when data->'returned' is null then 'given' end as plan
      from readable_event where type = 'CreditsGranted'),
  lot as (
    select g.lot_id, g.invoice_id, g.gross, g.worth, g.granted_at, coalesce(g.plan, origin.plan, 'none') as plan
      from grant_of g left join grant_of origin on origin.lot_id = g.came_from)`;

/** SQL condition for the accounts that contain the value of lots: `deferred:` followed by the lot id. */
export const DEFERRED = `account >= 'deferred:' and account < 'deferred;'`;
export const LOT_OF_ACCOUNT = `substr(account, ${'deferred:'.length + 1})`;
