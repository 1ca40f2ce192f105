import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { EndSessions } from '../../application/accounts/secure-account.js';
import { sessionItem } from '../../application/accounts/sessions/own-sessions.js';
import * as endpoints from '../../application/accounts/sessions/session-endpoints.js';
import { Sessions } from '../../application/accounts/sessions/sessions.js';
import { Route, type Call } from '../platform/http/route.js';
import { SignedInAnswer } from './signed-in-answer.js';

/** Lists and ends sessions. */
@Controller()
export class SessionsController {
  constructor(
    private readonly sessions: Sessions,
    private readonly answers: SignedInAnswer,
    private readonly commands: CommandBus,
  ) {}

  @Route(endpoints.listSessions)
  list({ actor }: Call<typeof endpoints.listSessions>) {
    return this.itemsOf(actor.userId, actor.sessionId);
  }

  @Route(endpoints.endSession)
  async end({ actor, params, refuse }: Call<typeof endpoints.endSession>): Promise<void> {
    if (!(await this.sessions.endOwn(actor.userId, params.id))) refuse({ code: 'NotFound' });
  }

  @Route(endpoints.endOtherSessions)
  async endOthers({ actor, response }: Call<typeof endpoints.endOtherSessions>): Promise<void> {
    await this.sessions.endAll(actor.userId, { exceptSessionId: actor.sessionId });
    await this.answers.remember(actor.userId, response);
  }

  @Route(endpoints.listSessionsOf)
  listOf({ actor, params }: Call<typeof endpoints.listSessionsOf>) {
    return this.itemsOf(params.userId, actor.sessionId);
  }

  @Route(endpoints.endSessionsOf)
  async endOf({ actor, params, body, refuse }: Call<typeof endpoints.endSessionsOf>): Promise<void> {
    const outcome = await this.commands.execute(new EndSessions(params.userId, actor.userId, body.reason));
    if (!outcome.accepted) refuse(outcome.rejection);
  }

  private async itemsOf(userId: string, ownId: string) {
    const open = await this.sessions.open(userId);
    return { items: open.map((session) => sessionItem(session, ownId)) };
  }
}
