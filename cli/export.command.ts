import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Profiles } from '../application/profiles/profiles.js';
import { ExportPack } from '../application/publishing/export-pack.js';
import { creatorCalled } from './imports/import-tools.js';
import { CommandRefused } from './refused.js';
import type { Print, Tools } from './tools.js';

/**
 * Writes a pack to a new folder in `to`, for `import` or `import-bucket`. The name of the folder is the slug of the
 * pack. The folder appears only when it is complete.
 * @throws CommandRefused
 */
export async function exportPack(
  { app }: Tools,
  { slug, creator, to }: { slug: string; creator: string; to: string },
  print: Print,
): Promise<void> {
  const pack = await app.get(ExportPack).folder(await creatorCalled(app.get(Profiles), creator), slug);
  if (!pack.accepted)
    throw new CommandRefused(
      pack.rejection.code === 'NotFound'
        ? `${creator} has no pack ${slug}`
        : `the pack ${slug} was taken down`,
    );
  const folder = join(resolve(to), pack.slug);
  if ((await readdir(folder).catch(() => [])).length > 0) throw new CommandRefused(`${folder} is not empty`);
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
  print(`${pack.entries.length} files in ${folder}`);
}
