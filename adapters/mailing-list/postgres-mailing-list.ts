import { MailingListStore } from '../../application/mailing-list/mailing-list.js';
import { DatabaseAdapter } from '../platform/database/database.js';

export class PostgresMailingListStore extends DatabaseAdapter implements MailingListStore {
  async add(email: string, at: Date): Promise<void> {
    await this.database.db
      .insertInto('mailing_list')
      .values({ email_lower: email.toLowerCase(), email, confirmed_at: at })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }

  async remove(email: string): Promise<void> {
    await this.database.db
      .deleteFrom('mailing_list')
      .where('email_lower', '=', email.toLowerCase())
      .execute();
  }

  async has(email: string): Promise<boolean> {
    const found = await this.database.db
      .selectFrom('mailing_list')
      .select('email')
      .where('email_lower', '=', email.toLowerCase())
      .executeTakeFirst();
    return found !== undefined;
  }
}
