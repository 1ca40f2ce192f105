import { Inject, Injectable } from '@nestjs/common';
import { type SiteAddress } from '../../application/catalogue/queries.js';
import { CATALOGUE_DATABASE, Database } from '../platform/database/database.js';

@Injectable()
export class SiteAddressQueries {
  constructor(@Inject(CATALOGUE_DATABASE) private readonly database: Database) {}

  async allowingTraining(limit: number): Promise<string[]> {
    const rows = await this.database.db
      .selectFrom('ai_preference as ap')
      .innerJoin('creator_profile as cp', 'cp.user_id', 'ap.user_id')
      .select('cp.handle')
      .where('ap.trains', '=', true)
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('pack as p')
            .select('p.pack_id')
            .whereRef('p.creator_id', '=', 'ap.user_id')
            .where('p.listed', '=', true),
        ),
      )
      .orderBy('cp.handle')
      .limit(limit)
      .execute();
    return rows.map(({ handle }) => handle);
  }

  /** @returns pages with the time of their last change, newest first: packs, their creators, and samples if there is room */
  async list(packLimit: number, limit: number): Promise<SiteAddress[]> {
    const rows = await this.database.db
      .selectFrom('pack as p')
      .leftJoin('creator_profile as cp', 'cp.user_id', 'p.creator_id')
      .select(['p.slug', 'p.updated_at'])
      .select(({ fn }) => fn.coalesce('cp.handle', 'p.creator_id').as('creator'))
      .where('p.listed', '=', true)
      .orderBy('p.published_at', 'desc')
      .orderBy('p.pack_id')
      .limit(packLimit)
      .execute();
    const packs = rows.map(({ updated_at: at, ...params }) => ({ params, changedAt: at.toISOString() }));
    const creators = new Map<string, string>();
    for (const { params, changedAt } of packs)
      if ((creators.get(params.creator) ?? '') < changedAt) creators.set(params.creator, changedAt);
    const found: SiteAddress[] = [
      ...packs.map((pack) => ({ page: 'pack' as const, ...pack })),
      ...[...creators].map(([creator, changedAt]) => ({
        page: 'creator' as const,
        params: { creator },
        changedAt,
      })),
    ];
    return [...found, ...(await this.samples(Math.max(0, limit - found.length)))];
  }

  private async samples(limit: number): Promise<SiteAddress[]> {
    const rows = await this.database.db
      .selectFrom('sample as s')
      .innerJoin('pack as p', 'p.pack_id', 's.pack_id')
      .select(['s.sample_id as id', 's.updated_at as at'])
      .where('s.available', '=', true)
      .where('p.listed', '=', true)
      .orderBy('p.published_at', 'desc')
      .orderBy('s.sample_id')
      .limit(limit)
      .execute();
    return rows.map(({ id, at }) => ({ page: 'sample', params: { id }, changedAt: at.toISOString() }));
  }
}
