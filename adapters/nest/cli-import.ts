import { randomUUID } from 'node:crypto';
import { copyFile, mkdir, readFile } from 'node:fs/promises';
import { basename, join, relative, resolve } from 'node:path';
import { StreamVersionConflict } from '../../application/ports/event-store.js';
import type { UploadOutcome } from '../../application/publishing/add-sample.js';
import type { OwnPack } from '../../application/publishing/contract.js';
import { slugFrom } from '../../domain/publishing/slug.js';
import { describeFile, readFolder, sha256Of, type FoundFolder } from './cli-folder.js';
import type { ImportDesk } from './cli-import-desk.js';

export interface ImportRequest {
  folder: string;
  creator: string;
  pack?: string;
  publish: boolean;
}

export interface ImportReport {
  pack: string;
  slug: string;
  status: string;
  added: number;
  /** In the pack already, by content. */
  known: number;
  failures: Array<{ file: string; reason: string }>;
}

export interface ImportProgress {
  start(total: number): void;
  advance(file: string): void;
  stop(): void;
}

/** Something people can put right: a line without a stack. */
export class ImportRefused extends Error {
  override name = 'ImportRefused';
}

const AT_ONCE = 2;
const ATTEMPTS = 5;
/** For a pack whose `pack.json` does not say: the creator changes it in the editor. */
const DEFAULT_GENRE = 'Experimental';
const DEFAULT_MOOD = 'Mysterious';

/**
 * Makes a pack of a folder through the creator's own use cases. A file is known by its content and the pack
 * by its name, so importing again adds what is missing and nothing twice.
 * @throws ImportRefused when nothing can be imported at all
 */
export async function importFolder(
  desk: ImportDesk,
  request: ImportRequest,
  progress: ImportProgress,
): Promise<ImportReport> {
  const folder = resolve(request.folder);
  const found = await readFolder(folder).catch((error: Error) => {
    throw new ImportRefused(`${folder} cannot be read: ${error.message}`);
  });
  if (found.audio.length === 0) throw new ImportRefused(`${folder} holds no wav, mp3 or m4a files`);
  const userId = await creatorCalled(desk, request.creator);
  const pack = await packFor(desk, userId, request.pack ?? found.listed?.name ?? basename(folder), found);

  const importing = new FolderImport(desk, userId, pack.id, folder, found);
  progress.start(found.audio.length);
  await inParallel(found.audio, AT_ONCE, async (path) => {
    await importing.take(path);
    progress.advance(basename(path));
  });
  progress.stop();
  await importing.finish(request.publish);
  const now = (await desk.ownPacks.find(userId, pack.id)) as OwnPack;
  const { added, known } = importing;
  return {
    pack: now.title,
    slug: now.slug,
    status: now.status,
    added,
    known,
    failures: importing.failures(),
  };
}

async function creatorCalled(desk: ImportDesk, handle: string): Promise<string> {
  const owner = await desk.profiles.findOwner(handle.replace(/^@/, ''));
  if (!owner)
    throw new ImportRefused(
      `nobody has the handle ${handle}; a creator gets one with the first pack or application`,
    );
  const obstacle = await desk.creators.obstacle(owner.userId);
  if (obstacle) throw new ImportRefused(`${handle} may not upload: ${obstacle.code}`);
  return owner.userId;
}

async function packFor(desk: ImportDesk, userId: string, name: string, found: FoundFolder): Promise<OwnPack> {
  const existing = await desk.ownPacks.find(userId, slugFrom(name));
  if (existing) return existing;
  const { genre = DEFAULT_GENRE, mood = DEFAULT_MOOD, description = '' } = found.listed ?? {};
  const title = name.slice(0, 120);
  const { packId, outcome } = await desk.packs.create(userId, { name: title, genre, mood, description });
  if (!outcome.accepted)
    throw new ImportRefused(`the pack ${title} cannot be made: ${outcome.rejection.code}`);
  const writer = { userId, packId };
  if (found.listed?.defaultCreditCost)
    await desk.packs.changeDefaultCost(writer, {
      creditCost: found.listed.defaultCreditCost,
      applyToAll: false,
    });
  if (found.coverPath) await desk.packs.replaceCover(writer, await readFile(found.coverPath));
  return (await desk.ownPacks.find(userId, packId)) as OwnPack;
}

class FolderImport {
  added = 0;
  known = 0;
  /** Sample ids by path, to put them in the folder's order at the end. */
  readonly #samples = new Map<string, string>();
  readonly #failed = new Map<string, string>();
  /** Contents being imported: of two equal files one is enough. */
  readonly #seen = new Map<string, string>();

