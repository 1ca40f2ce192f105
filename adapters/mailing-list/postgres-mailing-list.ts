import { Injectable } from '@nestjs/common';
import { MailingListStore } from '../../application/mailing-list/mailing-list.js';
import { Database } from '../platform/database/database.js';

@Injectable()
export class PostgresMailingListStore extends MailingListStore {
  constructor(private readonly database: Database) {
    super();
  }

  override async add(email: string, at: Date): Promise<void> {
    await this.database.pool.query(
      'insert into mailing_list (email_lower, email, confirmed_at) values ($1, $2, $3) on conflict do nothing',
      [email.toLowerCase(), email, at],
    );
  }

  override async remove(email: string): Promise<void> {
    await this.database.pool.query('delete from mailing_list where email_lower = $1', [email.toLowerCase()]);
  }

  override async has(email: string): Promise<boolean> {
    const found = await this.database.pool.query('select 1 from mailing_list where email_lower = $1', [
      email.toLowerCase(),
    ]);
    return found.rowCount === 1;
  }
}
