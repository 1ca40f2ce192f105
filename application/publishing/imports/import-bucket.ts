import { createHash } from 'node:crypto';
import type { CommandBus } from '@nestjs/cqrs';
import { IMAGE_LIMIT_BYTES, IMAGE_LIMIT_MIB } from '../../media/values.js';
import { defaultHandle } from '../../../domain/profiles/handle.js';
import { slugFrom } from '../../../domain/publishing/slug.js';
import { isFolderId } from '../../storage/creator-folders.js';
import { inParallel } from '../../shared/in-parallel.js';
import type { Placeholders } from '../../accounts/placeholders.js';
import type { Notices } from '../../mail/notices.js';
import type { WallClock } from '../../shared/clock.js';
import type { Profiles } from '../../profiles/profiles.js';
import { bucketPacks, creatorFolders, read, type BucketPack } from './bucket-pack.js';
import {
  readProfile,
  type BucketProfile,
  ImportProfiles,
  type BroughtSample,
  type ProfileImportTools,
} from './import-profile.js';
import { addBucketSample, attachBucketFiles, refusalOf } from './bucket-sample.js';
import { emptyReport, guarded, type BucketReport } from './bucket-source.js';
import { importNotice } from './import-notice.js';
import { type OwnPack } from '../contract.js';
import { ApplyAsCreator, ApproveCreator } from '../creators/decide-on-creator.js';
import type { Creators } from '../creators/creators.js';
import { fileKey } from '../pack-json.js';
import type { WorkingFiles } from '../samples/working-files.js';
import type { SampleUploads } from '../samples/sample-uploads.js';
import type { OwnPackQueries } from '../queries.js';
import { cutText } from '../../shared/text.js';
import { ChangeDefaultCost, PricePack, ReorderSamples, DraftPack, ReplaceCover } from '../change-pack.js';
import { PublishPack, UnpublishPack } from '../publish-pack.js';

/** If a display name is taken, the import tries the name with numbers from 2 up to this one. */
const NAMES_TRIED = 100;
const CREATORS_AT_ONCE = 5;
/** For packs without a genre or mood. The creator can change them in the editor. */
const DEFAULT_GENRE = 'Experimental';
const DEFAULT_MOOD = 'Mysterious';

export interface BucketImportTools extends ProfileImportTools {
  profiles: Profiles;
  placeholders: Placeholders;
  commands: CommandBus;
  creators: Creators;
  uploads: SampleUploads;
  ownPacks: OwnPackQueries;
  files: WorkingFiles;
  notices: Notices;
  clock: WallClock;
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 22);

const titleOf = ({ listed, folder }: BucketPack): string =>
  cutText(listed?.name ?? folder.replaceAll(/[-_]+/g, ' '), 120);

/** Imports packs with the commands that creators use. Ids are derived from paths, so that a second run adds nothing. */
export class ImportBucket {
  readonly report = emptyReport();
  private readonly profiles: ImportProfiles;

  /** @param owners user ids of creators who already have an account, by the name of their folder */
  constructor(
    private readonly tools: BucketImportTools,
    private readonly owners: ReadonlyMap<string, string> = new Map(),
    private readonly onPack: (path: string) => void = () => undefined,
  ) {
    this.profiles = new ImportProfiles(tools);
  }

  async run(): Promise<BucketReport> {
    const folders: string[] = [];
    for await (const folder of creatorFolders(this.tools.source)) folders.push(folder);
    // Two folders may give the same handle. A folder whose name is the handle is imported first and gets it.
    const isAtHome = (folder: string): boolean => defaultHandle(folder) === folder;
    await this.importCreators(folders.filter(isAtHome));
    await this.importCreators(folders.filter((folder) => !isAtHome(folder)));
    const byName = (a: string, b: string): number => a.localeCompare(b, 'en', { numeric: true });
    this.report.creators.sort((a, b) => byName(a.folder, b.folder));
    this.report.problems.sort((a, b) => byName(a.path, b.path));
    return this.report;
  }

  private importCreators(folders: string[]): Promise<void> {
    return inParallel(folders, CREATORS_AT_ONCE, (folder) =>
      guarded(this.report, `Users/${folder}`, () => this.importCreator(folder)),
    );
  }

