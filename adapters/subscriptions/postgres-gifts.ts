/** Raw SQL: the state of a gift is in the JSON of its account and its events. */
import { Gifts, type GiftOrder, type SoldGift } from '../../application/subscriptions/gifts.js';
import { soldName } from '../../domain/subscriptions/products.js';
import { decodeCursor, pageOf } from '../platform/database/cursor.js';
import { DatabaseAdapter } from '../platform/database/database.js';

interface Row {
  position: number;
  id: string;
  product: string;
  quantity: number;
  email: string | null;
  credits: number;
  bought: string;
  expires: string;
  why: 'redeemed' | 'expired' | null;
  ended: Date | null;
  lots: { disputedBy?: string[] }[] | null;
}

const PAID = `
  select e.position, g.gift_id as id, g.product, g.quantity, g.email, e.data->>'grantedAt' as bought,
         -- A refund of a part leaves fewer than were granted.
         coalesce((given.data->>'credits')::int,
                  (select sum((lot->>'credits')::int - (lot->>'spentCredits')::int)::int from jsonb_array_elements(a.lots) lot
                    where lot->>'lotId' = e.data->>'lotId'), (e.data->>'credits')::int) as credits,
         e.data->'gift'->>'expiresAt' as expires, given.data->>'why' as why, given.recorded_at as ended, a.lots
    from gift g
    join readable_event e on e.stream = 'credits-gift-' || g.gift_id and e.type = 'CreditsGranted'
    left join readable_event given on given.stream = e.stream and given.type = 'GiftGiven' and given.data->>'lotId' = e.data->>'lotId'
    left join credit_account a on a.user_id = 'gift-' || g.gift_id`;

export class PostgresGifts extends DatabaseAdapter implements Gifts {
  async order({ giftId, userId, product, quantity, email, codeHash, validDays }: GiftOrder, now: Date) {
    await this.database.db
      .insertInto('gift')
      .values({
        gift_id: giftId,
        user_id: userId,
        product,
        quantity,
        email,
        code_hash: codeHash,
        valid_days: validDays,
        created_at: now,
      })
      .onConflict((conflict) => conflict.column('gift_id').doNothing())
      .execute();
  }

  async idOf(codeHash: string): Promise<string | undefined> {
    const row = await this.database.db
      .selectFrom('gift')
      .select('gift_id')
      .where('code_hash', '=', codeHash)
      .executeTakeFirst();
    return row?.gift_id;
  }

  async paidBy(userId: string, { limit, cursor }: { limit: number; cursor?: string }) {
    const [before] = decodeCursor(cursor, ['integer']) ?? [null];
    const { rows } = await this.database.pool.query<Row>(
      `${PAID} where g.user_id = $1 and ($2::bigint is null or e.position < $2) order by e.position desc limit $3`,
      [userId, before, limit + 1],
    );
    const { shown, nextCursor } = pageOf(rows, limit, (last) => [last.position]);
    return { items: shown.map(giftFrom), nextCursor };
  }

  async find(giftId: string): Promise<SoldGift | undefined> {
    const { rows } = await this.database.pool.query(`${PAID} where g.gift_id = $1 order by e.position`, [
      giftId,
    ]);
    return (rows as Row[]).map(giftFrom)[0];
  }

  async expired(now: Date, limit: number): Promise<{ giftId: string; payerId: string }[]> {
    const { rows } = await this.database.pool.query(
      `select distinct g.gift_id as "giftId", g.user_id as "payerId" from gift g
         join credit_account a on a.user_id = 'gift-' || g.gift_id and a.balance > 0
         join user_account u on u.user_id = g.user_id and u.erased_at is null
         join readable_event e on e.stream = 'credits-gift-' || g.gift_id and e.type = 'CreditsGranted'
        where (e.data->'gift'->>'expiresAt')::timestamptz <= $1 limit $2`,
      [now, limit],
    );
    return rows as { giftId: string; payerId: string }[];
  }

  async forgetReceivers(orderedBefore: Date): Promise<void> {
    await this.database.pool.query(
      `update gift g set email = null where g.email is not null and g.created_at < $1
          and (not exists (select from credit_account a where a.user_id = 'gift-' || g.gift_id and a.lots <> '[]')
               or exists (select from user_account u where u.user_id = g.user_id and u.erased_at is not null))`,
      [orderedBefore],
    );
  }
}

function giftFrom({
  id,
  product,
  quantity,
  email,
  credits,
  bought,
  expires,
  why,
  ended,
  lots,
}: Row): SoldGift {
  const left = lots ?? [];
  const unended =
    left.length === 0 ? 'withdrawn' : left.some(({ disputedBy }) => disputedBy) ? 'frozen' : 'open';
  return {
    id,
    name: soldName(product, quantity, true) ?? 'Gift',
    credits,
    email,
    state: why ?? unended,
    boughtAt: bought,
    expiresAt: expires,
    endedAt: ended?.toISOString() ?? null,
  };
}
