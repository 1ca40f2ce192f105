import { Injectable } from '@nestjs/common';
import { RememberedBrowsers } from '../../application/accounts/sessions/remembered-browsers.js';
import { Database } from '../platform/database/database.js';

const NOBODY = '';

@Injectable()
export class PostgresRememberedBrowsers implements RememberedBrowsers {
  constructor(private readonly database: Database) {}

  async remember(userId: string, cookieHash: string, now: Date): Promise<void> {
    await this.database.db
      .insertInto('remembered_browser')
      .values({ user_id: userId, cookie_hash: cookieHash, signed_in_at: now })
      .onConflict((conflict) =>
        conflict.columns(['user_id', 'cookie_hash']).doUpdateSet({ signed_in_at: now }),
      )
      .execute();
  }

  async includes(userId: string | undefined, cookieHash: string, since: Date): Promise<boolean> {
    const found = await this.database.db
      .selectFrom('remembered_browser')
      .select('user_id')
      .where('user_id', '=', userId ?? NOBODY)
      .where('cookie_hash', '=', cookieHash)
      .where('signed_in_at', '>=', since)
      .executeTakeFirst();
    return found !== undefined;
  }

  async forget(userId: string, cookieHash: string): Promise<void> {
    await this.database.db
      .deleteFrom('remembered_browser')
      .where('user_id', '=', userId)
      .where('cookie_hash', '=', cookieHash)
      .execute();
  }
}
