import { Controller, Header } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { decimalDollars } from '../../domain/shared/micro-usd.js';
import { IMAGE_LIMIT_BYTES } from '../../application/media/values.js';
import { OwnAccount } from '../../application/accounts/own-account.js';
import { OwnAvatar } from '../../application/profiles/creator-profiles.js';
import { PersonalData, PersonalDataExport } from '../../application/accounts/personal-data.js';
import { Sessions, sessionItem } from '../../application/accounts/sessions/sessions.js';
import { Profiles } from '../../application/profiles/profiles.js';
import { readImageUpload } from '../platform/http/uploads.js';
import { ProblemException, tooManyRequests } from '../platform/http/request.js';
import { Route, type Call } from '../platform/http/route.js';
import { sessionTokenOf, requireFreshSignIn } from '../platform/http/session/session.guard.js';
import { SessionCookie, SignedInAnswer } from './signed-in-answer.js';
import { EndSessions } from '../../application/accounts/secure-account.js';
import {
  AccessTokens,
  AccessTokenStore,
  type AccessToken,
} from '../../application/accounts/tokens/access-tokens.js';
import { withIsoTimes } from '../../application/shared/iso-times.js';
import * as endpoints from '../../application/accounts/endpoints.js';
import * as tokens from '../../application/accounts/tokens/endpoints.js';

const TOO_MANY_CHANGES = 'Too many changes of the e-mail address. Try again later.';

@Controller()
export class MeController {
  constructor(
    private readonly account: OwnAccount,
    private readonly avatars: OwnAvatar,
    private readonly personalData: PersonalData,
    private readonly copies: PersonalDataExport,
    private readonly sessions: Sessions,
    private readonly profiles: Profiles,
    private readonly cookie: SessionCookie,
  ) {}

  @Route(endpoints.updateMe)
  async update({ actor, body, request, refuse }: Call<typeof endpoints.updateMe>) {
    const obstacle = body.displayName !== undefined && (await this.profiles.obstacle(actor.userId));
    if (obstacle) return refuse(obstacle);
    let emailToConfirm: string | undefined;
    if (body.email !== undefined) requireFreshSignIn(this.sessions, actor);
    if (body.displayName !== undefined) {
      const named = await this.profiles.chooseName(actor.userId, body.displayName);
      if (!named.accepted) return refuse(named.rejection);
    }
    if (body.email !== undefined) {
      const outcome = await this.account.changeEmail(actor.userId, body.email);
      if (!outcome.accepted) throw tooManyRequests(TOO_MANY_CHANGES, outcome.rejection.retryAfterSeconds);
      if (outcome.isToConfirm) emailToConfirm = body.email;
    }
    // Reads the session again, because the answer contains the new name.
    const owner = await this.sessions.find(sessionTokenOf(request) ?? '');
    if (!owner) throw new ProblemException('NotSignedIn');
    return { user: owner.user, ...(emailToConfirm ? { emailToConfirm } : {}) };
  }

  @Route(endpoints.replaceAvatar)
  async replaceAvatar({ actor, request, refuse }: Call<typeof endpoints.replaceAvatar>) {
    const image = await readImageUpload(request, IMAGE_LIMIT_BYTES);
    const replaced = await this.avatars.replace(actor.userId, image);
    return replaced.accepted ? { avatarUrl: replaced.avatarUrl } : refuse({ ...replaced.rejection });
  }

  @Route(endpoints.exportMe)
  @Header('Content-Disposition', 'attachment; filename="offcut-export.json"')
  export({ actor }: Call<typeof endpoints.exportMe>) {
    return this.copies.read(actor.userId);
  }

  @Route(endpoints.eraseMe)
  async erase({ actor, body, response, refuse }: Call<typeof endpoints.eraseMe>) {
    const outcome = await this.personalData.erase(actor.userId, { claimPayout: body?.claimPayout ?? false });
    if (!outcome.accepted) {
      const detail = `You are owed ${dollars(outcome.rejection.owedMicroUsd)}. Withdraw it first, or keep a claim to it.`;
      return refuse({ ...outcome.rejection, detail });
    }
    this.cookie.clear(response);
    if (!outcome.claim) return undefined;
    response.statusCode = 200;
    return { claim: outcome.claim };
  }
}

/** Formats dollars in whole cents, because payouts are in whole cents. */
const dollars = (microUsd: number): string => `$${decimalDollars(microUsd).slice(0, -4)}`;

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

/** Routes for access tokens, with which programs act for a user. */
@Controller()
export class TokensController {
  constructor(
    private readonly tokens: AccessTokens,
    private readonly store: AccessTokenStore,
  ) {}

  @Route(tokens.listTokens)
  async list({ actor }: Call<typeof tokens.listTokens>) {
    return { items: (await this.store.of(actor.userId)).map(itemOf) };
  }

  @Route(tokens.issueToken)
  async issue({ actor, body, refuse }: Call<typeof tokens.issueToken>) {
    const issued = await this.tokens.issue(actor.userId, body);
    return issued.accepted ? { id: issued.id, token: issued.token } : refuse(issued.rejection);
  }

  @Route(tokens.revokeToken)
  async revoke({ actor, params, refuse }: Call<typeof tokens.revokeToken>): Promise<void> {
    if (!(await this.store.remove(actor.userId, params.id))) refuse({ code: 'NotFound' });
  }
}

const itemOf = ({ tokenId: id, userId: _, ...token }: AccessToken) => ({ id, ...withIsoTimes(token) });
