import { Controller, Logger } from '@nestjs/common';
import * as endpoints from '../../application/accounts/endpoints.js';
import * as z from 'zod';
import { reject } from '../../domain/shared/decision.js';
import { ConfirmOwner, OwnAccount } from '../../application/accounts/own-account.js';
import { Passwords } from '../../application/accounts/passwords.js';
import { Sessions } from '../../application/accounts/sessions/sessions.js';
import { SignIn, SignUp } from '../../application/accounts/sign-in.js';
import { browserCookieOf, type HttpResponse } from '../platform/http/request.js';
import { Route, type Call } from '../platform/http/route.js';
import { ownerOf, sessionTokenOf } from '../platform/http/session/session.guard.js';
import {
  CallerDevice,
  tooManyCodes,
  PENDING_COOKIE,
  SessionCookie,
  SignedInAnswer,
  unixSeconds,
  ATTEMPT_COOKIE,
  LINK_COOKIE,
} from './signed-in-answer.js';
import { jsonOf } from '../../application/shared/text.js';
import { serverPaths } from '../../application/pages/paths.js';
import {
  ExternalSignIn,
  IdentityProviderUnavailable,
  type SignInAttempt,
} from '../../application/accounts/external-sign-in.js';

@Controller()
export class AuthController {
  constructor(
    private readonly signUps: SignUp,
    private readonly signIns: SignIn,
    private readonly sessions: Sessions,
    private readonly passwords: Passwords,
    private readonly account: OwnAccount,
    private readonly confirmations: ConfirmOwner,
    private readonly answers: SignedInAnswer,
    private readonly cookie: SessionCookie,
    private readonly devices: CallerDevice,
  ) {}

  @Route(endpoints.signUp)
  async signUp({ body, request, response, refuse }: Call<typeof endpoints.signUp>) {
    const outcome = await this.signUps.run(body, this.devices.of(request));
    if (!outcome.accepted) return refuse({ ...outcome.rejection });
    return outcome.token ? this.answers.begun(outcome.token, response) : { user: null, session: null };
  }

  @Route(endpoints.signIn)
  async signIn({ body, request, response, refuse }: Call<typeof endpoints.signIn>) {
    const browser = browserCookieOf(request);
    const outcome = await this.signIns.run({ ...body, browser }, this.devices.of(request));
    if (!outcome.accepted) return refuse(outcome.rejection);
    if (outcome.kind === 'signed in') return this.answers.begun(outcome.token, response);
    const { token, methods } = outcome.waiting;
    this.cookie.setForSignIn(response, PENDING_COOKIE, token);
    return { user: null, session: null, secondFactor: { methods } };
  }

  @Route(endpoints.signOut)
  async signOut({ actor, response }: Call<typeof endpoints.signOut>): Promise<void> {
    if (actor) await this.sessions.end(actor.sessionId);
    this.cookie.clear(response);
    // Clears only the cache. Clearing the storage would delete unsaved work, and without its cookies the browser
    // would count as unknown.
    response.setHeader('Clear-Site-Data', '"cache"');
  }

  /** Works without a valid session: a token that was already replaced must still end the session that a thief uses. */
  @Route(endpoints.refreshSession)
  async refresh({ request, response, refuse }: Call<typeof endpoints.refreshSession>) {
    const token = sessionTokenOf(request);
    const renewed = token ? await this.sessions.renew(token) : undefined;
    const answer = renewed && (await this.answers.of(renewed, response));
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
  async verifyEmail({ body, response, refuse }: Call<typeof endpoints.verifyEmail>) {
    const confirmed = await this.account.confirmEmail(body.token);
    if (!confirmed.accepted) return refuse(confirmed.rejection);
    const { firstCredits } = confirmed;
    if (firstCredits === 0) return undefined;
    response.statusCode = 200;
    return { firstCredits };
  }

  @Route(endpoints.undoEmail)
  async undoEmail({ body, refuse }: Call<typeof endpoints.undoEmail>): Promise<void> {
    const undone = await this.account.undoEmailChange(body.token);
    if (!undone.accepted) refuse(undone.rejection);
  }

  /** Answers 202 in any case, so that the answer does not reveal whether the account exists. */
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
    await this.answers.remember(reset.userId, response);
  }

