import { text } from 'node:stream/consumers';
import { Injectable } from '@nestjs/common';
import * as z from 'zod';
import { CreatorProfileStore, type StoredProfile } from './profile-store.js';
import type { OwnProfile } from './contract.js';
import { exactText } from '../shared/contract.js';
import { jsonOf } from '../shared/text.js';
import { ObjectMissing, ObjectStorage } from '../storage/object-storage.js';
import { CreatorFolders } from '../storage/creator-folders.js';

/** Returns the content of `profile.json`, whose field names differ from those of the API. */
export function profileDocument(profile: OwnProfile): object {
  const { userId, username, displayName, bio, avatarUrl, twitter, instagram, tiktok, youtube } = profile;
  return {
    user_id: userId,
    username,
    display_name: displayName,
    bio,
    avatar: avatarUrl,
    twitter,
    instagram,
    tiktok,
    youtube,
    samples: profile.samples,
    updated_at: profile.updatedAt,
  };
}

const lenient = exactText().normalize('NFC').catch('');

const Document = z.object({
  bio: lenient,
  twitter: lenient,
  instagram: lenient,
  tiktok: lenient,
  youtube: lenient,
  samples: z.array(z.object({ id: z.string() })).catch([]),
  updated_at: z.coerce.date().catch(new Date(0)),
});

/** @returns undefined if the document is not a profile */
export function readProfileDocument(document: unknown): StoredProfile | undefined {
  const parsed = Document.safeParse(document);
  if (!parsed.success) return undefined;
  const { bio, samples, updated_at: updatedAt, ...socials } = parsed.data;
  return { bio, socials, featuredSampleIds: samples.map(({ id }) => id), updatedAt };
}

/** Avatars in a profile's folder are numbered. The highest number is the current one. */
const NUMBERED_AVATAR = /\/avatar-(\d{1,9})\.[a-z]+$/;

/** A creator's profile as files beside the packs: `Users/{folder}/Profile` and `avatars/{userId}.{ext}`. */
@Injectable()
export class ProfileFiles {
  constructor(
    private readonly profiles: CreatorProfileStore,
    private readonly folders: CreatorFolders,
    private readonly storage: ObjectStorage,
  ) {}

  /** Returns the creator's folder, and claims one if needed. */
  folderFor(userId: string): Promise<string> {
    return this.folders.folderOf(userId);
  }

  async writeProfile(folder: string, document: object): Promise<void> {
    await this.storage.put(profileKey(folder), Buffer.from(JSON.stringify(document, null, 2)), {
      contentType: 'application/json',
      cacheControl: 'no-cache',
    });
  }

  /** @returns undefined if the profile does not exist or is not valid JSON */
  async readProfile(userId: string): Promise<unknown> {
    const folder = await this.profiles.folderOf(userId);
    if (folder === undefined) return undefined;
    try {
      return jsonOf(await text((await this.storage.get(profileKey(folder))).body));
    } catch (error) {
      if (error instanceof ObjectMissing) return undefined;
      throw error;
    }
  }

  /** Copies an avatar to the creator's profile folder and to `avatars/`. Does nothing for users without a folder. */
  async showAvatar(userId: string, avatarKey: string): Promise<void> {
    const folder = await this.profiles.folderOf(userId);
    if (folder === undefined) return;
    const extension = avatarKey.slice(avatarKey.lastIndexOf('.'));
    const former = await this.avatarsIn(folder);
    const number = Math.max(0, ...former.map((key) => Number(NUMBERED_AVATAR.exec(key)?.[1] ?? 0))) + 1;
    await this.storage.copy(avatarKey, `Users/${folder}/Profile/avatar-${number}${extension}`);
    await this.storage.copy(avatarKey, `avatars/${userId}${extension}`);
    for (const key of former) await this.storage.delete(key);
  }

  async hasAvatar(folder: string): Promise<boolean> {
    return (await this.avatarsIn(folder)).length > 0;
  }

  /** Removes all files that name the creator: the profile, the avatars, and `pack.json` of each pack. */
  async remove(userId: string): Promise<void> {
    const folder = await this.profiles.folderOf(userId);
    if (folder === undefined) return;
    const own = await this.storage.list({ prefix: `Users/${folder}/Profile/` });
    const shown = await this.storage.list({ prefix: `avatars/${userId}.` });
    for (const { key } of [...own.objects, ...shown.objects]) await this.storage.delete(key);
    const packs = await this.storage.list({ prefix: `Users/${folder}/Packs/`, delimiter: '/', limit: 1_000 });
    for (const pack of packs.prefixes) await this.storage.delete(`${pack}pack.json`);
  }

  private async avatarsIn(folder: string): Promise<string[]> {
    const { objects } = await this.storage.list({ prefix: `Users/${folder}/Profile/avatar-` });
    return objects.map(({ key }) => key).filter((key) => NUMBERED_AVATAR.test(key));
  }
}

const profileKey = (folder: string): string => `Users/${folder}/Profile/profile.json`;