  constructor(
    private readonly desk: ImportDesk,
    private readonly userId: string,
    private readonly packId: string,
    private readonly folder: string,
    private readonly found: FoundFolder,
  ) {}

  async take(path: string): Promise<void> {
    try {
      await this.#import(path);
    } catch (error) {
      this.#failed.set(path, (error as Error).message);
    }
  }

  async #import(path: string): Promise<void> {
    const { sha256, sizeBytes } = await sha256Of(path);
    const twin = this.#seen.get(sha256);
    if (twin) {
      this.known += 1;
      return;
    }
    this.#seen.set(sha256, path);
    const uploadId = `import ${sha256}`;
    const earlier = await this.desk.addSample.earlier(this.userId, this.packId, uploadId);
    if (earlier) {
      this.known += 1;
      this.#samples.set(path, earlier.id);
      return;
    }
    const outcome = await this.#add(path, { uploadId, sha256, sizeBytes });
    if (outcome.accepted) {
      this.added += 1;
      this.#samples.set(path, outcome.sample.id);
    } else {
      this.#seen.delete(sha256);
      this.#failed.set(path, reasonOf(outcome.rejection));
    }
  }

  /** Tries again when other writers to the same pack, in the editor or in another import, were always first. */
  async #add(
    path: string,
    file: { uploadId: string; sha256: string; sizeBytes: number },
  ): Promise<UploadOutcome> {
    const { uploadId, ...size } = file;
    const meta = await describeFile(path, this.found.listed);
    await mkdir(this.desk.uploadFolder, { recursive: true });
    for (let attempt = 1; ; attempt++) {
      // Whoever receives a file removes it: it gets a copy.
      const copy = join(this.desk.uploadFolder, randomUUID());
      await copyFile(path, copy);
      const received = { path: copy, filename: basename(path), ...size };
      try {
        return await this.desk.addSample.run(
          { packId: this.packId, userId: this.userId, uploadId, file: received },
          meta,
        );
      } catch (error) {
        if (!(error instanceof StreamVersionConflict) || attempt >= ATTEMPTS) throw error;
      }
    }
  }

  /** Orders the pack as the folder is ordered, then publishes where that is wanted. */
  async finish(publish: boolean): Promise<void> {
    const writer = { userId: this.userId, packId: this.packId };
    const pack = (await this.desk.ownPacks.find(this.userId, this.packId)) as OwnPack;
    const ids = pack.samples.map((sample) => sample.id);
    const imported = this.found.audio.flatMap((path) => this.#samples.get(path) ?? []);
    const sampleIds = [
      ...ids.filter((id) => !imported.includes(id)),
      ...imported.filter((id) => ids.includes(id)),
    ];
    if (this.added > 0 && sampleIds.length > 1 && sampleIds.join() !== ids.join())
      await this.desk.packs.reorder(writer, sampleIds);
    const wanted = publish ? 'published' : (this.found.listed?.status ?? 'draft');
    if (wanted === 'draft' || ids.length === 0 || pack.status !== 'draft') {
      if (!publish || pack.status === 'published' || ids.length === 0) return;
    }
    const published = await this.desk.packs.publish(writer);
    if (!published.accepted)
      throw new ImportRefused(`the pack was not published: ${published.rejection.code}`);
    if (wanted === 'unpublished') await this.desk.packs.unpublish(writer);
  }

  failures(): ImportReport['failures'] {
    const unsupported = this.found.unsupported.map((path) => [path, 'not a wav, mp3 or m4a file'] as const);
    const listed = this.found.listedUnreadable
      ? [[join(this.folder, 'pack.json'), 'is no JSON that can be read'] as const]
      : [];
    return [...this.#failed, ...unsupported, ...listed].map(([path, reason]) => ({
      file: relative(this.folder, path),
      reason,
    }));
  }
}

const REASONS: Record<string, string> = {
  UnsupportedAudioType: 'not a wav, mp3 or m4a file, whatever it is called',
  AudioEmpty: 'holds no sound',
  AudioTooLong: 'longer than 15 minutes',
  AudioTooLarge: 'larger than 200 MiB',
  TooManySamples: 'the pack is full',
  NotFound: 'was removed from this pack before; put it back in the editor',
};

function reasonOf(rejection: { code: string; reason?: string }): string {
  if (rejection.code === 'AudioUnreadable') return `cannot be read: ${rejection.reason ?? 'damaged'}`;
  return REASONS[rejection.code] ?? rejection.code;
}

async function inParallel<Item>(
  items: Item[],
  atOnce: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const rest = items[Symbol.iterator]();
  const worker = async (): Promise<void> => {
    for (const item of rest) await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}
