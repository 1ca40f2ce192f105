import { Controller, Header } from '@nestjs/common';
import { IMAGE_LIMIT_BYTES } from '../../application/media/values.js';
import * as endpoints from '../../application/accounts/endpoints.js';
import { OwnAccount } from '../../application/accounts/own-account.js';
import { OwnAvatar } from '../../application/profiles/own-avatar.js';
import { PersonalData } from '../../application/accounts/personal-data.js';
import { PersonalDataExport } from '../../application/accounts/personal-data-export.js';
import { Sessions } from '../../application/accounts/sessions/sessions.js';
import { Profiles } from '../../application/profiles/profiles.js';
import { decimalDollars } from '../../domain/shared/micro-usd.js';
import { readImageUpload } from '../platform/http/uploads.js';
import { ProblemException, tooManyRequests } from '../platform/http/request.js';
import { Route, type Call } from '../platform/http/route.js';
import { SessionCookie } from './session-cookie.js';
import { requireFreshSignIn, sessionTokenOf } from '../platform/http/session/session.guard.js';

const TOO_MANY_CHANGES = 'Too many changes of the e-mail address. Try again later.';

/** Changes, export and erasure of the caller's account. */
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
    // Reads the session again, so that the answer has the new name.
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

/** Whole cents, because payouts are in cents. */
const dollars = (microUsd: number): string => `$${decimalDollars(microUsd).slice(0, -4)}`;
