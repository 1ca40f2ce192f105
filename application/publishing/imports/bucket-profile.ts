import * as z from 'zod';
import type { BucketSource, SourceFile } from './bucket-source.js';
import { type ProfileBody } from '../../profiles/contract.js';
import { BIO_MAX_LENGTH, NETWORKS, socialLink } from '../../profiles/values.js';
import { filesIn, nameOf, read, type PackProblem } from './bucket-pack.js';
import { fileKey } from '../pack-json.js';
import { cutText } from '../../shared/text.js';
import { exactText } from '../../shared/contract.js';

const PAGE = 1_000;
const PROFILE_LIMIT_BYTES = 1024 * 1024;
const NUMBERED = /\/avatar-(\d{1,9})\.(png|jpe?g|webp|gif)$/i;
const IMAGE = /\.(png|jpe?g|webp|gif)$/i;

export interface FeaturedName {
  title?: string;
  /** The folder of its pack. */
  packSlug?: string;
  fileUrl?: string;
}

export interface BucketProfile {
  userId?: string;
  displayName?: string;
  /** The bio and the valid social links. */
  body: ProfileBody;
  avatar?: SourceFile;
  featured: FeaturedName[];
  problems: PackProblem[];
}

const text = exactText().normalize('NFC').trim().min(1).optional().catch(undefined);
const Featured = z.object({ title: text, packSlug: text, fileUrl: text });

const Document = z.object({
  user_id: text,
  display_name: text,
  bio: text,
  twitter: text,
  instagram: text,
  tiktok: text,
  youtube: text,
  samples: z.array(Featured.catch({})).catch([]),
});

/** Reads `profile.json` in `Users/{folder}/Profile`, and the avatar with the highest number, the newest of several. */
export async function readProfile(source: BucketSource, folder: string): Promise<BucketProfile> {
  const path = `Users/${folder}/Profile/`;
  const files = await filesIn(source, path, PAGE);
  const problems: PackProblem[] = [];
  const file = files.find(({ key }) => key === `${path}profile.json`);
  const document = file && (await readDocument(source, file, problems));
  const numberOf = ({ key }: SourceFile): number => Number(NUMBERED.exec(key)?.[1]);
  const [avatar] = files
    .filter(({ key }) => NUMBERED.test(key))
    .sort((a, b) => numberOf(b) - numberOf(a) || b.lastModified.getTime() - a.lastModified.getTime());
  const { user_id: userId, display_name: displayName, bio } = document ?? {};
  const links = NETWORKS.flatMap((network) => {
    const link = document?.[network];
    if (link === undefined) return [];
    if (socialLink(network, link) !== undefined) return [[network, link]];
    problems.push({
      path: `${path}profile.json`,
      reason: `names no address on ${network}: ${cutText(link, 60)}`,
    });
    return [];
  });
  const body = { ...(bio ? { bio: cutText(bio, BIO_MAX_LENGTH) } : {}), ...Object.fromEntries(links) };
  const featured = document?.samples ?? [];
  return { userId, displayName, body, avatar, featured, problems } as BucketProfile;
}

async function readDocument(
  source: BucketSource,
  { key, sizeBytes }: SourceFile,
  problems: PackProblem[],
): Promise<z.infer<typeof Document> | undefined> {
  try {
    if (sizeBytes > PROFILE_LIMIT_BYTES) throw new RangeError();
    return Document.parse(JSON.parse((await read(source, key)).toString('utf8').replace(/^\uFEFF/, '')));
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof z.ZodError || error instanceof RangeError))
      throw error;
    problems.push({ path: key, reason: 'cannot be read as a profile' });
    return undefined;
  }
}

/** Lists pictures at `avatars/{userId}.{ext}` by user id, for creators without one in their folder. */
export async function sharedAvatars(source: BucketSource): Promise<Map<string, SourceFile>> {
  const files = await filesIn(source, 'avatars/', PAGE);
  const images = files.filter(({ key }) => IMAGE.test(key));
  images.sort((a, b) => a.lastModified.getTime() - b.lastModified.getTime());
  return new Map(images.map((file) => [fileKey(nameOf(file.key)), file]));
}
