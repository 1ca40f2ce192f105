import { foldHandle } from '../../domain/profiles/handle.js';
import {
  ProfileStore,
  CreatorProfileStore,
  ProfileTableMissing,
  type HandleOwner,
  type ListedSample,
  type StoredProfile,
} from '../../application/profiles/profile-store.js';
import { lockAccount } from '../platform/database/conflicts.js';
import { DatabaseAdapter } from '../platform/database/database.js';

export class PostgresProfileStore extends DatabaseAdapter implements ProfileStore {
  async findHandleOf(userId: string): Promise<string | undefined> {
    const found = await this.database.db
      .selectFrom('creator_profile')
      .select('handle')
      .where('user_id', '=', userId)
      .executeTakeFirst();
    return found?.handle;
  }

  findOwner(handle: string): Promise<HandleOwner | undefined> {
    return this.database.db
      .selectFrom('handle_history as h')
      .innerJoin('creator_profile as p', 'p.user_id', 'h.user_id')
      .select(['p.user_id as userId', 'p.handle'])
      .where('h.handle_lower', '=', foldHandle(handle))
      .executeTakeFirst();
  }

  async claim(userId: string, handle: string, now: Date): Promise<boolean> {
    return this.database.transaction(async (_, db) => {
      // The lock serializes claims of a user, so that two concurrent first requests do not create two handles.
      await lockAccount(db, userId);
      const claimed = await db
        .insertInto('handle_history')
        .values({ handle_lower: foldHandle(handle), user_id: userId, given_at: now })
        .onConflict((conflict) =>
          conflict
            .column('handle_lower')
            .doUpdateSet(({ ref }) => ({ given_at: ref('handle_history.given_at') })),
        )
        .returning('user_id')
        .executeTakeFirst();
      if (claimed?.user_id !== userId) return false;
      const profile = { handle, updated_at: now };
      await db
        .insertInto('creator_profile')
        .values({ user_id: userId, ...profile })
        .onConflict((conflict) => conflict.column('user_id').doUpdateSet(profile))
        .execute();
      return true;
    });
  }
}

const UNDEFINED_TABLE = '42P01';
const UNDEFINED_COLUMN = '42703';

export class PostgresCreatorProfileStore extends DatabaseAdapter implements CreatorProfileStore {
  find(userId: string): Promise<StoredProfile | undefined> {
    const profile = this.database.db
      .selectFrom('creator_profile')
      .select(['bio', 'socials', 'featured_samples as featuredSampleIds', 'updated_at as updatedAt'])
      .where('user_id', '=', userId);
    return inTables(profile.executeTakeFirst());
  }

  async save(userId: string, { bio, socials, featuredSampleIds, updatedAt }: StoredProfile): Promise<void> {
    const saved = this.database.db
      .updateTable('creator_profile')
      .set({ bio, socials, featured_samples: featuredSampleIds, updated_at: updatedAt })
      .where('user_id', '=', userId);
    await inTables(saved.execute());
  }

  listed(userId: string, limit: number, text = ''): Promise<ListedSample[]> {
    const pattern = `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
    const newest = this.samplesOf(userId)
      .where(({ eb, ref, val }) =>
        eb(eb(eb(ref('s.title'), '||', val(' ')), '||', ref('p.title')), 'ilike', pattern),
      )
      .orderBy('s.created_at', 'desc')
      .orderBy('s.ordinal', 'desc')
      .orderBy('s.sample_id')
      .limit(limit);
    return inTables(newest.execute());
  }

  async listedAmong(userId: string, ids: readonly string[]): Promise<ListedSample[]> {
    const wanted = this.samplesOf(userId).where(({ eb, fn, val }) =>
      eb('s.sample_id', '=', fn.any(val(ids))),
    );
    const found = new Map((await inTables(wanted.execute())).map((sample) => [sample.id, sample]));
    return ids.flatMap((id) => found.get(id) ?? []);
  }

  private samplesOf(userId: string) {
    return this.database.db
      .selectFrom('sample as s')
      .innerJoin('pack as p', 'p.pack_id', 's.pack_id')
      .select(['s.sample_id as id', 's.title', 'p.title as pack', 'p.slug as packSlug'])
      .select([
        's.original_key as originalKey',
        ({ eb, ref, val }) => eb(val('/'), '||', ref('p.cover_key')).as('artwork'),
      ])
      .where('s.creator_id', '=', userId)
      .where('s.available', '=', true);
  }

  async sampleAt(userId: string, originalKey: string): Promise<string | undefined> {
    const found = this.database.pool.query<{ sample_id: string }>(
      // Compares only the paths below the creator's folder, because a path may contain a former name of the
      // folder. Raw SQL because of
      // the regular expressions.
      `select sample_id from sample where creator_id = $1 and not removed
          and regexp_replace(original_key, '^Users/[^/]+/', '') = regexp_replace($2, '^Users/[^/]+/', '')
          and split_part($2, '/', 2) in (
            select folder from creator_folder where user_id = $1
            union all select split_part(original_key, '/', 2)
            union all select handle from creator_profile where user_id = $1)`,
      [userId, originalKey],
    );
    return (await inTables(found)).rows[0]?.sample_id;
  }

  async folderOf(userId: string): Promise<string | undefined> {
    const own = this.database.db.selectFrom('creator_folder').select('folder').where('user_id', '=', userId);
    return (await inTables(own.executeTakeFirst()))?.folder;
  }
}

async function inTables<Result>(asked: Promise<Result>): Promise<Result> {
  try {
    return await asked;
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === UNDEFINED_TABLE || code === UNDEFINED_COLUMN)
      throw new ProfileTableMissing({ cause: error });
    throw error;
  }
}
