import { AVATAR_LIMIT_BYTES, type OwnAvatar } from '../accounts/own-account.js';
import type { BucketSource, SourceFile } from '../ports/bucket-source.js';
import { NETWORKS } from '../profiles/contract.js';
import type { CreatorProfiles } from '../profiles/creator-profiles.js';
import { read } from './bucket-pack.js';
import { sharedAvatars, type BucketProfile } from './bucket-profile.js';

export interface ProfileImportDesk {
  source: BucketSource;
  creatorProfiles: CreatorProfiles;
  avatars: OwnAvatar;
}

/** Brings over what creators say of themselves, where they have not said anything here. */
export class ImportProfiles {
  #shared: Promise<Map<string, SourceFile>> | undefined;

  constructor(private readonly desk: ProfileImportDesk) {}

  /**
   * @param formerId the creator's user id in the bucket, under which a picture may lie
   * @returns what was brought over
   * @throws with a sentence for the report when the picture cannot be one
   */
  async run(
    userId: string,
    { body, avatar }: BucketProfile,
    formerId: string | undefined,
  ): Promise<{ profile: boolean; avatar: boolean }> {
    const { creatorProfiles } = this.desk;
    const before = await creatorProfiles.read(userId);
    const hasSaid = [before.bio, ...NETWORKS.map((network) => before[network])].some((said) => said !== '');
    const brings = !hasSaid && Object.keys(body).length > 0;
    if (brings) await creatorProfiles.save(userId, body);
    if (before.avatarUrl !== null) return { profile: brings, avatar: false };
    const picture =
      avatar ?? (formerId === undefined ? undefined : (await this.shared()).get(formerId.toLowerCase()));
    if (picture) await this.showAvatar(userId, picture);
    return { profile: brings, avatar: picture !== undefined };
  }

  private async showAvatar(userId: string, { key, sizeBytes }: SourceFile): Promise<void> {
    if (sizeBytes > AVATAR_LIMIT_BYTES) throw new Error(`the picture ${key} is larger than 5 MiB`);
    const outcome = await this.desk.avatars.replace(userId, await read(this.desk.source, key));
    if (!outcome.ok) throw new Error(`the picture ${key} cannot be shown (${outcome.rejection.code})`);
  }

  private shared(): Promise<Map<string, SourceFile>> {
    return (this.#shared ??= sharedAvatars(this.desk.source));
  }
}
