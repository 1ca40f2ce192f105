import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { reject, type Outcome } from '../../domain/shared/decision.js';
import { AccountStore } from '../accounts/account-store.js';
import { avatarUrl } from '../accounts/avatar-url.js';
import { ImageStudio, type ImageRejection } from '../media/image-studio.js';
import { removePicture } from '../media/narrow-pictures.js';
import { IMAGE_LIMIT_BYTES, MEDIA_CACHE, PICTURES } from '../media/values.js';
import { ObjectStorage } from '../storage/object-storage.js';
import { ProfileFiles } from './profile-files.js';
import { Profiles } from './profiles.js';

/** Replaces users' avatars. An avatar is re-encoded and named by its content. */
@Injectable()
export class OwnAvatar {
  constructor(
    private readonly accounts: AccountStore,
    private readonly images: ImageStudio,
    private readonly storage: ObjectStorage,
    private readonly profileFiles: ProfileFiles,
    private readonly profiles: Profiles,
  ) {}

  /** @returns the address of the new avatar */
  async replace(
    userId: string,
    bytes: Buffer,
  ): Promise<Outcome<{ avatarUrl: string }, ImageRejection | { code: 'CreatorSuspended' }>> {
    const obstacle = await this.profiles.obstacle(userId);
    if (obstacle) return reject(obstacle);
    const made = await this.images.squareWebp(bytes, {
      sizePx: PICTURES.avatars.fullPx,
      accepts: ['jpeg', 'png', 'gif', 'webp'],
      limitBytes: IMAGE_LIMIT_BYTES,
    });
    if (!made.accepted) return made;
    // The name includes the owner, so that two users with the same picture can each remove theirs.
    const name = createHash('sha256').update(`${userId}:${made.sha256}`).digest('hex');
    const avatarKey = `media/avatars/${name}.webp`;
    await this.storage.put(avatarKey, made.webp, {
      contentType: 'image/webp',
      cacheControl: MEDIA_CACHE,
    });
    await this.profileFiles.showAvatar(userId, avatarKey);
    const before = (await this.accounts.findById(userId))?.avatarKey ?? null;
    await this.accounts.setAvatar(userId, avatarKey);
    if (before && before !== avatarKey) await removePicture(this.storage, before);
    return { accepted: true, avatarUrl: avatarUrl(avatarKey) };
  }
}
