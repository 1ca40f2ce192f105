import { Controller } from '@nestjs/common';
import type { SignedIn } from '../../application/accounts/contract.js';
import * as endpoints from '../../application/accounts/endpoints.js';
import { ExternalSignIn } from '../../application/accounts/external-sign-in/external-sign-in.js';
import { OwnAccount } from '../../application/accounts/own-account.js';
import { Passwords } from '../../application/accounts/passwords.js';
import { Sessions, type IssuedToken } from '../../application/accounts/sessions.js';
import { SignIn } from '../../application/accounts/sign-in.js';
import { SignUp } from '../../application/accounts/sign-up.js';
import { WallClock } from '../../application/shared/clock.js';
import { ProblemException } from '../platform/http/problem-exception.js';
import { Route, type Call } from '../platform/http/route.js';
import type { HttpResponse } from '../platform/http/request.js';
import { ownerOf, sessionTokenOf } from '../platform/http/session-owner.js';
import { CallerDevice } from './caller-device.js';
import { LINK_COOKIE, SessionCookie } from './session-cookie.js';

/** Sign-up, sign-in and sign-out, and proofs of an address or a password. */
@Controller()
export class AuthController {
  constructor(
    private readonly signUps: SignUp,
    private readonly signIns: SignIn,
    private readonly sessions: Sessions,
    private readonly passwords: Passwords,
    private readonly account: OwnAccount,
    private readonly external: ExternalSignIn,
    private readonly cookie: SessionCookie,
    private readonly devices: CallerDevice,
    private readonly clock: WallClock,
  ) {}

  @Route(endpoints.signUp)
  async signUp({ body, request, response, refuse }: Call<typeof endpoints.signUp>) {
    const outcome = await this.signUps.run(body, this.devices.of(request));
    if (outcome.kind === 'refused') return refuse({ ...outcome.rejection });
    if (outcome.kind === 'confirmation needed') return { user: null, session: null };
    return this.answerSession(outcome.token, response);
  }

  @Route(endpoints.signIn)
  async signIn({ body, request, response, refuse }: Call<typeof endpoints.signIn>) {
    const outcome = await this.signIns.run(body, this.devices.of(request));
    if (outcome.kind === 'refused') return refuse(outcome.rejection);
    const answer = await this.answerSession(outcome.token, response);
    const linkToken = this.cookie.readForSignIn(request, LINK_COOKIE);
    if (linkToken) {
      await this.external.linkAfterPassword(linkToken, answer.user.id);
      this.cookie.clearForSignIn(response, LINK_COOKIE);
    }
    return answer;
  }

  @Route(endpoints.signOut)
  async signOut({ actor, response }: Call<typeof endpoints.signOut>): Promise<void> {
    if (actor) await this.sessions.end(actor.sessionId);
    this.cookie.clear(response);
  }

  /** Public: a replaced token identifies nobody any more, and must still end its session here. */
  @Route(endpoints.refresh)
  async refresh({ request, response, refuse }: Call<typeof endpoints.refresh>) {
    const token = sessionTokenOf(request);
    const renewed = token ? await this.sessions.renew(token) : undefined;
    const answer = renewed && (await this.answerOf(renewed, response));
    if (answer) return answer;
    this.cookie.clear(response);
    return refuse({ code: 'NotSignedIn' });
  }

  @Route(endpoints.readSession)
  async session({ request }: Call<typeof endpoints.readSession>) {
    const owner = await ownerOf(this.sessions, request);
    return owner ? { user: owner.user, expiresAt: unixSeconds(owner.expiresAt) } : { user: null };
  }

  @Route(endpoints.verifyEmail)
  async verifyEmail({ body, refuse }: Call<typeof endpoints.verifyEmail>): Promise<void> {
    const confirmed = await this.account.confirmEmail(body.token);
    if (!confirmed.accepted) refuse(confirmed.rejection);
  }

  @Route(endpoints.undoEmail)
  async undoEmail({ body, refuse }: Call<typeof endpoints.undoEmail>): Promise<void> {
    const undone = await this.account.undoEmailChange(body.token);
    if (!undone.accepted) refuse(undone.rejection);
  }

  /** 202 whether or not there is such an account. */
  @Route(endpoints.forgotPassword)
  async forgotPassword({ body }: Call<typeof endpoints.forgotPassword>) {
    await this.passwords.forgot(body.email);
    return {};
  }

  @Route(endpoints.resetPassword)
  async resetPassword({ body, response, refuse }: Call<typeof endpoints.resetPassword>): Promise<void> {
    const reset = await this.passwords.reset(body.token, body.password);
    if (!reset.accepted) return refuse({ ...reset.rejection });
    this.cookie.clear(response);
  }

  @Route(endpoints.changePassword)
  async changePassword({ actor, body, refuse }: Call<typeof endpoints.changePassword>): Promise<void> {
    const changed = await this.passwords.change(actor, body);
    if (!changed.accepted) refuse({ ...changed.rejection });
  }

  @Route(endpoints.confirm)
  async confirm({ actor, body, refuse }: Call<typeof endpoints.confirm>): Promise<void> {
    const confirmed = await this.passwords.confirm(actor, body.password);
    if (!confirmed.accepted) refuse(confirmed.rejection);
  }

  private async answerSession(issued: IssuedToken, response: HttpResponse): Promise<SignedIn> {
    const answer = await this.answerOf(issued, response);
    if (!answer) throw new ProblemException('NotSignedIn');
    return answer;
  }

  /** @returns undefined where the session has ended */
  private async answerOf({ token }: IssuedToken, response: HttpResponse): Promise<SignedIn | undefined> {
    const owner = await this.sessions.find(token);
    if (!owner) return undefined;
    const { user, expiresAt } = owner;
    this.cookie.set(response, { token, expiresAt });
    const expiresIn = Math.round((expiresAt.getTime() - this.clock.now().getTime()) / 1_000);
    return {
      user,
      session: { access_token: token, expires_at: unixSeconds(expiresAt), expires_in: expiresIn },
    };
  }
}

const unixSeconds = (time: Date): number => Math.floor(time.getTime() / 1_000);
