/** Raw SQL: the state of a gift is in the JSON of its account and its events. */
import { Gifts, type GiftOrder, type SoldGift } from '../../application/subscriptions/gifts.js';
import { soldName } from '../../domain/subscriptions/products.js';
import { DatabaseAdapter } from '../platform/database/database.js';

/** The list of a payer has no pages, so this limits its length. */
const MOST = 200;

interface Row {
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
  select g.gift_id as id, g.product, g.quantity, g.email, e.data->>'grantedAt' as bought,
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

  async paidBy(userId: string): Promise<SoldGift[]> {
    const { rows } = await this.database.pool.query(
      `${PAID} where g.user_id = $1 order by e.position desc limit ${MOST}`,
      [userId],
    );
    return (rows as Row[]).map(giftFrom);
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
