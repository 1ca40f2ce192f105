import { Injectable } from '@nestjs/common';
import type { SignedIn } from '../../application/accounts/contract.js';
import { ExternalSignIn } from '../../application/accounts/external-sign-in/external-sign-in.js';
import { RememberedBrowsers } from '../../application/accounts/sessions/remembered-browsers.js';
import {
  hashToken,
  newSecret,
  Sessions,
  type IssuedToken,
} from '../../application/accounts/sessions/sessions.js';
import { WallClock } from '../../application/shared/clock.js';
import { browserCookieOf, ProblemException, type HttpResponse } from '../platform/http/request.js';
import { LINK_COOKIE, PENDING_COOKIE, SessionCookie } from './session-cookie.js';

export const unixSeconds = (time: Date): number => Math.floor(time.getTime() / 1_000);

/** The response and cookies of a session that starts or is renewed. */
@Injectable()
export class SignedInAnswer {
  constructor(
    private readonly sessions: Sessions,
    private readonly external: ExternalSignIn,
    private readonly browsers: RememberedBrowsers,
    private readonly cookie: SessionCookie,
    private readonly clock: WallClock,
  ) {}

  /** For a new session. Links a Google identity that waited for this account's password. */
  async begun(issued: IssuedToken, response: HttpResponse): Promise<SignedIn> {
    const answer = await this.of(issued, response);
    if (!answer) throw new ProblemException('NotSignedIn');
    await this.remember(answer.user.id, response);
    const linkToken = this.cookie.readForSignIn(response.req, LINK_COOKIE);
    if (linkToken) {
      await this.external.linkAfterPassword(linkToken, answer.user.id);
      this.cookie.clearForSignIn(response, LINK_COOKIE);
    }
    if (this.cookie.readForSignIn(response.req, PENDING_COOKIE))
      this.cookie.clearForSignIn(response, PENDING_COOKIE);
    return answer;
  }

  /** Marks this browser as the user's: its sign-ins take precedence over strangers who guess the password. */
  async remember(userId: string, response: HttpResponse): Promise<void> {
    const token = browserCookieOf(response.req) ?? newSecret();
    await this.browsers.remember(userId, hashToken(token), this.clock.now());
    this.cookie.setBrowser(response, token);
  }

  /** @returns undefined if the session has ended */
  async of({ token }: IssuedToken, response: HttpResponse): Promise<SignedIn | undefined> {
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
