import { createHash } from 'node:crypto';
import { defaultHandle } from '../../domain/profiles/handle.js';
import { slugFrom } from '../../domain/publishing/slug.js';
import type { Placeholders } from '../accounts/placeholders.js';
import type { BucketSource, SourceFile } from '../ports/bucket-source.js';
import { StreamVersionConflict } from '../ports/event-store.js';
import type { Profiles } from '../profiles/profiles.js';
import type { AddSample } from './add-sample.js';
import { bucketPacks, creatorFolders, read, type BucketPack, type PackProblem } from './bucket-pack.js';
import { fetchSample, reasonOf, sampleMetaOf } from './bucket-sample.js';
import { AUDIO_LIMIT_BYTES, COVER_LIMIT_BYTES, type OwnPack } from './contract.js';
import type { Creators } from './creators.js';
import type { ListedFile } from './pack-json.js';
import type { Packs } from './packs.js';
import type { OwnPackReader } from './readers.js';

const CREATORS_AT_ONCE = 5;
const ATTEMPTS = 5;
/** For a pack that does not say: its creator changes it in the editor. */
const DEFAULT_GENRE = 'Experimental';
const DEFAULT_MOOD = 'Mysterious';

export interface ImportedCreator {
  folder: string;
  handle: string;
  /** An account that nobody can sign in to before it is handed over. */
  placeholder: boolean;
}

export interface BucketReport {
  creators: ImportedCreator[];
  packs: { added: number; known: number };
  samples: { added: number; known: number };
  covers: number;
  problems: PackProblem[];
}

export interface BucketImportDesk {
  source: BucketSource;
  profiles: Profiles;
  placeholders: Placeholders;
  creators: Creators;
  packs: Packs;
  addSample: AddSample;
  ownPacks: OwnPackReader;
  uploadFolder: string;
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 22);

const titleOf = ({ listed, folder }: BucketPack): string =>
  (listed?.name ?? folder.replaceAll(/[-_]+/g, ' ')).slice(0, 120);

/**
 * Brings packs in the specified layout into the event log through the creators' own use cases. Packs and samples
 * are known by where they lie, so that a run that was interrupted goes on and a second run adds nothing. What
 * creators changed since stays theirs.
 */
export class ImportBucket {
  readonly report: BucketReport = {
    creators: [],
    packs: { added: 0, known: 0 },
    samples: { added: 0, known: 0 },
    covers: 0,
    problems: [],
  };

  /**
   * @param owners user ids by folder, for creators who have an account
   * @param onPack called after each pack
   */
  constructor(
    private readonly desk: BucketImportDesk,
    private readonly owners: ReadonlyMap<string, string> = new Map(),
    private readonly onPack: (path: string) => void = () => undefined,
  ) {}

  async run(): Promise<BucketReport> {
    const folders: string[] = [];
    for await (const folder of creatorFolders(this.desk.source)) folders.push(folder);
    // Of two folders that make one handle the one that is called so keeps it.
    const isAtHome = (folder: string): boolean => defaultHandle(folder) === folder;
    await this.importCreators(folders.filter(isAtHome));
    await this.importCreators(folders.filter((folder) => !isAtHome(folder)));
    const byName = (a: string, b: string): number => a.localeCompare(b, 'en', { numeric: true });
    this.report.creators.sort((a, b) => byName(a.folder, b.folder));
    this.report.problems.sort((a, b) => byName(a.path, b.path));
    return this.report;
  }

  private async importCreators(folders: string[]): Promise<void> {
    const rest = folders.values();
    const worker = async (): Promise<void> => {
      for (const folder of rest) await this.guarded(`Users/${folder}`, () => this.importCreator(folder));
    };
    await Promise.all(Array.from({ length: CREATORS_AT_ONCE }, worker));
  }

