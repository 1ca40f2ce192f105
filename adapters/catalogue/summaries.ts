import { Inject, Injectable } from '@nestjs/common';
import {
  SummaryReader,
  type CreatorSummary,
  type PackSummary,
} from '../../application/catalogue/page-heads.js';
import { foldHandle } from '../../domain/profiles/handle.js';
import { CATALOGUE_DATABASE, Database } from '../platform/database/database.js';
import { isoTime } from '../platform/database/json-shapes.js';

/** `pack` and the people behind it, by one key each. */
@Injectable()
export class PostgresSummaryReader extends SummaryReader {
  constructor(@Inject(CATALOGUE_DATABASE) private readonly database: Database) {
    super();
  }

  override async pack(
    handle: string,
    slug: string,
    sampleId: string | undefined,
  ): Promise<PackSummary | undefined> {
    const { rows } = await this.database.pool.query<PackSummary>({
      name: 'face-of-pack',
      text: `select p.title, p.slug, coalesce(cp.handle, p.creator_id) as handle,
                    coalesce(ua.display_name, 'Former creator') as "creatorName", p.genre, p.mood, p.description,
                    p.sample_count as "sampleCount", '/' || p.cover_key as "coverPath",
                    ${isoTime('p.published_at')} as "publishedAt",
                    (select json_build_object('id', s.sample_id, 'title', s.title, 'durationMs', s.duration_ms,
                                              'previewPath', '/' || s.preview_key)
                       from sample s where s.sample_id = $3 and s.pack_id = p.pack_id and s.available) as sample
               from handle_history h
               join pack_slug k on k.creator_id = h.user_id and k.slug = $2
               join pack p on p.pack_id = k.pack_id and p.status = 'published'
               left join user_account ua on ua.user_id = p.creator_id
               left join creator_profile cp on cp.user_id = p.creator_id
              where h.handle_lower = $1`,
      values: [foldHandle(handle), slug.toLowerCase(), sampleId ?? null],
    });
    return rows[0];
  }

  override async creator(handle: string): Promise<CreatorSummary | undefined> {
    const { rows } = await this.database.pool.query<CreatorSummary>({
      name: 'face-of-creator',
      text: `select cp.handle, ua.display_name as "displayName", cp.bio,
                    '/media/avatars/' || regexp_replace(ua.avatar_key, '^.*/', '') as "avatarPath",
                    coalesce(sum(p.sample_count), 0)::int as "sampleCount", count(p.pack_id)::int as "packCount"
               from handle_history h
               join creator_profile cp on cp.user_id = h.user_id
               join user_account ua on ua.user_id = h.user_id
               left join pack p on p.creator_id = h.user_id and p.status = 'published'
              where h.handle_lower = $1
              group by cp.user_id, ua.user_id`,
      values: [foldHandle(handle)],
    });
    return rows[0];
  }

  override async addresses(limit: number): Promise<{ path: string; changedAt: string }[]> {
    const rows = await this.database.db
      .selectFrom('pack as p')
      .leftJoin('creator_profile as cp', 'cp.user_id', 'p.creator_id')
      .select(['p.slug', 'p.updated_at'])
      .select(({ fn }) => fn.coalesce('cp.handle', 'p.creator_id').as('handle'))
      .where('p.status', '=', 'published')
      .orderBy('p.published_at', 'desc')
      .orderBy('p.pack_id')
      .limit(limit)
      .execute();
    const packs = rows.map(({ updated_at: at, ...pack }) => ({ ...pack, changedAt: at.toISOString() }));
    const creators = new Map<string, string>();
    for (const { handle, changedAt } of packs)
      if ((creators.get(handle) ?? '') < changedAt) creators.set(handle, changedAt);
    return [
      ...packs.map(({ slug, handle, changedAt }) => ({
        path: `/pack/${encodeURIComponent(slug)}/${encodeURIComponent(handle)}`,
        changedAt,
      })),
      ...[...creators].map(([handle, changedAt]) => ({
        path: `/creator/${encodeURIComponent(handle)}`,
        changedAt,
      })),
    ];
  }
}
