import { Injectable } from '@nestjs/common';
import type { CreditBalance, CreditLinePage } from '../../application/credits/contract.js';
import { CreditStatement } from '../../application/purchases/readers.js';
import { decodeCursor, encodeCursor } from '../platform/database/cursor.js';
import { Database } from '../platform/database/database.js';

/** Raw SQL: its statements are named, so that a connection plans each once. */
@Injectable()
export class PostgresCreditStatement extends CreditStatement {
  constructor(private readonly database: Database) {
    super();
  }

  override async balance(userId: string): Promise<CreditBalance> {
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

  override async lines(userId: string, page: { limit: number; cursor?: string }): Promise<CreditLinePage> {
    const [before] = decodeCursor(page.cursor, ['integer']) ?? [null];
    const found = await this.database.pool.query({
      name: 'credit-lines',
      text: `select position::text as id, reason, delta, balance_after as "balanceAfter", created_at as "createdAt"
               from credit_line where user_id = $1 and ($2::bigint is null or position < $2)
              order by position desc limit $3`,
      values: [userId, before, page.limit + 1],
    });
    const items = (
      found.rows as (Omit<CreditLinePage['items'][number], 'createdAt'> & { createdAt: Date })[]
    ).map((row) => ({
      ...row,
      createdAt: row.createdAt.toISOString(),
    }));
    const shown = items.slice(0, page.limit);
    const last = shown.at(-1);
    return {
      items: shown,
      nextCursor: items.length > page.limit && last ? encodeCursor([Number(last.id)]) : null,
    };
  }
}
