/** Raw SQL: the queries compute on the JSON of events. */
import { InvoiceLots, type LotOfInvoice } from '../../application/payments/invoice-lots.js';
import type { ShareInHold } from '../../domain/credits/invoice-lot.js';
import { DatabaseAdapter } from '../platform/database/database.js';
import { sharesIn } from '../platform/database/shares.js';

/**
 * SQL columns of a granted lot. The lot of a gift belongs to the account that `GiftGiven` names, if there is such an
 * event.
 */
const LOT = `coalesce((select g.data->>'to' from readable_event g
                       where g.stream = e.stream and g.type = 'GiftGiven' and g.data->>'lotId' = e.data->>'lotId'), e.data->>'userId') as "userId",
  coalesce(e.data->'gift'->>'payerId', e.data->>'userId') as "payerId", e.data->'gift'->>'giftId' as "giftId", e.data->>'lotId' as "lotId", e.data->'invoice'->>'invoiceId' as "invoiceId",
  e.data->'invoice'->>'product' as product`;

export class PostgresInvoiceLots extends DatabaseAdapter implements InvoiceLots {
  async find(of: { invoiceId: string } | { lotId: string }): Promise<LotOfInvoice[]> {
    const { rows } = await ('lotId' in of
      ? this.database.pool.query(
          `select ${LOT} from credit_grant g join readable_event e on e.position = g.position
            where g.lot_id = $1 and e.data->'invoice' is not null`,
          [of.lotId],
        )
      : this.database.pool.query(
          `select ${LOT} from stripe_invoice i join readable_event e on e.stream = 'credits-' || coalesce('gift-' || i.gift_id, i.user_id)
            where i.invoice_id = $1 and e.type = 'CreditsGranted' and e.data->'invoice'->>'invoiceId' = $1
            order by e.position`,
          [of.invoiceId],
        ));
    return rows as LotOfInvoice[];
  }

  async sharesSoldAfter({ userId, lotId }: LotOfInvoice, soldAfter: Date): Promise<ShareInHold[]> {
    // Selects the streams `purchase-{buyer}.{sample}` as a range, which uses the index. '/' is the byte after '.'.
    const { rows } = await this.database.pool.query(
      `with lots as (
         select $2 as lot_id
         union
         select data->>'lotId' from readable_event
          where stream = 'credits-' || $1 and type = 'CreditsGranted'
            and $2 in (data->'returned'->>'lotId', data->'adjustment'->>'paidLotId')
       ), spent as (
         select data->>'purchaseId' as purchase_id,
                sum((segment->>'valueMicroUsd')::bigint) filter (where segment->>'lotId' in (select lot_id from lots)) as paid
           from readable_event, json_array_elements(data->'segments') segment
          where stream = 'credits-' || $1 and type = 'CreditsSpent' group by 1
       )
       select $2 as "lotId", p.data->>'purchaseId' as "purchaseId", share->>'creatorId' as "creatorId", p.data->>'sampleId' as "sampleId",
              floor((share->>'shareMicroUsd')::numeric * spent.paid / (p.data->>'valueMicroUsd')::numeric)::bigint as "shareMicroUsd"
         from readable_event p join spent on spent.purchase_id = p.data->>'purchaseId'
        cross join lateral json_array_elements(${sharesIn('p.data')}) share
        where p.stream > 'purchase-' || $1 || '.' and p.stream < 'purchase-' || $1 || '/' and p.type = 'SamplePurchased'
          and p.recorded_at > $3 and spent.paid > 0
          and not exists (select 1 from readable_event r where r.stream = p.stream and r.type = 'PurchaseReturned'
                                                  and r.data->>'purchaseId' = p.data->>'purchaseId')
          and not exists (select 1 from readable_event t where t.stream = 'credits-' || $1 and t.type = 'ShareTakenBack'
                                                  and t.data->>'lotId' = $2 and t.data->>'purchaseId' = p.data->>'purchaseId')
        order by p.position, share->>'creatorId'`,
      [userId, lotId, soldAfter],
    );
    return (rows as ShareInHold[]).filter(({ shareMicroUsd }) => shareMicroUsd > 0);
  }
}
