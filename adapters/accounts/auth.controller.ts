import { Body, Controller, Get, HttpCode, Post, Put, Req, Res } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import type * as z from 'zod';
import {
  ChangePasswordBody,
  ConfirmBody,
  ForgotPasswordBody,
  ResetPasswordBody,
  SessionAnswer,
  SignedIn,
  SignInBody,
  SignUpBody,
  SignUpAnswer,
  TokenBody,
} from '../../application/accounts/contract.js';
import { ExternalSignIn } from '../../application/accounts/external-sign-in.js';
import { OwnAccount } from '../../application/accounts/own-account.js';
import { Passwords } from '../../application/accounts/passwords.js';
import { Sessions, type IssuedToken } from '../../application/accounts/sessions.js';
import { SignIn } from '../../application/accounts/sign-in.js';
import { SignUp } from '../../application/accounts/sign-up.js';
import { WallClock } from '../../application/shared/clock.js';
import { AccessFor, CurrentActor, type Actor } from '../platform/http/access.js';
import { ProblemException, refuse } from '../platform/http/problems.js';
import { RateLimited } from '../platform/http/rate-limits.js';
import {
  readBearer,
  readCookie,
  SESSION_COOKIE,
  type HttpRequest,
  type HttpResponse,
} from '../platform/http/request.js';
import { LINK_COOKIE, SessionCookie } from './session-cookie.js';

/** Signing up, in and out, and what proves an address or a password. */
@ApiTags('Accounts')
@Controller('api/auth')
export class AuthController {
  constructor(
    private readonly signUps: SignUp,
    private readonly signIns: SignIn,
    private readonly sessions: Sessions,
    private readonly passwords: Passwords,
    private readonly account: OwnAccount,
    private readonly external: ExternalSignIn,
    private readonly cookie: SessionCookie,
    private readonly clock: WallClock,
  ) {}

  @Post('sign-up')
  @AccessFor('public')
  @RateLimited('sign-up')
  @ApiResponse({ status: 201, standardSchema: SignUpAnswer })
  async signUp(
    @Body({ schema: SignUpBody }) body: z.infer<typeof SignUpBody>,
    @Res({ passthrough: true }) response: HttpResponse,
  ): Promise<SignUpAnswer> {
    const outcome = await this.signUps.run(body);
    if (outcome.kind === 'refused') return refuse({ ...outcome.rejection });
    if (outcome.kind === 'confirmation needed') return { user: null, session: null };
    return this.answerSession(outcome.token, response);
  }

