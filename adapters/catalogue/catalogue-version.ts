import { Inject, Injectable } from '@nestjs/common';
import { CatalogueVersionQueries } from '../../application/catalogue/queries.js';
import { CATALOGUE_DATABASE, Database } from '../platform/database/database.js';
import { prepared } from '../platform/database/prepared.js';
import { singleFlight } from '../platform/database/single-flight.js';
import { catalogueSearch } from './search/catalogue-search.js';
import { CREATOR_EVENT_TYPES } from '../../domain/publishing/creator-access.js';

const TYPES = [...catalogueSearch.types, ...CREATOR_EVENT_TYPES, 'AiPreferenceSet'];

/**
 * The last event that changes public pages, and how far the subscriptions have shown it.
 */
@Injectable()
export class PostgresCatalogueVersionQueries implements CatalogueVersionQueries {
  constructor(@Inject(CATALOGUE_DATABASE) private readonly database: Database) {}

  readonly current = singleFlight(async (): Promise<string> => {
    const { rows } = await this.database.pool.query<{ version: string }>(
      prepared(
        'catalogue-version',
        `select concat(coalesce(changed, 0), '.', least(changed, position)) as version
               from (select max(last.position) as changed
                       from unnest($1::text[]) as wanted(type),
                            lateral (select position from event where event.type = wanted.type order by position desc limit 1) as last) as log
               left join checkpoint on name = $2`,
        [TYPES, catalogueSearch.name],
      ),
    );
    return rows[0]?.version ?? '';
  });
}
