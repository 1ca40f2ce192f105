import { Controller, Get, Logger, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import * as z from 'zod';
import { ExternalSignIn, type SignInAttempt } from '../../application/accounts/external-sign-in.js';
import { IdentityProviderUnavailable } from '../../application/accounts/identity-provider.js';
import { AccessFor } from '../platform/http/access.js';
import { ProblemException } from '../platform/http/problems.js';
import { readCookie, type HttpRequest, type HttpResponse } from '../platform/http/request.js';
import { ATTEMPT_COOKIE, LINK_COOKIE, SessionCookie } from './session-cookie.js';
import { exactText } from '../../application/shared/contract.js';

const StartQuery = z.object({ returnTo: exactText().max(2_000).optional() });
const CallbackQuery = z.object({
  code: exactText().max(4_000).optional(),
  state: exactText().max(200).optional(),
});
const Attempt = z.object({
  state: z.string().min(20),
  nonce: z.string().min(20),
  codeVerifier: z.string().min(20),
  returnTo: z.string(),
});

/** There and back through Google's sign-in page. */
@ApiTags('Accounts')
@Controller('api/auth/google')
@AccessFor('public')
export class GoogleController {
  private readonly logger = new Logger('Google');

  constructor(
    private readonly signIns: ExternalSignIn,
    private readonly cookie: SessionCookie,
  ) {}

  /** Redirects to Google; 404 where Google is not configured. */
  @Get('start')
  async start(
    @Query({ schema: StartQuery }) { returnTo }: z.infer<typeof StartQuery>,
    @Res() response: HttpResponse,
  ): Promise<void> {
    const begun = await this.signIns.begin(returnTo);
    if (!begun)
      throw new ProblemException('NotFound', { detail: 'Signing in with Google is not configured.' });
    const attempt = Buffer.from(JSON.stringify(begun.attempt)).toString('base64url');
    this.cookie.setForSignIn(response, ATTEMPT_COOKIE, attempt);
    redirect(response, begun.url);
  }

  /** Redirects to where sign-in began, or to the sign-in page with what went wrong. */
  @Get('callback')
  async callback(
    @Query({ schema: CallbackQuery }) { code, state }: z.infer<typeof CallbackQuery>,
    @Req() request: HttpRequest,
    @Res() response: HttpResponse,
  ): Promise<void> {
    const attempt = readAttempt(request);
    this.cookie.clearForSignIn(response, ATTEMPT_COOKIE);
    if (!attempt) return redirect(response, refusedAt('/'));
    // The cookie came back through the browser, so its path is judged again.
    const returnTo = this.signIns.ownPath(attempt.returnTo);
    // Without a code the visitor changed their mind at Google.
    if (!code || !state) return redirect(response, refusedAt(returnTo));
    const outcome = await this.signIns.complete({ code, state }, attempt).catch((error: unknown) => {
      if (!(error instanceof IdentityProviderUnavailable)) throw error;
      this.logger.warn(error.message);
      return { kind: 'refused' as const };
    });
    if (outcome.kind === 'refused') return redirect(response, refusedAt(returnTo));
    if (outcome.kind === 'password needed') {
      this.cookie.setForSignIn(response, LINK_COOKIE, outcome.linkToken);
      return redirect(response, `/auth?${new URLSearchParams({ link: 'google', returnTo })}`);
    }
    this.cookie.set(response, outcome.token);
    redirect(response, returnTo);
  }
}

/** The sign-in page, which says that it did not work and still knows the way back. */
const refusedAt = (returnTo: string): string =>
  `/auth?${new URLSearchParams({ error: 'google', ...(returnTo === '/' ? {} : { returnTo }) })}`;

function readAttempt(request: HttpRequest): SignInAttempt | undefined {
  try {
    const text = Buffer.from(readCookie(request, ATTEMPT_COOKIE) ?? '', 'base64url').toString();
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
