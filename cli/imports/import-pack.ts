import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import type { OwnPack } from '../../application/publishing/contract.js';
import { AUDIO_KINDS } from '../../application/publishing/values.js';
import { PACK_SAMPLE_LIMIT } from '../../domain/publishing/pack.js';
import { slugFrom } from '../../domain/publishing/slug.js';
import { readFolder, type FoundFolder } from './folder.js';
import { FolderImport } from './import-folder.js';
import { importNotice } from '../../application/publishing/imports/import-notice.js';
import { creatorCalled, type ImportTools } from './import-tools.js';
import type { Progress } from '../progress.js';
import { CommandRefused } from '../refused.js';
import { inParallel } from '../../application/shared/in-parallel.js';
import { cutText } from '../../application/shared/text.js';
import { ChangeDefaultCost, DraftPack, ReplaceCover } from '../../application/publishing/change-pack.js';

export interface ImportRequest {
  folder: string;
  creator: string;
  pack?: string;
  publish: boolean;
  /** Stops the import after the files in progress. */
  signal?: AbortSignal;
}

export type ImportReport = Awaited<ReturnType<typeof importFolder>>;

export interface ImportProgress extends Progress {
  notice(text: string): void;
}

const AT_ONCE = 2;
/** Genre and mood of packs whose `pack.json` has none. The creator can change them in the editor. */
const DEFAULT_GENRE = 'Experimental';
const DEFAULT_MOOD = 'Mysterious';

/**
 * Imports a folder into the creator's pack with the name in `request.pack`, else in `pack.json`, else of the folder.
 * Creates the pack if it does not exist. Skips files that the pack already contains. @throws CommandRefused
 */
export async function importFolder(
  importTools: ImportTools,
  request: ImportRequest,
  progress: ImportProgress,
) {
  const folder = resolve(request.folder);
  const found = await readFolder(folder).catch((error: Error) => {
    throw new CommandRefused(`${folder} cannot be read: ${error.message}`);
  });
  if (found.audio.length === 0) throw new CommandRefused(`${folder} contains no ${AUDIO_KINDS} files`);
  const advice = '; a creator gets one with the first pack or application';
  const userId = await creatorCalled(importTools.profiles, request.creator, advice);
  const obstacle = await importTools.creators.obstacle(userId);
  if (obstacle) throw new CommandRefused(`${request.creator} may not upload: ${obstacle.code}`);
  const pack = await packFor(
    importTools,
    userId,
    request.pack ?? found.listed?.name ?? basename(folder),
    found,
  );

  const importing = new FolderImport(importTools, { userId, packId: pack.id }, folder, found);
  await importing.look();
  const room = PACK_SAMPLE_LIMIT - pack.samples.length;
  const coming = importing.newFiles(pack);
  if (coming > room)
    progress.notice(
      `${coming} files are new, and the pack has room for ${room} more: ${coming - room} will not be imported.`,
    );
  progress.start(found.audio.length);
  const isInterrupted = (): boolean => request.signal?.aborted === true;
  await inParallel(found.audio, AT_ONCE, async (path) => {
    if (isInterrupted()) return;
    await importing.take(path);
    progress.advance(1, basename(path));
  });
  progress.stop();
  const interrupted = isInterrupted();
  // An incomplete pack is neither sorted nor published.
  if (!interrupted) await importing.finish(request.publish);
  const now = (await importTools.ownPacks.find(userId, pack.id)) as OwnPack;
  const { added, known } = importing;
  if (added > 0) await importTools.notices.add([importNotice(userId, now, added, importTools.clock.now())]);
  return {
    pack: now.title,
    slug: now.slug,
    status: now.status,
    added,
    /** Files whose content is in the pack already. */
    known,
    failures: importing.failures(),
    /** `pack.json` calls the pack published, but this import did not publish it. */
    isWithheld: now.status !== 'published' && found.listed?.status === 'published',
    interrupted,
  };
}

async function packFor(
  importTools: ImportTools,
  userId: string,
  name: string,
  found: FoundFolder,
): Promise<OwnPack> {
  const existing = await importTools.ownPacks.find(userId, slugFrom(name));
  if (existing) return existing;
  const { genre = DEFAULT_GENRE, mood = DEFAULT_MOOD, description = '' } = found.listed ?? {};
  const title = cutText(name, 120);
  const outcome = await importTools.commands.execute(
    new DraftPack(userId, { name: title, genre, mood, description }, randomUUID(), found.listed?.createdAt),
  );
  if (!outcome.accepted)
    throw new CommandRefused(`the pack ${title} cannot be made: ${outcome.rejection.code}`);
  const { packId } = outcome;
  const writer = { userId, packId };
  if (found.listed?.defaultCreditCost)
    await importTools.commands.execute(
      new ChangeDefaultCost(writer, { creditCost: found.listed.defaultCreditCost, applyToAll: false }),
    );
  if (found.coverPath)
    await importTools.commands.execute(new ReplaceCover(writer, await readFile(found.coverPath)));
  return (await importTools.ownPacks.find(userId, packId)) as OwnPack;
}
