import { Injectable } from '@nestjs/common';
import {
  CreatorProfileStore,
  ProfileTableMissing,
  type ListedSample,
  type StoredProfile,
} from '../../application/profiles/creator-profile-store.js';
import { Database } from '../platform/database/database.js';

const UNDEFINED_TABLE = '42P01';
const UNDEFINED_COLUMN = '42703';

const LISTED = `select s.sample_id as id, s.title, p.title as pack, p.slug as "packSlug",
                       s.original_key as "originalKey", '/' || p.cover_key as artwork
                  from sample s join pack p using (pack_id)`;

@Injectable()
export class PostgresCreatorProfileStore extends CreatorProfileStore {
  constructor(private readonly database: Database) {
    super();
  }

  async find(userId: string): Promise<StoredProfile | undefined> {
    const [row] = await this.query<StoredProfile>(
      `select bio, socials, featured_samples as "featuredSampleIds", updated_at as "updatedAt"
         from creator_profile where user_id = $1`,
      [userId],
    );
    return row;
  }

  async save(userId: string, { bio, socials, featuredSampleIds, updatedAt }: StoredProfile): Promise<void> {
    await this.query(
      `update creator_profile set bio = $2, socials = $3, featured_samples = $4, updated_at = $5
        where user_id = $1`,
      [userId, bio, socials, featuredSampleIds, updatedAt],
    );
  }

  listed(userId: string, limit: number): Promise<ListedSample[]> {
    return this.query(
      `${LISTED} where s.creator_id = $1 and s.available
        order by s.created_at desc, s.ordinal desc, s.sample_id limit $2`,
      [userId, limit],
    );
  }

  listedAmong(userId: string, ids: readonly string[]): Promise<ListedSample[]> {
    return this.query(
      `${LISTED} join unnest($2::text[]) with ordinality as wanted(sample_id, place)
                   on wanted.sample_id = s.sample_id
        where s.creator_id = $1 and s.available order by wanted.place`,
      [userId, ids],
    );
  }

  async sampleAt(userId: string, originalKey: string): Promise<string | undefined> {
    const [row] = await this.query<{ sample_id: string }>(
      // Among one's own files the rest of the path says which; the folder may be called as one is.
      `select sample_id from sample where creator_id = $1 and not removed
          and regexp_replace(original_key, '^Users/[^/]+/', '') = regexp_replace($2, '^Users/[^/]+/', '')
          and split_part($2, '/', 2) in (
            select folder from creator_folder where user_id = $1
            union all select split_part(original_key, '/', 2)
            union all select handle from creator_profile where user_id = $1)`,
      [userId, originalKey],
    );
    return row?.sample_id;
  }

  async folderOf(userId: string): Promise<string | undefined> {
    const [row] = await this.query<{ folder: string }>(
      'select folder from creator_folder where user_id = $1',
      [userId],
    );
    return row?.folder;
  }

  private async query<Row>(text: string, values: unknown[]): Promise<Row[]> {
    try {
      return (await this.database.pool.query(text, values)).rows as Row[];
    } catch (error) {
      const { code } = error as { code?: string };
      if (code === UNDEFINED_TABLE || code === UNDEFINED_COLUMN)
        throw new ProfileTableMissing({ cause: error });
      throw error;
    }
  }
}
