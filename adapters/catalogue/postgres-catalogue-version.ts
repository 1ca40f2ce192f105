import { Inject, Injectable } from '@nestjs/common';
import { CatalogueVersionQueries, type CatalogueVersion } from '../../application/catalogue/queries.js';
import { CATALOGUE_DATABASE, Database, prepared } from '../platform/database/database.js';
import { singleFlight } from '../platform/database/single-flight.js';
import { catalogueSearch } from './search/catalogue-search.js';
import { CREATOR_EVENT_TYPES } from '../../domain/publishing/creator-access.js';

const SOLD = 'SamplePurchased';
const LISTED = catalogueSearch.types.filter((type) => type !== SOLD);
const TYPES = [...LISTED, ...CREATOR_EVENT_TYPES, 'AiPreferenceSet', 'ReleaseScheduled', 'ReleaseCancelled'];

/**
 * Computes the versions of public pages from three values: the last events that change these pages, the checkpoint
 * of the search projection, and the number of other changes.
 */
@Injectable()
export class PostgresCatalogueVersionQueries implements CatalogueVersionQueries {
  constructor(@Inject(CATALOGUE_DATABASE) private readonly database: Database) {}

  readonly current = singleFlight(async (): Promise<CatalogueVersion> => {
    const { rows } = await this.database.pool.query<CatalogueVersion>(
      prepared(
        'catalogue-version',
        `select concat(changed, '.', least(changed, position), '.', (select changes from page_change)) as structure,
                least(sold, position)::text as popularity, listed
               from (select coalesce(max(last.position) filter (where wanted.type <> $3), 0) as changed,
                            coalesce(max(last.position) filter (where wanted.type = $3), 0) as sold,
                       coalesce(max(last.position) filter (where wanted.type = any($4::text[])), 0) as listed
                       from unnest($1::text[] || $3::text) as wanted(type),
                            lateral (select position from event where event.type = wanted.type order by position desc limit 1) as last) as log
               left join checkpoint on name = $2`,
        [TYPES, catalogueSearch.name, SOLD, LISTED],
      ),
    );
    return rows[0] ?? { structure: '', popularity: '', listed: 0 };
  });
}
