import { Controller } from '@nestjs/common';
import { IMAGE_LIMIT_BYTES } from '../../application/media/values.js';
import { OwnAvatar, CreatorProfiles } from '../../application/profiles/creator-profiles.js';
import * as endpoints from '../../application/profiles/endpoints.js';
import { ProblemException } from '../platform/http/request.js';
import { Route, type Call } from '../platform/http/route.js';
import { readImageUpload } from '../platform/http/uploads.js';

const AVATAR_ERROR = 'Failed to upload avatar. Please try again.';

@Controller()
export class CreatorProfileController {
  constructor(
    private readonly profiles: CreatorProfiles,
    private readonly avatars: OwnAvatar,
  ) {}

  @Route(endpoints.readProfile)
  read({ actor }: Call<typeof endpoints.readProfile>) {
    return this.profiles.read(actor.userId);
  }

  @Route(endpoints.saveProfile)
  async save({ actor, body, refuse }: Call<typeof endpoints.saveProfile>) {
    const outcome = await this.profiles.save(actor.userId, body);
    return outcome.accepted ? outcome.profile : refuse(outcome.rejection);
  }

  @Route(endpoints.replaceCreatorAvatar)
  async replaceAvatar({ actor, request, refuse }: Call<typeof endpoints.replaceCreatorAvatar>) {
    const image = await readImageUpload(request, IMAGE_LIMIT_BYTES).catch((error: unknown) => {
      // Old clients read the reason in `error`.
      if (error instanceof ProblemException) error.details.error = AVATAR_ERROR;
      throw error;
    });
    const replaced = await this.avatars.replace(actor.userId, image);
    if (!replaced.accepted) return refuse({ ...replaced.rejection, error: AVATAR_ERROR });
    return { success: true as const, avatarUrl: replaced.avatarUrl };
  }

  @Route(endpoints.listCandidates)
  async candidates({ actor, query }: Call<typeof endpoints.listCandidates>) {
    return { items: await this.profiles.candidates(actor.userId, query.q) };
  }
}
