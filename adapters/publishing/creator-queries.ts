import type { CreatorRights, CreatorState } from '../../application/publishing/contract.js';
import { DatabaseAdapter } from '../platform/database/database.js';

export class CreatorQueries extends DatabaseAdapter {
  async state(userId: string): Promise<CreatorState> {
    const found = await this.database.db
      .selectFrom('user_account as a')
      .leftJoin('creator_profile as p', 'p.user_id', 'a.user_id')
      .leftJoin('creator_standing as c', 'c.user_id', 'a.user_id')
      .select(({ eb, fn, val }) => [
        fn.coalesce('c.status', val('none' as const)).as('status'),
        eb('a.email_verified_at', 'is not', null).$castTo<boolean>().as('hasConfirmedEmail'),
      ])
      .select(['c.reason', 'p.handle', 'a.display_name as displayName'])
      .where('a.user_id', '=', userId)
      .executeTakeFirst();
    return found ?? { status: 'none', reason: null, handle: null, displayName: '', hasConfirmedEmail: false };
  }

  async rights(userId: string): Promise<CreatorRights> {
    const { db } = this.database;
    const origins = await db
      .selectFrom('sample as s')
      .innerJoin('pack as p', 'p.pack_id', 's.pack_id')
      .select(({ fn }) => ['s.origin', fn.countAll<number>().as('samples')])
      .where('s.creator_id', '=', userId)
      .where('s.removed', '=', false)
      .where('p.status', '<>', 'deleted')
      .groupBy('s.origin')
      .orderBy('samples', 'desc')
      .orderBy('s.origin')
      .execute();
    const { licences } = await db
      .selectFrom('sample as s')
      .innerJoin('owned_sample as o', 'o.sample_id', 's.sample_id')
      .select(({ fn }) => fn.countAll<number>().as('licences'))
      .where('s.creator_id', '=', userId)
      .where('o.returned_at', 'is', null)
      .executeTakeFirstOrThrow();
    return { origins: origins as CreatorRights['origins'], licences };
  }

  async allowsTraining(userId: string): Promise<boolean> {
    const found = await this.database.db
      .selectFrom('ai_preference')
      .select('trains')
      .where('user_id', '=', userId)
      .executeTakeFirst();
    return found?.trains ?? false;
  }
}
