import { serverPaths } from '../../application/pages/paths.js';
import { Controller, Logger } from '@nestjs/common';
import * as z from 'zod';
import { finishGoogle, startGoogle } from '../../application/accounts/endpoints.js';
import {
  ExternalSignIn,
  type SignInAttempt,
} from '../../application/accounts/external-sign-in/external-sign-in.js';
import { IdentityProviderUnavailable } from '../../application/accounts/external-sign-in/identity-provider.js';
import { reject } from '../../domain/shared/decision.js';
import { Route, type Call } from '../platform/http/route.js';
import type { HttpResponse } from '../platform/http/request.js';
import { CallerDevice } from './caller-device.js';
import { ATTEMPT_COOKIE, LINK_COOKIE, PENDING_COOKIE, SessionCookie } from './session-cookie.js';
import { SignedInAnswer } from './signed-in-answer.js';

const Attempt = z.object({
  state: z.string().min(20),
  nonce: z.string().min(20),
  codeVerifier: z.string().min(20),
  returnTo: z.string(),
});

/** Sign-in with Google. */
@Controller()
export class GoogleController {
  private readonly logger = new Logger('Google');

  constructor(
    private readonly signIns: ExternalSignIn,
    private readonly answers: SignedInAnswer,
    private readonly cookie: SessionCookie,
    private readonly devices: CallerDevice,
  ) {}

  @Route(startGoogle)
  async start({ query, response, refuse }: Call<typeof startGoogle>): Promise<void> {
    const begun = await this.signIns.begin(query.returnTo);
    if (!begun) return refuse({ code: 'NotFound', detail: 'Signing in with Google is not configured.' });
    const attempt = Buffer.from(JSON.stringify(begun.attempt)).toString('base64url');
    this.cookie.setForSignIn(response, ATTEMPT_COOKIE, attempt);
    redirect(response, begun.url);
  }

  /** Redirects to the page on which sign-in began, or to the sign-in page with the error. */
  @Route(finishGoogle)
  async callback({ query, request, response }: Call<typeof finishGoogle>): Promise<void> {
    const { code, state } = query;
    const attempt = readAttempt(this.cookie.readForSignIn(request, ATTEMPT_COOKIE));
    this.cookie.clearForSignIn(response, ATTEMPT_COOKIE);
    if (!attempt) return redirect(response, refusedAt('/'));
    // The cookie came from the browser, so its path is checked again.
    const returnTo = this.signIns.ownPath(attempt.returnTo);
    // Google sends no code if the visitor cancelled.
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

/** The sign-in page with the error. It keeps the page to return to. */
const refusedAt = (returnTo: string): string =>
  serverPaths.authWith({ error: 'google', ...(returnTo === '/' ? {} : { returnTo }) });

function readAttempt(cookie: string | undefined): SignInAttempt | undefined {
  try {
    const text = Buffer.from(cookie ?? '', 'base64url').toString();
    return Attempt.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

function redirect(response: HttpResponse, location: string): void {
  response.statusCode = 303;
  response.setHeader('Location', location);
  response.end();
}
