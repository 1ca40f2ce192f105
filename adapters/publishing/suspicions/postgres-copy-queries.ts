/** Raw SQL: one row has both recordings of a suspicion, with their packs, creators, sales and texts. */
import type * as z from 'zod';
import type {
  CopiesQuery,
  CopyCounts,
  CopyPage,
  CopySide,
  OwnCopies,
  OwnCopy,
  SuspectedCopy,
} from '../../../application/publishing/suspicions/contract.js';
import { CopyQueries, consequencesFor } from '../../../application/publishing/suspicions/queries.js';
import { releasedBefore } from '../../../domain/payouts/policy.js';
import { expiredBefore } from '../../../domain/publishing/strikes.js';
import { type Dated, withIsoTimes } from '../../../application/shared/iso-times.js';
import { decodeCursor, pageOf } from '../../platform/database/cursor.js';
import { DatabaseAdapter } from '../../platform/database/database.js';
import { uploadedAt } from './postgres-recordings.js';

const FORMER_MEMBER = 'Former member';
const PREVIEW_MS = 60_000;

const ITEM = `
  c.copy_id as id, c.found_by as by, c.tier, c.score, c.status, c.suspected_at as "suspectedAt",
  c.statement_kind is not null as "hasStatement",
  case when c.decided_by is not null then coalesce(d.display_name, '${FORMER_MEMBER}') end as "decidedBy",
  c.decided_at as "decidedAt", (select text from remark where remark_id = c.reason_remark_id) as reason`;
const DECIDER = 'left join user_account d on d.user_id = c.decided_by and d.erased_at is null';

/** SQL for the JSON of one recording of `suspected_copy c`. @param side the prefix of its columns */
const sideOf = (side: '' | 'like_'): string => `(
  select jsonb_build_object(
           'sampleId', s.sample_id, 'title', s.title, 'packId', p.pack_id, 'packTitle', p.title, 'packSlug', p.slug,
           'artworkUrl', '/' || p.cover_key, 'genre', p.genre, 'creatorId', s.creator_id,
           'creatorName', coalesce(u.display_name, '${FORMER_MEMBER}'),
           'creatorHandle', h.handle, 'creatorSince', k.applied_at,
           'strikes', (select count(*) from strike t where t.user_id = s.creator_id and t.at > $2),
           'place', case when s.audio_version <> c.${side}audio_version then 'replaced'
                         when s.taken_down then 'taken down'
                         when s.removed or p.status = 'deleted' then 'removed'
                         when s.standing = 'held' then 'held'
                         when s.standing = 'refused' then 'refused'
                         when p.status = 'published' then 'on sale' else p.status end,
           'uploadedAt', coalesce(${uploadedAt('s', `c.${side}audio_version`)}, s.created_at),
           'publishedAt', p.published_at,
           'licences', (select count(*) from owned_sample o where o.sample_id = s.sample_id and o.returned_at is null),
           'onHoldMicroUsd', (select coalesce(sum(e.share_micro_usd), 0) from earning e
                               where e.sample_id = s.sample_id and e.creator_id = s.creator_id and e.at > $3),
           'key', s.key, 'bpm', s.bpm, 'durationMs', least(s.duration_ms, ${PREVIEW_MS}),
           'previewUrl', '/' || s.preview_key, 'waveform', s.waveform_fine)
    from sample s join pack p using (pack_id)
         left join user_account u on u.user_id = s.creator_id and u.erased_at is null
         left join creator_profile h on h.user_id = s.creator_id and u.user_id is not null
         left join creator_standing k on k.user_id = s.creator_id
   where s.sample_id = c.${side}sample_id)`;

type Found = Dated<Omit<SuspectedCopy, 'newcomer' | 'original' | 'consequences' | 'creatorSince'>> & {
  newcomer: CopySide;
  original: CopySide;
  match: Pick<SuspectedCopy, 'frames' | 'stretch' | 'offsetMs' | 'speed' | 'pitchCents'>;
};

export class PostgresCopyQueries extends DatabaseAdapter implements CopyQueries {
  async list({ state, limit, cursor }: z.infer<typeof CopiesQuery>): Promise<CopyPage> {
    const isOpen = state === 'open';
    const [first, id] = decodeCursor(cursor, [isOpen ? 'integer' : 'time', 'text']) ?? [null, null];
    const order = isOpen ? 'c.score' : `date_trunc('milliseconds', c.decided_at)`;
    const { rows } = await this.database.pool.query<
      Dated<CopyPage['items'][number]> & { order: number | Date }
    >(
      `select ${ITEM}, s.title, '/' || p.cover_key as "artworkUrl", p.genre, l.title as "likeTitle", ${order} as "order"
         from suspected_copy c ${DECIDER}
              join sample s on s.sample_id = c.sample_id join pack p on p.pack_id = s.pack_id
              join sample l on l.sample_id = c.like_sample_id
        where (c.status = 'open') = $1
          and ($2::text is null or (${order}, c.copy_id) < ($2::${isOpen ? 'int' : 'timestamptz'}, $3::text))
        order by ${order} desc, c.copy_id desc limit $4`,
      [isOpen, first === null ? null : String(first), id, limit + 1],
    );
    const { shown, nextCursor } = pageOf(rows, limit, (last) => [
      last.order instanceof Date ? last.order.toISOString() : last.order,
      last.id,
    ]);
    return {
      items: shown.map(({ order: _, ...item }) => withIsoTimes(item)),
      nextCursor,
    };
  }

