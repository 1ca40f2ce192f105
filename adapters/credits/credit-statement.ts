import { Injectable } from '@nestjs/common';
import type { CreditBalance, CreditLinePage } from '../../application/credits/contract.js';
import { CreditStatementQueries } from '../../application/credits/queries.js';
import { decodeCursor, pageOf } from '../platform/database/cursor.js';
import { Database } from '../platform/database/database.js';

@Injectable()
export class PostgresCreditStatementQueries implements CreditStatementQueries {
  constructor(private readonly database: Database) {}

  /** Raw SQL: it makes JSON of the lots, joined with their grants. */
  async balance(userId: string): Promise<CreditBalance> {
    const found = await this.database.pool.query({
      name: 'credit-balance',
      text: `select a.balance,
                    coalesce((select json_agg(json_build_object(
                        'id', lot->>'lotId', 'source', g.reason, 'creditsGranted', (lot->>'credits')::int,
                        'creditsLeft', (lot->>'credits')::int - (lot->>'spentCredits')::int,
                        'valueMicroUsd', (lot->>'valueMicroUsd')::bigint, 'grantedAt', lot->>'grantedAt', 'frozen', lot ? 'disputedBy') order by n)
                      from jsonb_array_elements(a.lots) with ordinality as l(lot, n)
                      join credit_grant g on g.lot_id = lot->>'lotId'), '[]') as lots
               from credit_account a where a.user_id = $1`,
      values: [userId],
    });
    return (found.rows[0] as CreditBalance | undefined) ?? { balance: 0, lots: [] };
  }

  async lines(userId: string, page: { limit: number; cursor?: string }): Promise<CreditLinePage> {
    const [before] = decodeCursor(page.cursor, ['integer']) ?? [];
    const rows = await this.database.db
      .selectFrom('credit_line')
      .select(['position', 'reason', 'delta', 'balance_after as balanceAfter', 'created_at as createdAt'])
      .where('user_id', '=', userId)
      .$if(before !== undefined, (lines) => lines.where('position', '<', before as number))
      .orderBy('position', 'desc')
      .limit(page.limit + 1)
      .execute();
    const { shown, nextCursor } = pageOf(rows, page.limit, (last) => [last.position]);
    return {
      items: shown.map(({ position, createdAt, ...line }) => ({
        id: String(position),
        ...line,
        createdAt: createdAt.toISOString(),
      })),
      nextCursor,
    };
  }
}
