import { Body, Controller, Delete, Get, Header, HttpCode, Patch, Put, Req, Res } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import type * as z from 'zod';
import {
  AvatarAnswer,
  EraseAnswer,
  EraseMeBody,
  MeAnswer,
  UpdateMeBody,
} from '../../application/accounts/contract.js';
import { AVATAR_LIMIT_BYTES, OwnAccount, OwnAvatar } from '../../application/accounts/own-account.js';
import { PersonalData } from '../../application/accounts/personal-data.js';
import { Sessions } from '../../application/accounts/sessions.js';
import { Profiles } from '../../application/profiles/profiles.js';
import { decimalDollars } from '../../domain/shared/micro-usd.js';
import { AccessFor, CurrentActor, NeedsFreshSignIn, type Actor } from '../platform/http/access.js';
import { Takes } from '../platform/http/bodies/body.js';
import { readImageUpload } from '../platform/http/uploads/image-upload.js';
import { ProblemException, refuse } from '../platform/http/problems.js';
import { RateLimited } from '../platform/http/rate-limits.js';
import {
  readBearer,
  readCookie,
  SESSION_COOKIE,
  type HttpRequest,
  type HttpResponse,
} from '../platform/http/request.js';
import { SessionCookie } from './session-cookie.js';
import { laterWhereNotCounted } from '../platform/http/not-counted.js';
import { requireFreshSignIn } from '../platform/http/session.guard.js';

/** What people change, take along and erase of their own. */
@ApiTags('Accounts')
@Controller('api/me')
@AccessFor('user')
export class MeController {
  constructor(
    private readonly account: OwnAccount,
    private readonly avatars: OwnAvatar,
    private readonly personalData: PersonalData,
    private readonly sessions: Sessions,
    private readonly profiles: Profiles,
    private readonly cookie: SessionCookie,
  ) {}

  @Patch()
  @ApiResponse({ status: 200, standardSchema: MeAnswer })
  async update(
    @CurrentActor() actor: Actor,
    @Body({ schema: UpdateMeBody }) body: z.infer<typeof UpdateMeBody>,
    @Req() request: HttpRequest,
  ): Promise<MeAnswer> {
    let emailToConfirm: string | undefined;
    if (body.email !== undefined) {
      requireFreshSignIn(this.sessions, actor);
      const outcome = await this.account.changeEmail(actor.userId, body.email);
      if (outcome.kind === 'too many') throw tooMany(outcome.retryAfterSeconds);
      if (outcome.kind === 'to be confirmed') emailToConfirm = body.email;
    }
    if (body.displayName !== undefined) await this.profiles.chooseName(actor.userId, body.displayName);
    // Read again, as the next request will see it.
    const owner = await this.sessions.find(readBearer(request) ?? readCookie(request, SESSION_COOKIE) ?? '');
    if (!owner) throw new ProblemException('NotSignedIn');
    return { user: owner.user, ...(emailToConfirm ? { emailToConfirm } : {}) };
  }

  @Put('avatar')
  @Takes('multipart')
  @RateLimited('picture')
  @ApiResponse({ status: 200, standardSchema: AvatarAnswer })
  async replaceAvatar(
    @CurrentActor() actor: Actor,
    @Req() request: HttpRequest,
  ): Promise<z.infer<typeof AvatarAnswer>> {
    const image = await readImageUpload(request, AVATAR_LIMIT_BYTES);
    const replaced = await this.avatars.replace(actor.userId, image);
    return replaced.ok ? { avatarUrl: replaced.avatarUrl } : refuse({ ...replaced.rejection });
  }

  /** Everything kept about the caller, as JSON. */
  @Get('export')
  @Header('Content-Disposition', 'attachment; filename="offcut-export.json"')
  async export(@CurrentActor() actor: Actor): Promise<Record<string, unknown>> {
    return this.personalData.export(actor.userId);
  }

  /** 204; 200 with the code of a claim where money was owed and the body asks for one. */
  @Delete()
  @HttpCode(204)
  @NeedsFreshSignIn()
  @ApiResponse({ status: 204, description: 'Deleted' })
  @ApiResponse({ status: 200, standardSchema: EraseAnswer })
  async erase(
    @CurrentActor() actor: Actor,
    @Body({ schema: EraseMeBody }) body: z.infer<typeof EraseMeBody>,
    @Res({ passthrough: true }) response: HttpResponse,
  ): Promise<EraseAnswer | undefined> {
    const outcome = await this.personalData
      .erase(actor.userId, { claimPayout: body?.claimPayout ?? false })
      .catch(laterWhereNotCounted);
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

/** In whole cents, as it can be paid. */
const dollars = (microUsd: number): string => `$${decimalDollars(microUsd).slice(0, -4)}`;

const tooMany = (retryAfterSeconds: number): ProblemException =>
  new ProblemException(
    'TooManyRequests',
    { detail: 'Too many changes of the e-mail address. Try again later.', retryAfterSeconds },
    { 'Retry-After': String(retryAfterSeconds) },
  );