  private async importCreator(folder: string): Promise<void> {
    const packs: BucketPack[] = [];
    for await (const pack of bucketPacks(this.tools.source, folder)) packs.push(pack);
    if (packs.length === 0) return;
    this.report.problems.push(...packs.flatMap(({ problems }) => problems));
    const profile = await readProfile(this.tools.source, folder);
    this.report.problems.push(...profile.problems);
    const said = (field: 'creator' | 'creatorId'): string | undefined =>
      packs.find(({ listed }) => listed?.[field])?.listed?.[field];
    const userId = await this.creatorOf(folder, profile.displayName ?? said('creator'));
    await guarded(this.report, `Users/${folder}/Profile`, () =>
      this.importProfile(userId, profile, profile.userId ?? said('creatorId')),
    );
    // Two packs may give the same slug. A pack whose folder has that name is imported first and gets the slug.
    const isAtHome = (pack: BucketPack): boolean => slugFrom(titleOf(pack)) === pack.folder;
    const brought: BroughtSample[] = [];
    for (const pack of [...packs.filter(isAtHome), ...packs.filter((each) => !isAtHome(each))]) {
      await guarded(this.report, pack.path, () => this.importPack(userId, pack, brought));
      this.onPack(pack.path);
    }
    const path = `Users/${folder}/Profile/profile.json`;
    await guarded(this.report, path, async () => {
      const missing = await this.profiles.feature(userId, profile.featured, brought);
      for (const name of missing)
        this.report.problems.push({ path, reason: `features ${name}, which listeners cannot find here` });
    });
  }

  private async creatorOf(folder: string, name: string | undefined): Promise<string> {
    const { placeholders, commands, creators, profiles } = this.tools;
    const owner = this.owners.get(folder);
    const displayName = name ?? (folder.replaceAll('_', ' ').trim() || folder);
    const account = owner ? { userId: owner, made: false } : await placeholders.ensure(folder, displayName);
    if (!account) throw new Error('the account made for this folder was erased');
    const { userId } = account;
    // The folder name becomes the handle, so that old addresses still work. A generated folder name, such as `f_…`,
    // does not become the handle.
    if (account.made && !isFolderId(folder)) await profiles.rename(userId, folder);
    // Approves creators who have no access yet. A suspended creator stays suspended.
    if ((await creators.obstacle(userId))?.code === 'CreatorAccessRequired') {
      for (let number = 2; ; number += 1) {
        const applied = await commands.execute(new ApplyAsCreator(userId));
        if (applied.accepted || applied.rejection.code !== 'DisplayNameTaken') break;
        if (owner || number > NAMES_TRIED) throw new Error(`the name ${displayName} is taken or reserved`);
        await profiles.chooseName(userId, `${cutText(displayName, 70)} ${number}`);
        if (number === 2)
          this.report.problems.push({
            path: `Users/${folder}`,
            reason: `the name ${displayName} is taken, a number is added`,
          });
      }
      await commands.execute(new ApproveCreator(userId, 'system:import'));
    }
    const obstacle = await creators.obstacle(userId);
    if (obstacle) throw new Error(`the creator may not publish here: ${obstacle.code}`);
    const { handle } = await profiles.ensure(userId);
    this.report.creators.push({ folder, handle, placeholder: owner === undefined });
    return userId;
  }

  private async importProfile(userId: string, profile: BucketProfile, formerId?: string): Promise<void> {
    const brought = await this.profiles.run(userId, profile, formerId);
    this.report.profiles += Number(brought.profile);
    this.report.avatars += Number(brought.avatar);
  }

