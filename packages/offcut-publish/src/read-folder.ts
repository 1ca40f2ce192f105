import { open, readdir, readFile, stat } from 'node:fs/promises';
import { basename, join, relative, resolve, sep } from 'node:path';
import { MANIFEST_NAME, manifestText } from '../../../application/publishing/folder/manifest.js';
import { type FolderPlan, planFolder } from '../../../application/publishing/folder/plan.js';
import { AUDIO_NAME, KIND_HEAD_BYTES, refusalOfContent } from '../../../application/publishing/values.js';
import { NeedsPerson } from '../../offcut-sync/src/server.js';

/** Plans the packs of a folder on this computer. @throws NeedsPerson if it cannot be read */
export async function readFolder(folder: string): Promise<FolderPlan> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error: Error) => {
    throw new NeedsPerson(`The folder cannot be read: ${error.message}`);
  });
  const files = [];
  for (const entry of entries.filter((each) => each.isFile())) {
    const full = join(entry.parentPath, entry.name);
    const path = relative(folder, full).split(sep).join('/');
    const { size: sizeBytes } = await stat(full);
    const refusal = AUDIO_NAME.test(path)
      ? await refusalOf(full).catch(() => 'The file could not be read.')
      : undefined;
    files.push({ path, sizeBytes, refusal });
  }
  const isListed = files.some(({ path }) => path === MANIFEST_NAME);
  const text = isListed ? manifestText(await readFile(join(folder, MANIFEST_NAME))) : undefined;
  return planFolder(basename(resolve(folder)), files, text);
}

async function refusalOf(path: string): Promise<string | undefined> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(KIND_HEAD_BYTES), 0, KIND_HEAD_BYTES, 0);
    return refusalOfContent(buffer.subarray(0, bytesRead), path);
  } finally {
    await file.close();
  }
}
