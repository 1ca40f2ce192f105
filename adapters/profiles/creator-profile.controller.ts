import { Body, Controller, Get, Put, Req } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import type * as z from 'zod';
import { AVATAR_LIMIT_BYTES, OwnAvatar } from '../../application/accounts/own-account.js';
import {
  CreatorAvatarAnswer,
  FeaturedCandidates,
  OwnProfile,
  ProfileBody,
} from '../../application/profiles/contract.js';
import { CreatorProfiles } from '../../application/profiles/creator-profiles.js';
import { AccessFor, CurrentActor, type Actor } from '../platform/http/access.js';
import { Takes } from '../platform/http/bodies/body.js';
import { readImageUpload } from '../platform/http/uploads/image-upload.js';
import { ProblemException, refuse } from '../platform/http/problems.js';
import { RateLimited } from '../platform/http/rate-limits.js';
import type { HttpRequest } from '../platform/http/request.js';

const AVATAR_ERROR = 'Failed to upload avatar. Please try again.';

/** How the caller appears to listeners. */
@ApiTags('Creators')
@Controller('api/creator')
@AccessFor('user')
export class CreatorProfileController {
  constructor(
    private readonly profiles: CreatorProfiles,
    private readonly avatars: OwnAvatar,
  ) {}

  @Get('profile')
  @ApiResponse({ status: 200, standardSchema: OwnProfile })
  async read(@CurrentActor() actor: Actor): Promise<OwnProfile> {
    return this.profiles.read(actor.userId);
  }

  @Put('profile')
  @ApiResponse({ status: 200, standardSchema: OwnProfile })
  async save(
    @CurrentActor() actor: Actor,
    @Body({ schema: ProfileBody }) body: ProfileBody,
  ): Promise<OwnProfile> {
    const outcome = await this.profiles.save(actor.userId, body);
    return outcome.ok ? outcome.profile : refuse(outcome.rejection);
  }

  @Put('avatar')
  @Takes('multipart')
  @RateLimited('picture')
  @ApiResponse({ status: 200, standardSchema: CreatorAvatarAnswer })
  async replaceAvatar(
    @CurrentActor() actor: Actor,
    @Req() request: HttpRequest,
  ): Promise<z.infer<typeof CreatorAvatarAnswer>> {
    const image = await readImageUpload(request, AVATAR_LIMIT_BYTES).catch((error: unknown) => {
      // Former clients read the reason in `error`.
      if (error instanceof ProblemException) error.details.error = AVATAR_ERROR;
      throw error;
    });
    const replaced = await this.avatars.replace(actor.userId, image);
    if (!replaced.ok) return refuse({ ...replaced.rejection, error: AVATAR_ERROR });
    return { success: true, avatarUrl: replaced.avatarUrl };
  }

  /** What the caller can feature: own samples that listeners can find, newest first. */
  @Get('featured-candidates')
  @ApiResponse({ status: 200, standardSchema: FeaturedCandidates })
  async candidates(@CurrentActor() actor: Actor): Promise<FeaturedCandidates> {
    return { items: await this.profiles.candidates(actor.userId) };
  }
}
