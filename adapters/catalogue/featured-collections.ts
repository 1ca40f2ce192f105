import { Injectable } from '@nestjs/common';
import { Database } from '../platform/database/database.js';

@Injectable()
export class FeaturedCollections {
  constructor(private readonly database: Database) {}

  async slugs(): Promise<string[]> {
    const rows = await this.database.db
      .selectFrom('featured_collection')
      .select('slug')
      .orderBy('place')
      .execute();
    return rows.map((row) => row.slug);
  }

  /** Replaces the previous choice. If it is empty, the page shows the largest collections. */
  async choose(slugs: readonly string[], chosenBy: string, at: Date): Promise<void> {
    await this.database.transaction(async (_, db) => {
      await db.deleteFrom('featured_collection').execute();
      const rows = slugs.map((slug, i) => ({ place: i + 1, slug, chosen_by: chosenBy, chosen_at: at }));
      if (rows.length > 0) await db.insertInto('featured_collection').values(rows).execute();
    });
  }
}
