import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import * as z from 'zod';
import { likenessOf } from '../../../domain/publishing/likeness.js';
import { type JobKind, JobQueue } from '../../shared/job-queue.js';
import { ObjectMissing, ObjectStorage } from '../../storage/object-storage.js';
import { PublishingSettings } from '../publishing-settings.js';
import { WorkingFiles } from '../samples/working-files.js';
import { SuspectCopy, type SuspectedPair } from '../suspicions/suspect-copy.js';
import { KnownSounds, type KnownSound, type PresentSound, type SampleVersion } from './known-sounds.js';
import { SoundStudio, type Alignment } from './sound-studio.js';
import type { Recorded, Reactor } from '../../shared/event-store.js';
import { Clock } from '../../shared/clock.js';
import type { PackEvent } from '../../../domain/publishing/pack-messages.js';

const Version = z.object({ sampleId: z.string(), audioVersion: z.number() });

/** The job that compares a new sound with all others. Does nothing if the audio was replaced in the meantime. */
export const SOUND: JobKind<SampleVersion> = {
  name: 'sound',
  shape: Version,
  isKeyed: true,
  atOnce: 2,
  repeats: 8,
  firstPauseSeconds: 5,
  longestPauseSeconds: 900,
  timeLimitSeconds: 300,
};
/** The job that compares an older sound, for example with a new algorithm. New sounds do not wait for these jobs. */
export const OLD_SOUND: JobKind<SampleVersion> = { ...SOUND, name: 'old-sound', atOnce: 1 };

export const soundJob = ({ sampleId, audioVersion }: SampleVersion) => ({
  data: { sampleId, audioVersion },
  key: `${sampleId}/${audioVersion}`,
});

const LEARNT_AT_ONCE = 2_000;
/** This many of the similar sounds are compared in detail: `isKnown` sounds first, then drafts, likeliest first. */
const LOOKED_AT_TWICE = 5;
const LOOK_AGAIN_MS = 100;

/** Compares sounds of different creators. `SuspectCopy` decides what follows. */
@Injectable()
export class CopyCheck {
  private learning: Promise<void> = Promise.resolve();

  constructor(
    private readonly sounds: KnownSounds,
    private readonly studio: SoundStudio,
    private readonly files: WorkingFiles,
    private readonly storage: ObjectStorage,
    private readonly commands: CommandBus,
    private readonly settings: PublishingSettings,
  ) {}

  /** Compares one version of a sound. Reports pairs if the other sound is or was on sale or taken down. Idempotent. */
  async run({ sampleId, audioVersion }: SampleVersion, signal: AbortSignal): Promise<void> {
    const sound = await this.sounds.present(sampleId);
    if (!sound || sound.audioVersion !== audioVersion) return;
    const files: string[] = [];
    try {
      const isComparable = await this.isComparable(sound, files);
      signal.throwIfAborted();
      if (isComparable) await this.compare(sound, files);
      await this.sounds.compared(sound);
    } catch (error) {
      // The sample and its files were removed in the meantime.
      const isGone = error instanceof ObjectMissing && !(await this.sounds.present(sampleId));
      if (!isGone) throw error;
    } finally {
      for (const path of files) await this.files.remove(path);
    }
  }

  /** Waits until newly uploaded sounds of the pack are compared, then reports its similar pairs. */
  async beforePublishing({ packId, userId }: { packId: string; userId: string }): Promise<void> {
    const { copyCheckWaitMs } = this.settings;
    const until = performance.now() + copyCheckWaitMs;
    while (performance.now() < until && (await this.sounds.uncompared(userId, packId, copyCheckWaitMs)) > 0)
      await pause(LOOK_AGAIN_MS);
    for (const pair of await this.sounds.pairsOf(userId, packId))
      await this.commands.execute(new SuspectCopy(pair));
  }

  /** @returns whether the sound has enough content for a fingerprint */
  private async isComparable(sound: PresentSound, files: string[]): Promise<boolean> {
    if (sound.fingerprint !== undefined) return sound.fingerprint !== null;
    const path = await this.fetched(sound.originalKey, files);
    const fingerprint = await this.studio.fingerprint(path);
    await this.sounds.keep(sound, fingerprint);
    return fingerprint !== null;
  }

