import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Profiles } from '../application/profiles/profiles.js';
import { ExportPack } from '../application/publishing/export-pack.js';
import { ImportRefused } from './refused.js';
import type { Tools } from './tools.js';

export interface ExportRequest {
  slug: string;
  creator: string;
  /** The parent folder. The export creates a folder in it, named after the pack's address. */
  to: string;
}

/** For `import` or `import-bucket`. The folder appears only when it is complete. @throws ImportRefused */
export async function exportPack(
  { app }: Tools,
  { slug, creator, to }: ExportRequest,
): Promise<{ folder: string; files: number }> {
  const owner = await app.get(Profiles).findOwner(creator.replace(/^@/, ''));
  if (!owner) throw new ImportRefused(`no creator has the handle ${creator}`);
  const pack = await app.get(ExportPack).folder(owner.userId, slug);
  if (!pack.accepted)
    throw new ImportRefused(
      pack.rejection.code === 'NotFound'
        ? `${creator} has no pack ${slug}`
        : `the pack ${slug} was taken down`,
    );
  const folder = join(resolve(to), pack.slug);
  if ((await readdir(folder).catch(() => [])).length > 0) throw new ImportRefused(`${folder} is not empty`);
  const unfinished = `${folder}.part`;
  await rm(unfinished, { recursive: true, force: true });
  for (const entry of pack.entries) {
    const path = join(unfinished, entry.name);
    await mkdir(dirname(path), { recursive: true });
    if ('bytes' in entry) await writeFile(path, entry.bytes);
    else if ('make' in entry) await writeFile(path, await entry.make());
    else await pipeline(await entry.open(), createWriteStream(path));
  }
  await rm(folder, { recursive: true, force: true });
  await rename(unfinished, folder);
  return { folder, files: pack.entries.length };
}