  @Route(endpoints.changePassword)
  async changePassword({
    actor,
    body,
    response,
    refuse,
  }: Call<typeof endpoints.changePassword>): Promise<void> {
    const changed = await this.passwords.change(actor, body);
    if (!changed.accepted) return refuse({ ...changed.rejection });
    await this.answers.remember(actor.userId, response);
  }

  @Route(endpoints.confirmIdentity)
  async confirm({ actor, body, refuse }: Call<typeof endpoints.confirmIdentity>): Promise<void> {
    const confirmed = await this.confirmations.run(actor, body);
    if (confirmed.accepted) return;
    const { rejection } = confirmed;
    if (rejection.code === 'TooManyRequests') throw tooManyCodes(rejection.retryAfterSeconds);
    refuse(rejection);
  }
}

const Attempt = z.object({
  state: z.string().min(20),
  nonce: z.string().min(20),
  codeVerifier: z.string().min(20),
  returnTo: z.string(),
});

@Controller()
export class GoogleController {
  private readonly logger = new Logger('Google');

  constructor(
    private readonly signIns: ExternalSignIn,
    private readonly answers: SignedInAnswer,
    private readonly cookie: SessionCookie,
    private readonly devices: CallerDevice,
  ) {}

  @Route(endpoints.startGoogle)
  async start({ query, response, refuse }: Call<typeof endpoints.startGoogle>): Promise<void> {
    const begun = await this.signIns.begin(query.returnTo);
    if (!begun) return refuse({ code: 'NotFound', detail: 'Signing in with Google is not configured.' });
    const attempt = Buffer.from(JSON.stringify(begun.attempt)).toString('base64url');
    this.cookie.setForSignIn(response, ATTEMPT_COOKIE, attempt);
    redirect(response, begun.url);
  }

  /**
   * Redirects to the page on which the sign-in began, or to the sign-in page if another step is needed or the
   * sign-in failed.
   */
  @Route(endpoints.finishGoogle)
  async callback({ query, request, response }: Call<typeof endpoints.finishGoogle>): Promise<void> {
    const { code, state } = query;
    const attempt = readAttempt(this.cookie.readForSignIn(request, ATTEMPT_COOKIE));
    this.cookie.clearForSignIn(response, ATTEMPT_COOKIE);
    if (!attempt) return redirect(response, refusedAt('/'));
    // The path comes from a cookie, which the browser could have changed, so it is checked again.
    const returnTo = this.signIns.ownPath(attempt.returnTo);
    // Google sends no code if the visitor cancelled the sign-in.
    if (!code || !state) return redirect(response, refusedAt(returnTo));
    const device = this.devices.of(request);
    const outcome = await this.signIns.complete({ code, state }, attempt, device).catch((error: unknown) => {
      if (!(error instanceof IdentityProviderUnavailable)) throw error;
      this.logger.warn(error.message);
      return reject({ code: 'IdentityRefused' });
    });
    if (!outcome.accepted) return redirect(response, refusedAt(returnTo));
    if (outcome.kind === 'password needed') {
      this.cookie.setForSignIn(response, LINK_COOKIE, outcome.linkToken);
      return redirect(response, serverPaths.authWith({ link: 'google', returnTo }));
    }
    if (outcome.kind === 'second factor') {
      this.cookie.setForSignIn(response, PENDING_COOKIE, outcome.waiting.token);
      return redirect(response, serverPaths.authWith({ step: 'second', returnTo }));
    }
    const answer = await this.answers.of(outcome.token, response);
    if (answer) await this.answers.remember(answer.user.id, response);
    redirect(response, returnTo);
  }
}

/** Returns the address of the sign-in page with an error and the page to return to. */
const refusedAt = (returnTo: string): string =>
  serverPaths.authWith({ error: 'google', ...(returnTo === '/' ? {} : { returnTo }) });

const readAttempt = (cookie = ''): SignInAttempt | undefined =>
  Attempt.safeParse(jsonOf(Buffer.from(cookie, 'base64url').toString())).data;

function redirect(response: HttpResponse, location: string): void {
  response.statusCode = 303;
  response.setHeader('Location', location);
  response.end();
}
