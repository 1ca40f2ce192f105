import type { CreatorState } from '../../application/publishing/contract.js';
import { DatabaseAdapter } from '../platform/database/database.js';

export class CreatorQueries extends DatabaseAdapter {
  async state(userId: string): Promise<CreatorState> {
    const found = await this.database.db
      .selectFrom('user_account as a')
      .leftJoin('creator_profile as p', 'p.user_id', 'a.user_id')
      .leftJoin('creator_standing as c', 'c.user_id', 'a.user_id')
      .select(({ fn, val }) => fn.coalesce('c.status', val('none' as const)).as('status'))
      .select(['c.reason', 'p.handle', 'a.display_name as displayName'])
      .where('a.user_id', '=', userId)
      .executeTakeFirst();
    return found ?? { status: 'none', reason: null, handle: null, displayName: '' };
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