  async find(copyId: string, now: Date): Promise<SuspectedCopy | undefined> {
    const { rows } = await this.database.pool.query<Found>(
      `select ${ITEM}, c.match, ${sideOf('')} as newcomer, ${sideOf('like_')} as original,
              (select coalesce(jsonb_agg(t.title), '[]') from sample t
                where t.sample_id in (select a->>'sampleId' from jsonb_array_elements(c.also_like) a)) as "alsoLike",
              (select min(o.purchased_at) from owned_sample o
                where o.buyer_id = c.creator_id and o.sample_id = c.like_sample_id) as "licensedAt",
              case when c.statement_kind is not null then
                jsonb_build_object('kind', c.statement_kind, 'text', coalesce(
                  (select text from remark where remark_id = c.statement_remark_id), '')) end as statement,
              (select text from remark where remark_id = c.answer_remark_id) as answer
         from suspected_copy c ${DECIDER}
        where c.copy_id = $1`,
      [copyId, expiredBefore(now), releasedBefore(now)],
    );
    const [row] = rows;
    if (!row) return undefined;
    const { match, ...copy } = withIsoTimes(row);
    const [newcomer, original] = [sideIn(copy.newcomer), sideIn(copy.original)];
    return { ...copy, ...match, newcomer, original, consequences: consequencesFor(newcomer) };
  }

  async counts(now: Date): Promise<CopyCounts> {
    const month = now.toISOString().slice(0, 7);
    const { rows } = await this.database.pool.query<Omit<CopyCounts, 'month'>>(
      `select count(*) filter (where status = 'open')::int as waiting,
              count(*) filter (where status = 'allowed' and decided_at >= $1)::int as allowed,
              count(*) filter (where status = 'refused' and decided_at >= $1)::int as refused,
              count(*) filter (where status = 'taken down' and decided_at >= $1)::int as "takenDown"
         from suspected_copy where status = 'open' or decided_at >= $1`,
      [`${month}-01T00:00:00Z`],
    );
    const [counted] = rows;
    return { month, ...(counted ?? { waiting: 0, allowed: 0, refused: 0, takenDown: 0 }) };
  }

  async own(creatorId: string): Promise<OwnCopies> {
    const { rows } = await this.database.pool.query<Dated<OwnCopy>>(
      `select c.copy_id as id, q.side, c.status, c.is_held and c.status = 'open' as "isHeld",
              c.suspected_at as "suspectedAt", c.decided_at as "decidedAt",
              jsonb_build_object('id', m.sample_id, 'title', m.title, 'packId', p.pack_id, 'packTitle', p.title) as sample,
              case when o.available and u.user_id is not null then
                jsonb_build_object('title', o.title, 'packTitle', r.title, 'packSlug', r.slug,
                                   'creatorHandle', h.handle, 'creatorName', u.display_name) end as other,
              (select text from remark where remark_id =
                case q.side when 'newcomer' then c.statement_remark_id else c.answer_remark_id end) as said,
              case when q.side = 'newcomer' and c.status <> 'swapped' then
                (select text from remark where remark_id = c.reason_remark_id) end as reason
         from (select copy_id, 'newcomer' as side, sample_id as mine, like_sample_id as others
                 from suspected_copy where creator_id = $1
               union all
               -- The creator of a sound that a copy resembles learns of it once the copy is held, refused or taken down.
               select copy_id, 'original', like_sample_id, sample_id from suspected_copy
                where like_creator_id = $1 and (is_held or status in ('refused', 'taken down'))) q
              join suspected_copy c using (copy_id)
              join sample m on m.sample_id = q.mine join pack p on p.pack_id = m.pack_id
              join sample o on o.sample_id = q.others join pack r on r.pack_id = o.pack_id
              left join user_account u on u.user_id = o.creator_id and u.erased_at is null
              left join creator_profile h on h.user_id = o.creator_id
        order by c.suspected_at desc, c.copy_id limit 100`,
      [creatorId],
    );
    return { items: rows.map(withIsoTimes) };
  }

  async gone({ packId }: { packId: string }): Promise<string[]> {
    const { rows } = await this.database.pool.query<{ id: string }>(
      `select c.copy_id as id from suspected_copy c join sample s using (sample_id) join pack p on p.pack_id = s.pack_id
        where c.pack_id = $1 and c.status = 'open'
          and (s.removed or s.taken_down or s.audio_version <> c.audio_version or p.status in ('deleted', 'taken_down'))`,
      [packId],
    );
    return rows.map(({ id }) => id);
  }

  async waitingSince(before: Date): Promise<number> {
    const { rows } = await this.database.pool.query<{ count: number }>(
      `select count(*)::int as count from suspected_copy where status = 'open' and suspected_at < $1`,
      [before],
    );
    return rows[0]?.count ?? 0;
  }
}

/** Converts the times in PostgreSQL's JSON to ISO 8601. */
const sideIn = (side: CopySide): CopySide => ({
  ...side,
  creatorSince: isoOf(side.creatorSince),
  uploadedAt: new Date(side.uploadedAt).toISOString(),
  publishedAt: isoOf(side.publishedAt),
});
const isoOf = (at: string | null): string | null => (at === null ? null : new Date(at).toISOString());
