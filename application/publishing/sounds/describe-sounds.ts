import { Injectable } from '@nestjs/common';
import type { JobKind } from '../../shared/job-queue.js';
import { JobQueue } from '../../shared/job-queue.js';
import { ObjectMissing, ObjectStorage } from '../../storage/object-storage.js';
import { WorkingFiles } from '../samples/working-files.js';
import { OLD_SOUND, soundJob } from './copy-check.js';
import { DescribedSounds } from './described-sounds.js';
import type { SampleVersion } from './known-sounds.js';
import { SoundStudio } from './sound-studio.js';

/** The job that computes the descriptors of a sound, if they are missing or outdated. */
export const DESCRIPTION: JobKind<SampleVersion> = { ...OLD_SOUND, name: 'description' };

const ORDERED_AT_ONCE = 2_000;

@Injectable()
export class DescribeSounds {
  constructor(
    private readonly sounds: DescribedSounds,
    private readonly studio: SoundStudio,
    private readonly files: WorkingFiles,
    private readonly storage: ObjectStorage,
    private readonly jobs: JobQueue,
  ) {}

  /** Deletes the descriptors of deleted sounds, and enqueues jobs for missing or outdated descriptors. */
  async sweep(): Promise<void> {
    await this.sounds.sweep();
    const missing = await this.sounds.missing(ORDERED_AT_ONCE);
    if (missing.length > 0) await this.jobs.send(DESCRIPTION, missing.map(soundJob));
  }

  /** Computes the descriptors of one version of a sound, unless the version was described, replaced or deleted. */
  async run(sound: SampleVersion): Promise<void> {
    const originalKey = await this.sounds.undescribed(sound);
    if (originalKey === undefined) return;
    let path: string | undefined;
    try {
      ({ path } = await this.files.write((await this.storage.get(originalKey)).body));
      await this.sounds.keep(sound, await this.studio.describe(path));
    } catch (error) {
      // A missing file is ignored here, because the check of files on sale reports it.
      if (!(error instanceof ObjectMissing)) throw error;
    } finally {
      if (path !== undefined) await this.files.remove(path);
    }
  }
}
