import { Module, Controller } from '@nestjs/common';
import { MailingList, MailingListStore } from '../../application/mailing-list/mailing-list.js';
import { Route, type Call } from '../platform/http/route.js';
import * as endpoints from '../../application/mailing-list/endpoints.js';
import { PostgresMailingListStore } from './postgres-mailing-list.js';

/** Links in mails open the client, which calls these routes. So a scanner that fetches links subscribes no one. */
@Controller()
export class MailingListController {
  constructor(private readonly list: MailingList) {}

  @Route(endpoints.askToJoin)
  ask({ body }: Call<typeof endpoints.askToJoin>) {
    return this.list.ask(body.email);
  }

  @Route(endpoints.joinMailingList)
  async join({ body, refuse }: Call<typeof endpoints.joinMailingList>) {
    const outcome = await this.list.join(body.token);
    return outcome.accepted ? { email: outcome.email } : refuse(outcome.rejection);
  }

  @Route(endpoints.leaveMailingList)
  async leave({ body, refuse }: Call<typeof endpoints.leaveMailingList>) {
    const outcome = await this.list.leave(body.token);
    return outcome.accepted ? { email: outcome.email } : refuse(outcome.rejection);
  }
}

@Module({
  controllers: [MailingListController],
  providers: [MailingList, { provide: MailingListStore, useClass: PostgresMailingListStore }],
})
export class MailingListModule {}
