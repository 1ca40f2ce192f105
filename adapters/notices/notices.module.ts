import { Controller, Module } from '@nestjs/common';
import { Notices } from '../../application/mail/notices.js';
import * as endpoints from '../../application/notices/endpoints.js';
import { NoticeMails } from '../../application/notices/notice-mails.js';
import { MailModule } from '../mail/mail.module.js';
import { Route, type Call } from '../platform/http/route.js';

@Controller()
class InboxController {
  constructor(
    private readonly notices: Notices,
    private readonly mails: NoticeMails,
  ) {}

  @Route(endpoints.readInbox)
  async read({ actor, query }: Call<typeof endpoints.readInbox>) {
    const { items, ...rest } = await this.notices.list(actor.userId, query);
    return {
      ...rest,
      items: items.map(({ subject: text, path: href, at, ...notice }) => ({
        ...notice,
        text,
        href,
        at: at.toISOString(),
      })),
    };
  }

  @Route(endpoints.readInboxState)
  state({ actor }: Call<typeof endpoints.readInboxState>) {
    return this.notices.state(actor.userId);
  }

  @Route(endpoints.markRead)
  markRead({ actor, body }: Call<typeof endpoints.markRead>): Promise<void> {
    return this.notices.markRead(actor.userId, body.position);
  }

  @Route(endpoints.readChoices)
  choices({ actor }: Call<typeof endpoints.readChoices>) {
    return this.notices.choices(actor.userId);
  }

  @Route(endpoints.changeChoices)
  async choose({ actor, body }: Call<typeof endpoints.changeChoices>) {
    await this.notices.choose(actor.userId, body);
    return this.notices.choices(actor.userId);
  }

  @Route(endpoints.unsubscribeFromNotices)
  async unsubscribe({ query, refuse }: Call<typeof endpoints.unsubscribeFromNotices>): Promise<void> {
    const stopped = await this.mails.stop(query.token);
    if (!stopped.accepted) refuse(stopped.rejection);
  }
}

@Module({ imports: [MailModule], controllers: [InboxController], providers: [NoticeMails] })
export class NoticesModule {}