  private async compare(sound: PresentSound, files: string[]): Promise<void> {
    await this.learnt();
    const path = await this.fetched(sound.previewKey, files);
    const first = new Map(
      (await this.studio.alike(path, sound.creatorId)).map((each) => [each.soundId, each]),
    );
    const likely = (await this.sounds.named([...first.keys()]))
      // Skips identical files, because publishing a pack compares their hashes.
      .filter(({ sha256, creatorId }) => sha256 !== sound.sha256 && creatorId !== sound.creatorId)
      // Sounds that are or were on sale, or were taken down, come first, then drafts.
      .sort((a, b) => Number(b.isKnown) - Number(a.isKnown))
      .slice(0, LOOKED_AT_TWICE);
    for (const like of likely) {
      const pair = await this.pairOf(sound, like, first.get(like.soundId) as Alignment, { path, files });
      if (!pair) continue;
      await this.sounds.keepPair(pair);
      if (like.isKnown) await this.commands.execute(new SuspectCopy(pair));
    }
  }

  private async pairOf(
    sound: PresentSound,
    like: KnownSound,
    first: Alignment,
    { path, files }: { path: string; files: string[] },
  ): Promise<SuspectedPair | undefined> {
    const likePath = await this.fetched(like.previewKey, files).catch(undefinedIfMissing);
    if (likePath === undefined) return undefined;
    const look = await this.studio.compare(path, likePath, first);
    const { agreement, frames, agreeing } = first;
    const alike = likenessOf({ agreement, frames, phases: look.likeness });
    if (!alike) return undefined;
    const { stretch, speed } = look;
    return {
      sound,
      like,
      by: 'fingerprint',
      ...alike,
      frames: { agree: agreeing, of: frames },
      stretch,
      offsetMs: stretch.likeFromMs - stretch.fromMs,
      speed,
      // The check finds only sounds whose pitch changed together with their speed, so the speed gives the pitch.
      pitchCents: Math.round(1_200 * Math.log2(speed)),
    };
  }

  private learnt(): Promise<void> {
    const learning = this.learning.then(async () => {
      for (;;) {
        const { last, recent } = this.studio.known();
        const sounds = await this.sounds.learn(last, recent, LEARNT_AT_ONCE);
        this.studio.learn(sounds);
        if (sounds.length < LEARNT_AT_ONCE) return;
      }
    });
    this.learning = learning.catch(() => undefined);
    return learning;
  }

  private async fetched(key: string, files: string[]): Promise<string> {
    const { path } = await this.files.write((await this.storage.get(key)).body);
    files.push(path);
    return path;
  }
}

/**
 * Returns undefined if the file is missing, because the similar sound may have been removed during the
 * comparison.
 */
function undefinedIfMissing(error: unknown): undefined {
  if (!(error instanceof ObjectMissing)) throw error;
}

const NEW_MS = 3_600_000;

type Uploaded = Extract<PackEvent, { type: 'SampleAdded' | 'SampleAudioReplaced' }>;

/** Sends a job for each uploaded sound. Comparing in the reactor itself would block it, because that is slow. */
@Injectable()
export class CompareSounds implements Reactor<Uploaded> {
  readonly name = 'sound-comparisons';
  readonly streamsAtOnce = 8;
  readonly types = ['SampleAdded', 'SampleAudioReplaced'] as const;

  constructor(
    private readonly jobs: JobQueue,
    private readonly clock: Clock,
  ) {}

  handle(event: Recorded<Uploaded>): Promise<void> {
    return this.handleAll([event]);
  }

  async handleAll(events: readonly Recorded<Uploaded>[]): Promise<void> {
    const newSince = new Date(this.clock.now().getTime() - NEW_MS).toISOString();
    for (const [kind, isNew] of [
      [SOUND, true],
      [OLD_SOUND, false],
    ] as const) {
      const sounds = events.filter(({ data }) => data.at > newSince === isNew);
      if (sounds.length > 0)
        await this.jobs.send(
          kind,
          sounds.map(({ data }) => soundJob(data)),
        );
    }
  }
}
