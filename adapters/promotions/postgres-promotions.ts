/** Raw SQL: one query computes the state of each code, and one compares a pack with what a person owns. */
import type { PromotionCode, RedeemedPromotion } from '../../application/promotions/contract.js';
import { PromotionQueries } from '../../application/promotions/queries.js';
import { withIsoTimes, type Dated } from '../../application/shared/iso-times.js';
import { samplesGiven, type PromotionEvent } from '../../domain/promotions/promotion-code.js';
import type { SampleOnOffer } from '../../domain/purchases/purchase.js';
import { decodeCursor, pageOf } from '../platform/database/cursor.js';
import { DatabaseAdapter, prepared, type Queries } from '../platform/database/database.js';
import { oneByOne } from '../platform/projections/one-by-one.js';
import type { InlineProjection, Projected } from '../platform/projections/projection.js';

export const promotionCodes: InlineProjection<PromotionEvent> = {
  name: 'promotion-codes',
  version: 1,
  lifecycle: 'inline', // The creator sees the use of a code at once.
  types: ['PromotionCodeCreated', 'PromotionCodeRedeemed', 'PromotionCodeEnded'],
  tables: ['promotion_code'],
  ...oneByOne(applyOne),
};

async function applyOne({ type, data, version }: Projected<PromotionEvent>, db: Queries): Promise<void> {
  const { code, at } = data;
  if (type === 'PromotionCodeCreated') {
    const { creatorId, packId, sampleIds = null, limit, from = null, until = null } = data;
    await db
      .insertInto('promotion_code')
      .values({
        code,
        creator_id: creatorId,
        pack_id: packId,
        sample_ids: sampleIds && [...sampleIds],
        most_people: limit,
        used: 0,
        samples_given: 0,
        valid_from: from,
        valid_until: until,
        created_at: at,
        version,
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    return;
  }
  await db
    .updateTable('promotion_code')
    .set(({ eb }) => ({
      version,
      ...(type === 'PromotionCodeEnded'
        ? { ended_at: at }
        : {
            used: eb('used', '+', 1),
            samples_given: eb('samples_given', '+', samplesGiven(data)),
            last_used_at: at,
          }),
    }))
    .where('code', '=', code)
    .where('version', '<', version)
    .execute();
}

/** `$1` is the present time. */
const CODE = `
  select c.code, c.pack_id as "packId", p.title as "packTitle", c.sample_ids as "sampleIds", c.most_people as "limit",
         c.used, c.samples_given as "samplesGiven", c.valid_from as "from", c.valid_until as until,
         case when c.ended_at is not null then 'ended' when c.used >= c.most_people then 'used-up'
              when c.valid_until <= $1 then 'expired' when c.valid_from > $1 then 'scheduled' else 'running' end as status,
         c.created_at as "createdAt", c.last_used_at as "lastUsedAt"
    from promotion_code c join pack p using (pack_id)`;

export class PostgresPromotions extends DatabaseAdapter implements PromotionQueries {
  async list(creatorId: string, query: { limit: number; cursor?: string; packId?: string }, now: Date) {
    const [at, code] = decodeCursor(query.cursor, ['time', 'text']) ?? [null, null];
    const { rows } = await this.database.pool.query<Dated<PromotionCode>>(
      prepared(
        'promotion-codes',
        `${CODE} where c.creator_id = $2 and ($3::text is null or c.pack_id = $3)
            and ($4::timestamptz is null or (c.created_at, c.code) < ($4, $5))
          order by c.created_at desc, c.code desc limit $6`,
        [now, creatorId, query.packId ?? null, at, code, query.limit + 1],
      ),
    );
    const { shown, nextCursor } = pageOf(rows.map(withIsoTimes), query.limit, (last) => [
      last.createdAt,
      last.code,
    ]);
    return { items: shown, nextCursor };
  }

  async find(code: string, now: Date): Promise<PromotionCode | undefined> {
    const { rows } = await this.database.pool.query<Dated<PromotionCode>>(
      prepared('promotion-code', `${CODE} where c.code = $2`, [now, code]),
    );
    return rows[0] && withIsoTimes(rows[0]);
  }

  async offers(packId: string, buyerId: string): Promise<(SampleOnOffer & { owned: boolean })[]> {
    const { rows } = await this.database.pool.query<SampleOnOffer & { owned: boolean }>(
      prepared(
        'promotion-offers',
        `select s.sample_id as "sampleId", s.pack_id as "packId", s.creator_id as "creatorId", s.price_credits as "priceCredits",
                s.audio_version as "audioVersion", s.original_sha256 as "fileSha256", s.available, s.taken_down as "takenDown",
                exists (select from owned_sample o where o.buyer_id = $2 and o.sample_id = s.sample_id and o.returned_at is null) as owned
           from sample s where s.pack_id = $1 and s.available and not s.taken_down order by s.ordinal, s.sample_id`,
        [packId, buyerId],
      ),
    );
    return rows;
  }

  async redeemed(code: string, buyerId: string, packId: string): Promise<RedeemedPromotion> {
    const { rows } = await this.database.pool.query<{
      title: string;
      slug: string;
      creator: string;
      handle: string;
      received: RedeemedPromotion['received'];
    }>(
      prepared(
        'promotion-redeemed',
        `select p.title, p.slug, coalesce(u.display_name, 'Former creator') as creator, coalesce(h.handle, '') as handle,
                coalesce((select json_agg(json_build_object('sampleId', o.sample_id, 'title', coalesce(s.title, o.sample_id),
                                                            'certificateId', e.data->>'certificateId') order by s.ordinal, o.sample_id)
                            from owned_sample o left join sample s using (sample_id)
                            join readable_event e on e.stream = 'purchase-' || o.buyer_id || '.' || o.sample_id
                                                 and e.type = 'SamplePurchased' and e.data->>'promotion' = $2
                           where o.buyer_id = $3 and o.pack_id = p.pack_id), '[]') as received
           from pack p left join user_account u on u.user_id = p.creator_id
           left join creator_profile h on h.user_id = p.creator_id where p.pack_id = $1`,
        [packId, code, buyerId],
      ),
    );
    const { received, ...pack } = rows[0] ?? { title: '', slug: '', creator: '', handle: '', received: [] };
    return { code, pack: { id: packId, ...pack }, received };
  }
}
