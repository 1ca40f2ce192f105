import { sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import { soldName } from '../../domain/subscriptions/products.js';
import { ContractQueries, withdrawUntil } from '../../application/subscriptions/contracts.js';
import type { Contract } from '../../application/subscriptions/contract.js';
import { DatabaseAdapter } from '../platform/database/database.js';

const SOLD = sql`g.data->'invoice'`;

export class PostgresContractQueries extends DatabaseAdapter implements ContractQueries {
  async paidSince(userId: string, since: Date): Promise<Contract[]> {
    const rows = await this.database.db
      .selectFrom('stripe_invoice as i')
      .leftJoin('readable_event as w', (join) =>
        join
          .on('w.stream', '=', sql<string>`'contract-' || i.invoice_id`)
          .on('w.type', '=', 'ContractWithdrawn'),
      )
      .select([
        'i.invoice_id as orderNumber',
        'i.paid_at as paidAt',
        'i.gift_id as giftId',
        'w.data as withdrawn',
      ])
      .select(({ selectFrom }) =>
        jsonArrayFrom(
          selectFrom('readable_event as g')
            .select(sql<string | null>`coalesce(${SOLD}->>'product', ${SOLD}->>'plan')`.as('id'))
            .where('g.stream', '=', sql<string>`'credits-' || coalesce('gift-' || i.gift_id, i.user_id)`)
            .where('g.type', '=', 'CreditsGranted')
            .where(sql`${SOLD}->>'invoiceId'`, '=', sql.ref('i.invoice_id'))
            .orderBy('g.position'),
        ).as('lines'),
      )
      .where('i.user_id', '=', userId)
      .where('i.sells_plan', '=', true)
      .where('i.paid_at', '>=', since)
      .orderBy('i.paid_at', 'desc')
      .orderBy('i.settled_at', 'desc')
      .execute();
    return rows.map(({ orderNumber, paidAt, giftId, withdrawn, lines }) => ({
      orderNumber,
      sold: lines.flatMap(({ id }) => soldName(id, 1, giftId !== null) ?? []),
      paidAt: paidAt.toISOString(),
      withdrawUntil: withdrawUntil(paidAt.toISOString()),
      withdrawnAt: withdrawn ? String((withdrawn as { at: string }).at) : null,
    }));
  }

  async paidAt(invoiceId: string): Promise<string | undefined> {
    const row = await this.database.db
      .selectFrom('stripe_invoice')
      .select('paid_at')
      .where('invoice_id', '=', invoiceId)
      .executeTakeFirst();
    return row?.paid_at.toISOString();
  }
}