  @Post('sign-in')
  @HttpCode(200)
  @AccessFor('public')
  @RateLimited('sign-in')
  @ApiResponse({ status: 200, standardSchema: SignedIn })
  async signIn(
    @Body({ schema: SignInBody }) body: z.infer<typeof SignInBody>,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) response: HttpResponse,
  ): Promise<SignedIn> {
    const outcome = await this.signIns.run(body);
    if (outcome.kind === 'refused') return refuse(outcome.rejection);
    const answer = await this.answerSession(outcome.token, response);
    const linkToken = readCookie(request, LINK_COOKIE);
    if (linkToken) {
      await this.external.linkAfterPassword(linkToken, answer.user.id);
      this.cookie.clearForSignIn(response, LINK_COOKIE);
    }
    return answer;
  }

  @Post('sign-out')
  @HttpCode(204)
  @AccessFor('public')
  async signOut(
    @CurrentActor() actor: Actor | undefined,
    @Res({ passthrough: true }) response: HttpResponse,
  ): Promise<void> {
    if (actor) await this.sessions.end(actor.sessionId);
    this.cookie.clear(response);
  }

  /** Public: a token that was replaced names nobody any more, and must still end its session here. */
  @Post('refresh')
  @HttpCode(200)
  @AccessFor('public')
  @ApiResponse({ status: 200, standardSchema: SignedIn })
  async refresh(
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) response: HttpResponse,
  ): Promise<SignedIn> {
    const token = readBearer(request) ?? readCookie(request, SESSION_COOKIE);
    const renewed = token ? await this.sessions.renew(token) : undefined;
    if (!renewed) {
      this.cookie.clear(response);
      throw new ProblemException('NotSignedIn');
    }
    return this.answerSession(renewed, response);
  }

  @Get('session')
  @AccessFor('public')
  @ApiResponse({ status: 200, standardSchema: SessionAnswer })
  async session(@Req() request: HttpRequest): Promise<SessionAnswer> {
    const token = readBearer(request) ?? readCookie(request, SESSION_COOKIE);
    const owner = token ? await this.sessions.find(token) : undefined;
    return owner ? { user: owner.user, expiresAt: unixSeconds(owner.expiresAt) } : { user: null };
  }

  @Post('verify-email')
  @HttpCode(204)
  @AccessFor('public')
  @RateLimited('reset')
  async verifyEmail(@Body({ schema: TokenBody }) { token }: z.infer<typeof TokenBody>): Promise<void> {
    const confirmed = await this.account.confirmEmail(token);
    if (!confirmed.accepted) refuse(confirmed.rejection);
  }

  /** Gives the account back to the address it was moved from, and ends every session. */
  @Post('undo-email')
  @HttpCode(204)
  @AccessFor('public')
  @RateLimited('reset')
  async undoEmail(@Body({ schema: TokenBody }) { token }: z.infer<typeof TokenBody>): Promise<void> {
    const undone = await this.account.undoEmailChange(token);
    if (!undone.accepted) refuse(undone.rejection);
  }

  /** 202 whether or not there is such an account. */
  @Post('password/forgot')
  @HttpCode(202)
  @AccessFor('public')
  @RateLimited('reset')
  async forgotPassword(
    @Body({ schema: ForgotPasswordBody }) { email }: z.infer<typeof ForgotPasswordBody>,
  ): Promise<Record<string, never>> {
    await this.passwords.forgot(email);
    return {};
  }

  @Post('password/reset')
  @HttpCode(204)
  @AccessFor('public')
  @RateLimited('reset')
  async resetPassword(
    @Body({ schema: ResetPasswordBody }) body: z.infer<typeof ResetPasswordBody>,
    @Res({ passthrough: true }) response: HttpResponse,
  ): Promise<void> {
    const reset = await this.passwords.reset(body.token, body.password);
    if (!reset.accepted) return refuse({ ...reset.rejection });
    this.cookie.clear(response);
  }

  @Put('password')
  @HttpCode(204)
  @AccessFor('user')
  @RateLimited('sign-in')
  async changePassword(
    @CurrentActor() actor: Actor,
    @Body({ schema: ChangePasswordBody }) body: z.infer<typeof ChangePasswordBody>,
  ): Promise<void> {
    const changed = await this.passwords.change(actor, body);
    if (!changed.accepted) refuse({ ...changed.rejection });
  }

  /** The password given again in this session, for what a session alone may not do. */
  @Post('confirm')
  @HttpCode(204)
  @AccessFor('user')
  @RateLimited('sign-in')
  async confirm(
    @CurrentActor() actor: Actor,
    @Body({ schema: ConfirmBody }) { password }: z.infer<typeof ConfirmBody>,
  ): Promise<void> {
    const confirmed = await this.passwords.confirm(actor, password);
    if (!confirmed.accepted) refuse(confirmed.rejection);
  }

  private async answerSession(issued: IssuedToken, response: HttpResponse): Promise<SignedIn> {
    const owner = await this.sessions.find(issued.token);
    if (!owner) throw new ProblemException('NotSignedIn');
    this.cookie.set(response, issued);
    const expiresIn = Math.round((issued.expiresAt.getTime() - this.clock.now().getTime()) / 1_000);
    return {
      user: owner.user,
      session: {
        access_token: issued.token,
        expires_at: unixSeconds(issued.expiresAt),
        expires_in: expiresIn,
      },
    };
  }
}

const unixSeconds = (time: Date): number => Math.floor(time.getTime() / 1_000);
