/** Raw SQL: one query finds a person by handle or address, and one joins names and titles. */
import type { Split } from '../../application/payouts/contract.js';
import { SplitQueries } from '../../application/payouts/queries.js';
import { withIsoTimes, type Dated } from '../../application/shared/iso-times.js';
import type { SplitEvent, SplitStatus } from '../../domain/payouts/split.js';
import { foldHandle } from '../../domain/profiles/handle.js';
import { decodeCursor, pageOf } from '../platform/database/cursor.js';
import { DatabaseAdapter, prepared, type Queries } from '../platform/database/database.js';
import { oneByOne } from '../platform/projections/one-by-one.js';
import type { InlineProjection, Projected } from '../platform/projections/projection.js';

const STATUS_AFTER: Record<SplitEvent['type'], SplitStatus> = {
  SplitProposed: 'proposed',
  SplitAccepted: 'accepted',
  SplitDeclined: 'declined',
  SplitEnded: 'ended',
};

export const splits: InlineProjection<SplitEvent> = {
  name: 'splits',
  version: 1,
  lifecycle: 'inline', // A purchase after the acceptance must be divided.
  types: Object.keys(STATUS_AFTER) as SplitEvent['type'][],
  tables: ['split', 'shared_pack'],
  ...oneByOne(applyOne),
};

async function applyOne({ type, data, version }: Projected<SplitEvent>, db: Queries): Promise<void> {
  const { splitId, packId, ownerId, creatorId, bps, at } = data;
  const changed = { status: STATUS_AFTER[type], version, changed_at: at };
  await db
    .insertInto('split')
    .values({
      split_id: splitId,
      pack_id: packId,
      owner_id: ownerId,
      creator_id: creatorId,
      bps,
      proposed_at: at,
      ...changed,
    })
    .onConflict((conflict) =>
      conflict.column('split_id').doUpdateSet(changed).where('split.version', '<', version),
    )
    .execute();
  if (!('parts' in data)) return;
  const divided = { parts: JSON.stringify(data.parts), version };
  await db
    .insertInto('shared_pack')
    .values({ pack_id: packId, ...divided })
    .onConflict((conflict) =>
      conflict.column('pack_id').doUpdateSet(divided).where('shared_pack.version', '<', version),
    )
    .execute();
}

const person = (id: string): string => `
  (select json_build_object('id', ${id}, 'handle', max(h.handle),
                            'displayName', coalesce(max(u.display_name), 'Former member'))
     from user_account u left join creator_profile h using (user_id)
    where u.user_id = ${id} and u.erased_at is null)`;

const SPLIT = `
  select s.split_id as id, s.pack_id as "packId", p.title as "packTitle", p.slug as "packSlug", s.bps, s.status,
         ${person('s.owner_id')} as owner, ${person('s.creator_id')} as collaborator,
         s.proposed_at as "proposedAt", s.changed_at as "changedAt"
    from split s join pack p using (pack_id)`;

export class PostgresSplits extends DatabaseAdapter implements SplitQueries {
  async list(userId: string, query: { limit: number; cursor?: string; packId?: string }) {
    const [at, id] = decodeCursor(query.cursor, ['time', 'text']) ?? [null, null];
    const { rows } = await this.database.pool.query<Dated<Split>>(
      prepared(
        'splits-of-creator',
        `${SPLIT} where $1 in (s.owner_id, s.creator_id) and ($2::text is null or s.pack_id = $2)
            and ($3::timestamptz is null or (s.proposed_at, s.split_id) < ($3, $4))
          order by s.proposed_at desc, s.split_id desc limit $5`,
        [userId, query.packId ?? null, at, id, query.limit + 1],
      ),
    );
    const { shown, nextCursor } = pageOf(rows.map(withIsoTimes), query.limit, (last) => [
      last.proposedAt,
      last.id,
    ]);
    return { items: shown, nextCursor };
  }

  async find(splitId: string): Promise<Split | undefined> {
    const { rows } = await this.database.pool.query<Dated<Split>>(
      prepared('split', `${SPLIT} where s.split_id = $1`, [splitId]),
    );
    return rows[0] && withIsoTimes(rows[0]);
  }

  async creatorNamed(handleOrEmail: string): Promise<string | undefined> {
    const { rows } = await this.database.pool.query<{ userId: string }>(
      prepared(
        'creator-named',
        `select u.user_id as "userId" from user_account u
           join creator_standing c on c.user_id = u.user_id and c.status = 'approved'
           left join creator_profile h on h.user_id = u.user_id
          where u.erased_at is null
            and (lower(h.handle) = $1 or lower(u.email) = lower($2) and u.email_verified_at is not null)
          limit 1`,
        [foldHandle(handleOrEmail.replace(/^@/, '')), handleOrEmail],
      ),
    );
    return rows[0]?.userId;
  }
}
