import * as z from 'zod';
import type { StoredProfile } from './creator-profile-store.js';
import type { OwnProfile } from './contract.js';
import { exactText } from '../shared/contract.js';

/** Returns `profile.json`, with the field names that its readers expect. */
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

const text = exactText().normalize('NFC').catch('');

const Document = z.object({
  bio: text,
  twitter: text,
  instagram: text,
  tiktok: text,
  youtube: text,
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
