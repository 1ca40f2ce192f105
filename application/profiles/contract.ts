import * as z from 'zod';
import { DisplayName } from '../accounts/contract.js';
import { Id, IsoTime, exactText, lineText, bodyText, namedObject } from '../shared/contract.js';
import { BIO_MAX_LENGTH, FEATURED_LIMIT, LINK_MAX_LENGTH, socialLink, type Network } from './values.js';

export const FeaturedSample = namedObject('FeaturedSample', {
  id: Id,
  title: z.string(),
  pack: z.string(),
  packSlug: z.string(),
  fileUrl: z.string(),
  artwork: z.string().nullable(),
});
export type FeaturedSample = z.infer<typeof FeaturedSample>;

export const OwnProfile = namedObject('OwnProfile', {
  userId: Id,
  /** The handle in addresses and storage paths. */
  username: z.string(),
  displayName: z.string(),
  bio: z.string(),
  avatarUrl: z.string().nullable(),
  twitter: z.string(),
  instagram: z.string(),
  tiktok: z.string(),
  youtube: z.string(),
  samples: z.array(FeaturedSample).max(FEATURED_LIMIT),
  updatedAt: IsoTime.nullable(),
  /** `storage` if the table of profiles is missing and `profile.json` replaces it. */
  savedTo: z.enum(['table', 'storage']),
});
export type OwnProfile = z.infer<typeof OwnProfile>;

const social = (network: Network, example: string) =>
  lineText(LINK_MAX_LENGTH).refine(
    (text) => socialLink(network, text) !== undefined,
    `Enter a name or an address on ${example}`,
  );

/** Names a sample by id or file URL. Ignores other fields, which older clients send. */
const Choice = z
  .object({ id: Id.optional(), fileUrl: exactText().max(2_000).optional() })
  .refine(({ id, fileUrl }) => id !== undefined || fileUrl !== undefined, 'Name the sample by id or fileUrl');

/** A change of a profile. Omitted fields stay as they are. */
export const ProfileBody = z.strictObject({
  displayName: DisplayName.optional(),
  bio: bodyText(BIO_MAX_LENGTH).optional(),
  twitter: social('twitter', 'twitter.com').optional(),
  instagram: social('instagram', 'instagram.com').optional(),
  tiktok: social('tiktok', 'tiktok.com').optional(),
  youtube: social('youtube', 'youtube.com').optional(),
  samples: z.array(Choice).max(FEATURED_LIMIT, `Feature at most ${FEATURED_LIMIT} samples`).optional(),
});
export type ProfileBody = z.infer<typeof ProfileBody>;