  private async importPack(userId: string, found: BucketPack, brought: BroughtSample[]): Promise<void> {
    const packId = hashOf(`bucket/${found.path}`);
    const before = await this.tools.ownPacks.find(userId, packId);
    this.report.packs[before ? 'known' : 'added'] += 1;
    if (!before) await this.draft(userId, packId, found);
    // A known pack without samples was interrupted before its first sample, so this step is repeated.
    if (!before || before.samples.length === 0) await this.describe(userId, packId, found);
    const ids: string[] = [];
    let added = 0;
    for (const sample of found.audio) {
      const uploadId = `bucket/${sample.file.key}`;
      const earlier = await this.tools.uploads.earlier(userId, packId, uploadId);
      if (earlier) this.report.samples.known += 1;
      const sampleId =
        earlier?.id ?? (await addBucketSample(this.tools, this.report, { userId, packId, uploadId }, sample));
      if (!sampleId) continue;
      ids.push(sampleId);
      const file = fileKey(sample.file.key);
      brought.push({ sampleId, folder: found.folder, file, title: sample.listed?.title });
      if (!earlier) added += 1;
      await attachBucketFiles(
        this.tools,
        this.report,
        { userId, packId, sampleId },
        {
          stems: earlier?.hasStems ? undefined : sample.stems,
          midi: earlier?.hasMidi ? undefined : sample.midi,
        },
      );
    }
    await this.finish(userId, packId, found, { ids, added });
  }

  private async draft(userId: string, packId: string, found: BucketPack): Promise<void> {
    const { genre, mood, description = '' } = found.listed ?? {};
    const info = {
      name: titleOf(found),
      genre: genre ?? DEFAULT_GENRE,
      mood: mood ?? DEFAULT_MOOD,
      description: cutText(description, 2_000),
    } as const;
    const outcome = await this.tools.commands.execute(
      new DraftPack(userId, info, packId, found.listed?.createdAt),
    );
    if (!outcome.accepted)
      throw new Error(
        outcome.rejection.code === 'PackDeleted'
          ? 'was deleted here by its creator'
          : `cannot be made: ${outcome.rejection.code}`,
      );
  }

  /** Sets the default cost and the cover. Runs before the first sample, because samples take over the default cost. */
  private async describe(userId: string, packId: string, { listed, cover }: BucketPack): Promise<void> {
    const writer = { userId, packId };
    const { commands, source } = this.tools;
    if (listed?.defaultCreditCost)
      await commands.execute(
        new ChangeDefaultCost(writer, { creditCost: listed.defaultCreditCost, applyToAll: false }),
      );
    if (!cover) return;
    await guarded(this.report, cover.key, async () => {
      if (cover.sizeBytes > IMAGE_LIMIT_BYTES)
        throw new Error(`is larger than ${IMAGE_LIMIT_MIB} MiB; a cover was drawn`);
      const outcome = await commands.execute(new ReplaceCover(writer, await read(source, cover.key)));
      if (!outcome.accepted) throw new Error(`cannot be a cover (${outcome.rejection.code}); one was drawn`);
      this.report.covers += 1;
    });
  }

  /** Applies the order of `pack.json`. Applies its status only to drafts, as creators may have changed other packs. */
  private async finish(
    userId: string,
    packId: string,
    found: BucketPack,
    { ids, added }: { ids: string[]; added: number },
  ): Promise<void> {
    const writer = { userId, packId };
    const { listed } = found;
    const { commands, ownPacks, notices, clock } = this.tools;
    const pack = (await ownPacks.find(userId, packId)) as OwnPack;
    const present = pack.samples.map(({ id }) => id);
    const others = present.filter((id) => !ids.includes(id));
    if (added > 0) {
      await commands.execute(new ReorderSamples(writer, [...ids, ...others]));
      await notices.add([importNotice(userId, pack, added, clock.now())]);
    }
    const wanted = listed?.status ?? 'draft';
    const price = listed?.packCreditCost;
    if (price !== undefined && pack.status === 'draft' && pack.priceCredits === null) {
      const priced = await commands.execute(new PricePack(writer, price));
      if (!priced.accepted)
        this.report.problems.push({ path: found.path, reason: refusalOf(priced.rejection) });
    }
    if (wanted === 'draft' || pack.status !== 'draft' || present.length === 0) return;
    const published = await commands.execute(
      new PublishPack({ ...writer, at: listed?.publishedAt, takesUnstated: true }),
    );
    if (!published.accepted) throw new Error(`could not be published: ${refusalOf(published.rejection)}`);
    if (wanted === 'unpublished') await commands.execute(new UnpublishPack(writer));
  }
}
