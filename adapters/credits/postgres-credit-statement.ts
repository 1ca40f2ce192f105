import type { CreditBalance, CreditLinePage } from '../../application/credits/contract.js';
import { CreditStatementQueries } from '../../application/credits/queries.js';
import { sql } from 'kysely';
import { decodeCursor, pageOf } from '../platform/database/cursor.js';
import { DatabaseAdapter } from '../platform/database/database.js';

export class PostgresCreditStatementQueries extends DatabaseAdapter implements CreditStatementQueries {
  /** Raw SQL: the query builds JSON from the lots and their grants. */
  async balance(userId: string): Promise<CreditBalance> {
    const found = await this.database.pool.query({
      name: 'credit-balance',
      text: `select a.balance,
                    coalesce((select json_agg(json_build_object(
                        'id', lot->>'lotId', 'source', case when g.user_id = a.user_id then g.reason else 'gift' end, 'creditsGranted', (lot->>'credits')::int,
                        'creditsLeft', (lot->>'credits')::int - (lot->>'spentCredits')::int,
                        'valueMicroUsd', (lot->>'valueMicroUsd')::bigint, 'grantedAt', lot->>'grantedAt', 'frozen', lot ? 'disputedBy') order by n)
                      from jsonb_array_elements(a.lots) with ordinality as l(lot, n)
                      join credit_grant g on g.lot_id = lot->>'lotId'), '[]') as lots
               from credit_account a where a.user_id = $1`,
      values: [userId],
    });
    return (found.rows[0] as CreditBalance | undefined) ?? { balance: 0, lots: [] };
  }

  async isConsentDue(userId: string, since: Date): Promise<boolean> {
    const row = await this.database.db
      .selectFrom('stripe_invoice as i')
      .select('i.invoice_id')
      .where('i.user_id', '=', userId)
      .where('i.sells_plan', '=', true)
      .where('i.paid_at', '>=', since)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('readable_event as c')
              .select('c.position')
              .where('c.stream', '=', `withdrawal-consent-${userId}`)
              .where(sql<boolean>`(c.data->'invoiceIds')::jsonb ? i.invoice_id`),
          ),
        ),
      )
      .limit(1)
      .executeTakeFirst();
    return row !== undefined;
  }

  async lines(userId: string, page: { limit: number; cursor?: string }): Promise<CreditLinePage> {
    const [before] = decodeCursor(page.cursor, ['integer']) ?? [];
    const rows = await this.database.db
      .selectFrom('credit_line as line')
      .leftJoin('event as spent', (join) =>
        join.onRef('spent.position', '=', 'line.position').on('line.reason', '=', 'download'),
      )
      .select(['line.position', 'line.reason', 'line.delta', 'line.balance_after as balanceAfter'])
      .select(['line.created_at as createdAt', 'spent.data as spent'])
      .where('line.user_id', '=', userId)
      .$if(before !== undefined, (lines) => lines.where('line.position', '<', before as number))
      .orderBy('line.position', 'desc')
      .limit(page.limit + 1)
      .execute();
    const { shown, nextCursor } = pageOf(rows, page.limit, (last) => [last.position]);
    const purchaseIds = shown.flatMap(({ spent }) => (spent ? [String(spent.purchaseId)] : []));
    const bought = await this.samplesOf(userId, purchaseIds);
    return {
      items: shown.map(({ position, createdAt, spent, ...line }) => ({
        id: String(position),
        ...line,
        createdAt: createdAt.toISOString(),
        sample: bought.get(String(spent?.purchaseId)) ?? null,
      })),
      nextCursor,
    };
  }

  private async samplesOf(buyerId: string, purchaseIds: readonly string[]) {
    if (purchaseIds.length === 0) return new Map();
    const rows = await this.database.db
      .selectFrom('owned_sample as owned')
      .innerJoin('sample', 'sample.sample_id', 'owned.sample_id')
      .innerJoin('pack', 'pack.pack_id', 'owned.pack_id')
      .select(['owned.purchase_id as purchaseId', 'owned.sample_id as id', 'sample.title'])
      .select(['owned.pack_id as packId', 'pack.title as pack', 'pack.genre', 'pack.cover_key as coverKey'])
      .where('owned.buyer_id', '=', buyerId)
      .where('owned.purchase_id', 'in', purchaseIds)
      .execute();
    return new Map(
      rows.map(({ purchaseId, coverKey, ...sample }) => [
        purchaseId,
        { ...sample, artworkUrl: coverKey === null ? null : `/${coverKey}` },
      ]),
    );
  }
}
