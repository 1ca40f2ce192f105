import { Injectable } from '@nestjs/common';
import { FeaturedCollections } from '../../application/catalogue/featured-collections.js';
import { Database } from '../platform/database/database.js';

@Injectable()
export class PostgresFeaturedCollections extends FeaturedCollections {
  constructor(private readonly database: Database) {
    super();
  }

  override async slugs(): Promise<string[]> {
    const { rows } = await this.database.pool.query<{ slug: string }>(
      'select slug from featured_collection order by place',
    );
    return rows.map((row) => row.slug);
  }

  override async choose(slugs: readonly string[], chosenBy: string, at: Date): Promise<void> {
    await this.database.transaction(async (client) => {
      await client.query('delete from featured_collection');
      await client.query(
        `insert into featured_collection (place, slug, chosen_by, chosen_at)
         select place, slug, $2, $3 from unnest($1::text[]) with ordinality as chosen(slug, place)`,
        [slugs, chosenBy, at],
      );
    });
  }
}