  /** One thing that fails is named in the report and keeps nothing else from being imported. */
  private async guarded(path: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.report.problems.push({ path, reason: (error as Error).message });
    }
  }

  private async importCreator(folder: string): Promise<void> {
    const packs: BucketPack[] = [];
    for await (const pack of bucketPacks(this.desk.source, folder)) packs.push(pack);
    if (packs.length === 0) return;
    this.report.problems.push(...packs.flatMap(({ problems }) => problems));
    const userId = await this.creatorOf(folder, packs.find(({ listed }) => listed?.creator)?.listed?.creator);
    // Of two packs of one name the one whose folder is that address keeps it.
    const isAtHome = (pack: BucketPack): boolean => slugFrom(titleOf(pack)) === pack.folder;
    for (const pack of [...packs.filter(isAtHome), ...packs.filter((each) => !isAtHome(each))]) {
      await this.guarded(pack.path, () => this.importPack(userId, pack));
      this.onPack(pack.path);
    }
  }

  private async creatorOf(folder: string, name: string | undefined): Promise<string> {
    const { placeholders, creators, profiles } = this.desk;
    const owner = this.owners.get(folder);
    const displayName = name ?? (folder.replaceAll('_', ' ').trim() || folder);
    const account = owner ? { userId: owner, made: false } : await placeholders.ensure(folder, displayName);
    if (!account) throw new Error('the account made for this folder was erased');
    const { userId } = account;
    // Former addresses name the folder.
    if (account.made) await profiles.rename(userId, folder);
    // Whoever sold here before was approved then; a suspension here stands.
    if ((await creators.obstacle(userId))?.code === 'CreatorAccessRequired') {
      await creators.apply(userId);
      await creators.approve(userId, 'system:import');
    }
    const obstacle = await creators.obstacle(userId);
    if (obstacle) throw new Error(`the creator may not publish here: ${obstacle.code}`);
    const { handle } = await profiles.ensure(userId);
    this.report.creators.push({ folder, handle, placeholder: owner === undefined });
    return userId;
  }

  private async importPack(userId: string, found: BucketPack): Promise<void> {
    const packId = hashOf(`bucket/${found.path}`);
    const before = await this.desk.ownPacks.find(userId, packId);
    this.report.packs[before ? 'known' : 'added'] += 1;
    if (!before) await this.draft(userId, packId, found);
    // A pack that still holds nothing was interrupted before its first sample.
    if (!before || before.samples.length === 0) await this.describe(userId, packId, found);
    const ids: string[] = [];
    let added = 0;
    for (const { file, listed } of found.audio) {
      const uploadId = `bucket/${file.key}`;
      const earlier = await this.desk.addSample.earlier(userId, packId, uploadId);
      if (earlier) this.report.samples.known += 1;
      const sampleId = earlier?.id ?? (await this.addSample({ userId, packId, uploadId }, file, listed));
      if (!sampleId) continue;
      ids.push(sampleId);
      if (!earlier) added += 1;
    }
    await this.finish(userId, packId, found, { ids, added });
  }

  private async draft(userId: string, packId: string, found: BucketPack): Promise<void> {
    const { genre, mood, description = '' } = found.listed ?? {};
    const info = {
      name: titleOf(found),
      genre: genre ?? DEFAULT_GENRE,
      mood: mood ?? DEFAULT_MOOD,
      description: description.slice(0, 2_000),
    } as const;
    const { outcome } = await this.desk.packs.create(userId, info, packId);
    if (!outcome.accepted)
      throw new Error(
        outcome.rejection.code === 'PackDeleted'
          ? 'was deleted here by its creator'
          : `cannot be made: ${outcome.rejection.code}`,
      );
  }

  /** Default cost and cover; before the first sample, which takes over the cost. */
  private async describe(userId: string, packId: string, { listed, cover }: BucketPack): Promise<void> {
    const writer = { userId, packId };
    const { packs, source } = this.desk;
    if (listed?.defaultCreditCost)
      await packs.changeDefaultCost(writer, { creditCost: listed.defaultCreditCost, applyToAll: false });
    if (!cover) return;
    await this.guarded(cover.key, async () => {
      if (cover.sizeBytes > COVER_LIMIT_BYTES) throw new Error('is larger than 5 MiB; a cover was drawn');
      const outcome = await packs.replaceCover(writer, await read(source, cover.key));
      if (!outcome.accepted) throw new Error(`cannot be a cover (${outcome.rejection.code}); one was drawn`);
      this.report.covers += 1;
    });
  }

  /** @returns the sample's id, undefined when it could not be added */
  private async addSample(
    place: { userId: string; packId: string; uploadId: string },
    file: SourceFile,
    listed: ListedFile | undefined,
  ): Promise<string | undefined> {
    let sampleId: string | undefined;
    await this.guarded(file.key, async () => {
      if (file.sizeBytes > AUDIO_LIMIT_BYTES) throw new Error('is larger than 200 MiB');
      for (let attempt = 1; sampleId === undefined; attempt++) {
        try {
          const received = await fetchSample(this.desk.source, file, this.desk.uploadFolder);
          const outcome = await this.desk.addSample.run(
            { ...place, file: received, isImport: true },
            sampleMetaOf(listed),
          );
          if (!outcome.accepted) throw new Error(reasonOf(outcome));
          sampleId = outcome.sample.id;
        } catch (error) {
          // Somebody edits the pack at the same time.
          if (!(error instanceof StreamVersionConflict) || attempt >= ATTEMPTS) throw error;
        }
      }
      this.report.samples.added += 1;
    });
    return sampleId;
  }

  /** The order of `pack.json`, and its state: only for a draft, which nobody has decided about yet. */
  private async finish(
    userId: string,
    packId: string,
    { listed }: BucketPack,
    { ids, added }: { ids: string[]; added: number },
  ): Promise<void> {
    const writer = { userId, packId };
    const { packs, ownPacks } = this.desk;
    const pack = (await ownPacks.find(userId, packId)) as OwnPack;
    const present = pack.samples.map(({ id }) => id);
    const others = present.filter((id) => !ids.includes(id));
    if (added > 0) await packs.reorder(writer, [...ids, ...others]);
    const wanted = listed?.status ?? 'draft';
    if (wanted === 'draft' || pack.status !== 'draft' || present.length === 0) return;
    const published = await packs.publish(writer);
    if (!published.accepted) throw new Error(`could not be published: ${published.rejection.code}`);
    if (wanted === 'unpublished') await packs.unpublish(writer);
  }
}
