import { IMAGE_LIMIT_BYTES, IMAGE_LIMIT_MIB } from '../../media/values.js';
import type { OwnAvatar } from '../../profiles/own-avatar.js';
import type { BucketSource, SourceFile } from './bucket-source.js';
import { FEATURED_LIMIT, NETWORKS } from '../../profiles/values.js';
import type { CreatorProfiles } from '../../profiles/creator-profiles.js';
import { read } from './bucket-pack.js';
import { sharedAvatars, type BucketProfile, type FeaturedName } from './bucket-profile.js';
import { fileKey } from '../pack-json.js';

export interface ProfileImportTools {
  source: BucketSource;
  creatorProfiles: CreatorProfiles;
  avatars: OwnAvatar;
}

export interface BroughtSample {
  sampleId: string;
  folder: string;
  /** `fileKey` of its audio. */
  file: string;
  title?: string;
}

/** Imports bio, links and picture of creators who have not set them here. */
export class ImportProfiles {
  private foundShared: Promise<Map<string, SourceFile>> | undefined;

  constructor(private readonly tools: ProfileImportTools) {}

  /** @param formerId user id in the bucket, which may name a picture @throws Error with a sentence for the report */
  async run(
    userId: string,
    { body, avatar }: BucketProfile,
    formerId: string | undefined,
  ): Promise<{ profile: boolean; avatar: boolean }> {
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

  /** Features samples unless the creator features some. @returns the names of those that listeners cannot find here */
  async feature(
    userId: string,
    names: readonly FeaturedName[],
    brought: readonly BroughtSample[],
  ): Promise<string[]> {
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

/** Finds a sample by its file, or else by its title. A named pack limits the search to that pack. */
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
