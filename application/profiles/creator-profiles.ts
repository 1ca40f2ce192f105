import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { defaultHandle } from '../../domain/profiles/handle.js';
import { reject, type Outcome } from '../../domain/shared/decision.js';
import {
  avatarUrl,
  AccountStore,
  existingAccount,
  type Account,
  type NameTaken,
} from '../accounts/account-store.js';
import { Clock } from '../shared/clock.js';
import {
  CreatorProfileStore,
  ProfileTableMissing,
  type ListedSample,
  type StoredProfile,
} from './profile-store.js';
import { fileUrlOf, keyOfFileUrl } from '../storage/layout.js';
import type { FeaturedSample, OwnProfile, ProfileBody } from './contract.js';
import { CANDIDATES_LIMIT, FEATURED_LIMIT, NETWORKS, socialLink } from './values.js';
import { profileDocument, readProfileDocument, ProfileFiles } from './profile-files.js';
import { Profiles } from './profiles.js';
import { ImageStudio, type ImageRejection } from '../media/image-studio.js';
import { removePicture } from '../media/narrow-pictures.js';
import { IMAGE_LIMIT_BYTES, MEDIA_CACHE, PICTURES } from '../media/values.js';
import { ObjectStorage } from '../storage/object-storage.js';

export type ProfileOutcome = Outcome<
  { profile: OwnProfile },
  { code: 'FeaturedTwice' | 'SampleNotAvailable' | 'CreatorSuspended' } | NameTaken
>;

const EMPTY = { bio: '', socials: {}, featuredSampleIds: [] };

@Injectable()
export class CreatorProfiles {
  constructor(
    private readonly store: CreatorProfileStore,
    private readonly accounts: AccountStore,
    private readonly profiles: Profiles,
    private readonly files: ProfileFiles,
    private readonly clock: Clock,
  ) {}

  /** Returns the user's own profile, from `profile.json` if the table is missing. */
  async read(userId: string): Promise<OwnProfile> {
    const account = await existingAccount(this.accounts, userId);
    try {
      const stored = await this.store.find(userId);
      const username = (await this.profiles.ensure(userId)).handle;
      return await this.shown(account, username, stored, 'table');
    } catch (error) {
      if (!(error instanceof ProfileTableMissing)) throw error;
      const stored = readProfileDocument(await this.files.readProfile(userId));
      return this.shown(account, defaultHandle(account.displayName), stored, 'storage');
    }
  }

  /** Changes the fields that the body contains. Always writes `profile.json`, and also the table if it exists. */
  async save(userId: string, body: ProfileBody): Promise<ProfileOutcome> {
    const obstacle = await this.profiles.obstacle(userId);
    if (obstacle) return reject(obstacle);
    const before = await this.read(userId);
    const chosen = await this.chosen(userId, body.samples ?? before.samples);
    if (new Set(chosen).size < chosen.length) return reject({ code: 'FeaturedTwice' });
    const samples = await this.store.listedAmong(
      userId,
      chosen.filter((id) => id !== undefined),
    );
    if (body.samples && samples.length < chosen.length) return reject({ code: 'SampleNotAvailable' });
    const socials = Object.fromEntries(
      NETWORKS.map((network) => [network, socialLink(network, body[network] ?? before[network]) ?? '']),
    );
    const stored: StoredProfile = {
      bio: body.bio ?? before.bio,
      socials,
      featuredSampleIds: samples.map(({ id }) => id),
      updatedAt: this.clock.now(),
    };
    let { username } = before;
    if (body.displayName !== undefined) {
      // The handle cannot follow the name while the table is missing.
      const inTable = before.savedTo === 'table';
      const named = await this.profiles[inTable ? 'chooseName' : 'setName'](userId, body.displayName);
      if (!named.accepted) return named;
      if (inTable) username = (await this.profiles.ensure(userId)).handle;
    }
    const savedTo = before.savedTo === 'table' ? await this.keep(userId, stored) : 'storage';
    const after = await this.shown(await existingAccount(this.accounts, userId), username, stored, savedTo);
    await this.mirror(after);
    return { accepted: true, profile: after };
  }

  /** Returns the newest listed samples that the user can feature. @param text a part of a sample or pack title */
  async candidates(userId: string, text?: string): Promise<FeaturedSample[]> {
    return (await this.store.listed(userId, CANDIDATES_LIMIT, text)).map(asFeatured);
  }

  async listedAmong(userId: string, sampleIds: readonly string[]): Promise<string[]> {
    return (await this.store.listedAmong(userId, sampleIds)).map(({ id }) => id);
  }

  private async keep(userId: string, stored: StoredProfile): Promise<OwnProfile['savedTo']> {
    try {
      await this.store.save(userId, stored);
      return 'table';
    } catch (error) {
      if (error instanceof ProfileTableMissing) return 'storage';
      throw error;
    }
  }

  private async mirror(profile: OwnProfile): Promise<void> {
    const folder = await this.files.folderFor(profile.userId);
    await this.files.writeProfile(folder, profileDocument(profile));
    const { avatarKey } = await existingAccount(this.accounts, profile.userId);
    if (avatarKey && !(await this.files.hasAvatar(folder)))
      await this.files.showAvatar(profile.userId, avatarKey);
  }

  /** Returns an id for each sample; undefined for a file URL that belongs to none of the user's samples. */
  private chosen(userId: string, samples: ReadonlyArray<{ id?: string; fileUrl?: string }>) {
    return Promise.all(
      samples.map(async ({ id, fileUrl }) => {
        if (id !== undefined) return id;
        const key = keyOfFileUrl(fileUrl ?? '');
        return key === undefined ? undefined : this.store.sampleAt(userId, key);
      }),
    );
  }

  private async shown(
    { userId, displayName, avatarKey }: Account,
    username: string,
    stored: StoredProfile | undefined,
    savedTo: OwnProfile['savedTo'],
  ): Promise<OwnProfile> {
    const { bio, socials, featuredSampleIds } = stored ?? EMPTY;
    const { twitter = '', instagram = '', tiktok = '', youtube = '' } = socials as StoredProfile['socials'];
    const samples = await this.store.listedAmong(userId, featuredSampleIds.slice(0, FEATURED_LIMIT));
    return {
      userId,
      username,
      displayName,
      bio,
      avatarUrl: avatarKey ? avatarUrl(avatarKey) : null,
      twitter,
      instagram,
      tiktok,
      youtube,
      samples: samples.map(asFeatured),
      updatedAt: stored?.updatedAt.toISOString() ?? null,
      savedTo,
    };
  }
}

const asFeatured = ({ originalKey, ...sample }: ListedSample): FeaturedSample => ({
  ...sample,
  fileUrl: fileUrlOf(originalKey),
});

@Injectable()
export class OwnAvatar {
  constructor(
    private readonly accounts: AccountStore,
    private readonly images: ImageStudio,
    private readonly storage: ObjectStorage,
    private readonly profileFiles: ProfileFiles,
    private readonly profiles: Profiles,
  ) {}

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
