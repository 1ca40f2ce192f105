import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { PublishingSettings } from '../publishing-settings.js';

/** No upload is in progress for longer than this. */
const ABANDONED_AFTER_MS = 60 * 60_000;

/** Removes files that a killed process left behind. @returns how many */
export async function removeAbandonedUploads(folder: string, now: Date): Promise<number> {
  const names = await readdir(folder).catch(() => []);
  let removed = 0;
  for (const name of names) {
    const path = join(folder, name);
    const file = await stat(path).catch(() => undefined);
    if (!file?.isFile() || now.getTime() - file.mtimeMs < ABANDONED_AFTER_MS) continue;
    await rm(path, { force: true });
    removed += 1;
  }
  return removed;
}

@Injectable()
export class UploadFolder implements OnModuleInit {
  constructor(private readonly settings: PublishingSettings) {}

  async onModuleInit(): Promise<void> {
    await removeAbandonedUploads(this.settings.uploadFolder, new Date());
  }
}
