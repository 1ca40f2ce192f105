import { Module, Controller } from '@nestjs/common';
import { MailingList, MailingListStore } from '../../application/mailing-list/mailing-list.js';
import { Route, type Call } from '../platform/http/route.js';
import * as endpoints from '../../application/mailing-list/endpoints.js';
import { DatabaseAdapter } from '../platform/database/database.js';

class PostgresMailingListStore extends DatabaseAdapter implements MailingListStore {
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

/** Links in mails open the client, which calls these routes. So a scanner that fetches links subscribes no one. */
@Controller()
export class MailingListController {
  constructor(private readonly list: MailingList) {}

  @Route(endpoints.askToJoin)
  ask({ body }: Call<typeof endpoints.askToJoin>) {
    return this.list.ask(body.email);
  }

  @Route(endpoints.join)
  async join({ body, refuse }: Call<typeof endpoints.join>) {
    const outcome = await this.list.join(body.token);
    return outcome.accepted ? { email: outcome.email } : refuse(outcome.rejection);
  }

  @Route(endpoints.leave)
  async leave({ body, refuse }: Call<typeof endpoints.leave>) {
    const outcome = await this.list.leave(body.token);
    return outcome.accepted ? { email: outcome.email } : refuse(outcome.rejection);
  }
}

@Module({
  controllers: [MailingListController],
  providers: [MailingList, { provide: MailingListStore, useClass: PostgresMailingListStore }],
})
export class MailingListModule {}
