/** Raw SQL: PostgreSQL builds the JSON of packs, sums their downloads, and sorts a list in three orders. */
import { TRENDING_DAYS } from '../../application/catalogue/values.js';
import type { PackCard, PacksQuery } from '../../application/catalogue/contract.js';
import { decodeCursor, pageOf } from '../platform/database/cursor.js';
import type { Database } from '../platform/database/database.js';
import { CREATOR_JOINS, hasTag, PACK_CARD } from '../platform/database/json-shapes.js';

/** Returns SQL for the `downloads` of each `id` in the last `TRENDING_DAYS`. @param now a parameter such as `$1` */
export const thisWeekBy = (column: 'pack_id' | 'sample_id', now: string): string =>
  `(select ${column} as id, sum(downloads)::int as downloads from download_hour
     where hour > ${now}::timestamptz - interval '${TRENDING_DAYS} days' group by ${column})`;

/** Genres whose downloads grew from the week before to the last seven days, largest growth first. `$1` is now. */
export const GROWING_GENRES = `
  select p.genre
    from (select pack_id,
                 sum(downloads) filter (where hour > $1::timestamptz - interval '${TRENDING_DAYS} days') as lately,
                 sum(downloads) filter (where hour <= $1::timestamptz - interval '${TRENDING_DAYS} days') as before
            from download_hour where hour > $1::timestamptz - interval '${2 * TRENDING_DAYS} days' group by pack_id) as d
    join pack p on p.pack_id = d.pack_id and p.listed
   group by p.genre
  having coalesce(sum(d.lately), 0) > coalesce(sum(d.before), 0)
   order by coalesce(sum(d.lately), 0) - coalesce(sum(d.before), 0) desc, p.genre`;

const DOWNLOADS = `coalesce((select downloads from download_count where kind = 'pack' and id = p.pack_id), 0)`;

const SORTED_BY = {
  samples: 'p.sample_count',
  new: `(extract(epoch from p.published_at) * 1000)::bigint`,
  popular: DOWNLOADS,
} as const;

export async function popularThisWeek(database: Database, now: Date, limit: number): Promise<PackCard[]> {
  const { rows } = await database.pool.query<{ card: PackCard }>(
    `select ${PACK_CARD} as card from ${thisWeekBy('pack_id', '$1')} as week
       join pack p on p.pack_id = week.id and p.listed ${CREATOR_JOINS}
      order by week.downloads desc, ${DOWNLOADS} desc, p.pack_id limit $2`,
    [now, limit],
  );
  return rows.map((row) => row.card);
}

export interface PackList {
  sort: PacksQuery['sort'];
  genre?: string;
  creatorId?: string;
  /** A genre, mood or instrument. */
  tag?: string;
  limit: number;
  cursor?: string;
  ascending?: boolean;
}

export async function packCards(
  database: Database,
  { sort, genre, creatorId, tag, limit, cursor, ascending = false }: PackList,
): Promise<{ items: PackCard[]; nextCursor: string | null }> {
  const by = SORTED_BY[sort];
  const values: unknown[] = [];
  const parameter = (value: unknown): string => `$${values.push(value)}`;
  const conditions = ['p.listed'];
  if (genre !== undefined) conditions.push(`p.genre = ${parameter(genre)}`);
  if (creatorId !== undefined) conditions.push(`p.creator_id = ${parameter(creatorId)}`);
  if (tag !== undefined) conditions.push(hasTag(parameter(tag)));
  const [place, packId] = decodeCursor(cursor, 2) ?? [];
  if (Number.isSafeInteger(place)) {
    const at = `${parameter(place)}::bigint`;
    conditions.push(`(${by} < ${at} or (${by} = ${at} and p.pack_id > ${parameter(String(packId))}))`);
  }
  const { rows } = await database.pool.query<{ card: PackCard; place: number; pack_id: string }>(
    `select ${PACK_CARD} as card, ${by} as place, p.pack_id
       from pack p ${CREATOR_JOINS} where ${conditions.join(' and ')}
      order by ${by} ${ascending ? 'asc' : 'desc'}, p.pack_id limit ${parameter(limit + 1)}`,
    values,
  );
  const { shown, nextCursor } = pageOf(rows, limit, (last) => [last.place, last.pack_id]);
  return {
    items: shown.map((row) => row.card),
    nextCursor,
  };
}
