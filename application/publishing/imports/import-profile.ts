import * as z from 'zod';
import type { BucketSource, PackProblem, SourceFile } from './bucket-source.js';
import type { ProfileBody } from '../../profiles/contract.js';
import { BIO_MAX_LENGTH, NETWORKS, socialLink, FEATURED_LIMIT } from '../../profiles/values.js';
import { filesIn, nameOf, read } from './bucket-pack.js';
import { fileKey } from '../pack-json.js';
import { cutText, jsonOf } from '../../shared/text.js';
import { exactText } from '../../shared/contract.js';
import { IMAGE_LIMIT_BYTES, IMAGE_LIMIT_MIB } from '../../media/values.js';
import type { OwnAvatar, CreatorProfiles } from '../../profiles/creator-profiles.js';

const PAGE = 1_000;
const PROFILE_LIMIT_BYTES = 1024 * 1024;
const NUMBERED = /\/avatar-(\d{1,9})\.(png|jpe?g|webp|gif)$/i;
const IMAGE = /\.(png|jpe?g|webp|gif)$/i;

export interface FeaturedName {
  title?: string;
  /** The folder of the sample's pack. */
  packSlug?: string;
  fileUrl?: string;
}

export interface BucketProfile {
  userId?: string;
  displayName?: string;
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

/**
 * Reads `profile.json` in `Users/{folder}/Profile`, and the avatar with the highest number in its file name. If
 * several have that number, the newest.
 */
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
  const json = sizeBytes > PROFILE_LIMIT_BYTES ? '' : (await read(source, key)).toString('utf8');
  const { data } = Document.safeParse(jsonOf(json.replace(/^\uFEFF/, '')));
  if (!data) problems.push({ path: key, reason: 'cannot be read as a profile' });
  return data;
}

/** Returns the pictures `avatars/{userId}.{ext}` by user id, for creators whose folder has no avatar. */
async function sharedAvatars(source: BucketSource): Promise<Map<string, SourceFile>> {
  const files = await filesIn(source, 'avatars/', PAGE);
  const images = files.filter(({ key }) => IMAGE.test(key));
  images.sort((a, b) => a.lastModified.getTime() - b.lastModified.getTime());
  return new Map(images.map((file) => [fileKey(nameOf(file.key)), file]));
}

export interface ProfileImportTools {
  source: BucketSource;
  creatorProfiles: CreatorProfiles;
  avatars: OwnAvatar;
}

export interface BroughtSample {
  sampleId: string;
  folder: string;
  /** The `fileKey` of the audio file. */
  file: string;
  title?: string;
}

/** Imports biography, links and picture, unless the creator has already set them here. */
export class ImportProfiles {
  private foundShared: Promise<Map<string, SourceFile>> | undefined;

  constructor(private readonly tools: ProfileImportTools) {}

  /** @param formerId the user id in the picture's name @throws Error with a text for the report */
  async run(userId: string, { body, avatar }: BucketProfile, formerId: string | undefined) {
    const { creatorProfiles } = this.tools;
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

  /**
   * Features samples on the profile if it features none yet. @returns the names for which no listed sample was
   * found
   */
  async feature(userId: string, names: readonly FeaturedName[], brought: readonly BroughtSample[]) {
    const { creatorProfiles } = this.tools;
    if (names.length === 0 || (await creatorProfiles.read(userId)).samples.length > 0) return [];
    const found = names.map((name) => ({ name, sampleId: sampleCalled(name, brought)?.sampleId }));
    const wanted = [...new Set(found.flatMap(({ sampleId }) => sampleId ?? []))];
    const listed = new Set(await creatorProfiles.listedAmong(userId, wanted));
    const samples = wanted.filter((id) => listed.has(id)).slice(0, FEATURED_LIMIT);
    if (samples.length > 0) await creatorProfiles.save(userId, { samples: samples.map((id) => ({ id })) });
    return found
      .filter(({ sampleId }) => sampleId === undefined || !listed.has(sampleId))
      .map(({ name }) => name.title ?? name.fileUrl ?? 'without a name');
  }

  private async showAvatar(userId: string, { key, sizeBytes }: SourceFile): Promise<void> {
    if (sizeBytes > IMAGE_LIMIT_BYTES)
      throw new Error(`the picture ${key} is larger than ${IMAGE_LIMIT_MIB} MiB`);
    const outcome = await this.tools.avatars.replace(userId, await read(this.tools.source, key));
    if (!outcome.accepted) throw new Error(`the picture ${key} cannot be shown (${outcome.rejection.code})`);
  }

  private shared(): Promise<Map<string, SourceFile>> {
    return (this.foundShared ??= sharedAvatars(this.tools.source));
  }
}

/** Finds a sample by its file, or else by its title, only in the named pack if there is one. */
function sampleCalled(
  { fileUrl, title, packSlug }: FeaturedName,
  brought: readonly BroughtSample[],
): BroughtSample | undefined {
  const inPack = brought.filter(({ folder }) => packSlug === undefined || folder === packSlug);
  const file = fileUrl && fileKey(fileUrl);
  return (
    (file && inPack.find((sample) => sample.file === file)) ||
    (title && inPack.find((sample) => sample.title === title)) ||
    undefined
  );
}
