import { Controller } from '@nestjs/common';
import * as endpoints from '../../application/library/endpoints.js';
import { WeeklyMails } from '../../application/library/weekly-mail.js';
import { Route, type Call } from '../platform/http/route.js';

@Controller()
export class NotificationsController {
  constructor(private readonly mails: WeeklyMails) {}

  @Route(endpoints.readNotifications)
  async read({ actor }: Call<typeof endpoints.readNotifications>) {
    return { weeklyMail: await this.mails.isWanted(actor.userId) };
  }

  @Route(endpoints.changeNotifications)
  async change({ actor, body }: Call<typeof endpoints.changeNotifications>) {
    await this.mails.choose(actor.userId, body.weeklyMail);
    return body;
  }

  @Route(endpoints.unsubscribe)
  async unsubscribe({ query, refuse }: Call<typeof endpoints.unsubscribe>): Promise<void> {
    const stopped = await this.mails.stop(query.token);
    if (!stopped.accepted) refuse(stopped.rejection);
  }
}
