import { createHash, randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type * as z from 'zod';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { SampleAudio, SampleDescription } from '../../../domain/publishing/audio.js';
import { parseFileName } from '../../../domain/publishing/file-name.js';
import { PACK_SAMPLE_LIMIT } from '../../../domain/publishing/pack.js';
import type { PackCommand } from '../../../domain/publishing/pack-messages.js';
import { reject, type Outcome } from '../../../domain/shared/decision.js';
import { AudioIntake, type IntakeOutcome, type StoredAudio } from './audio-intake.js';
import { WorkingFiles, type ReceivedFile } from './working-files.js';
import type { OwnSample, SampleMeta } from '../contract.js';
import { APPLICATION_SOUNDS_LIMIT } from '../values.js';
import { ApplicationPacks } from '../creators/application-packs.js';
import { Creators, type NoAccess } from '../creators/creators.js';
import { Packs, type PackOutcome, type PackRefusal, type PackWriter, type WithoutActor } from '../packs.js';
import { OwnPackQueries, type DuplicateSample, type PackPlace } from '../queries.js';
import type { AudioRejection } from './audio-studio.js';
import { DescribedSounds } from '../sounds/described-sounds.js';
import { KnownSounds } from '../sounds/known-sounds.js';
import { UploadBoard } from './upload-progress.js';
import { cutText } from '../../shared/text.js';

type Meta = z.infer<typeof SampleMeta>;

export type UploadRejection = PackRefusal | AudioRejection | NoAccess | { code: 'UploadCancelled' };

export type UploadOutcome = Outcome<
  { sample: OwnSample; version: number; duplicateOf: DuplicateSample | null },
  UploadRejection
>;

export interface Upload extends PackWriter {
  file: ReceivedFile;
  uploadId?: string | undefined;
  /** Aborts the analysis, which then throws the signal's reason. Has no effect once files are being stored. */
  signal?: AbortSignal | undefined;
}

interface Wanted extends Upload {
  refuseDuplicate?: boolean | undefined;
  replaces?: string;
  title?: string | undefined;
  previewStartMs?: number | undefined;
}

const RECORDED = new Set(['SampleAdded', 'SampleAudioReplaced']);

/** Returns the id of a new sample. Repeating an upload id in the same pack gives the same sample. */
export const sampleIdOf = (packId: string, uploadId: string | undefined): string =>
  uploadId === undefined
    ? randomUUID()
    : createHash('sha256').update(`${packId}/${uploadId.toLowerCase()}`).digest('base64url').slice(0, 22);

/** Turns received files into samples of a pack. A failed upload leaves neither files nor events. */
@Injectable()
export class SampleUploads {
  /** Uploads in progress by sample id. A repeated request waits for the outcome of the first. */
  private readonly running = new Map<string, Promise<UploadOutcome>>();

  constructor(
    private readonly intake: AudioIntake,
    private readonly files: WorkingFiles,
    private readonly own: OwnPackQueries,
    private readonly creators: Creators,
    private readonly packs: Packs,
    private readonly board: UploadBoard,
    private readonly sounds: KnownSounds,
    private readonly described: DescribedSounds,
    private readonly applications: ApplicationPacks,
  ) {}

  /** Checks everything except the file. @param sampleId the sample whose audio is replaced; absent for a new sample */
  async admit(
    userId: string,
    packId: string,
    sampleId?: string,
  ): Promise<UploadRejection | (PackPlace & { limit: number })> {
    const obstacle = await this.creators.obstacle(userId);
    const isForApplication =
      obstacle?.code === 'CreatorAccessRequired' &&
      sampleId === undefined &&
      (await this.applications.find(userId)) === packId;
    if (obstacle && !isForApplication) return obstacle;
    const limit = isForApplication ? APPLICATION_SOUNDS_LIMIT : PACK_SAMPLE_LIMIT;
    const place = await this.own.place(userId, packId);
    if (!place) return { code: 'NotFound' };
    if (place.status === 'deleted') return { code: 'PackDeleted' };
    if (place.status === 'taken_down') return { code: 'PackTakenDown', reason: place.takedownReason ?? '' };
    if (sampleId !== undefined)
      return (await this.own.sample(userId, packId, sampleId)) ? { ...place, limit } : { code: 'NotFound' };
    return place.sampleCount < limit ? { ...place, limit } : { code: 'TooManySamples', limit };
  }

  async earlier(userId: string, packId: string, uploadId: string): Promise<OwnSample | undefined> {
    return this.own.sample(userId, packId, sampleIdOf(packId, uploadId));
  }

  async add(upload: Upload, meta: Meta): Promise<UploadOutcome> {
    const sampleId = sampleIdOf(upload.packId, upload.uploadId);
    const first = this.running.get(sampleId);
    if (first) {
      await this.files.remove(upload.file.path);
      return first;
    }
    const { refuseDuplicate, name: title, previewStartMs } = meta;
    const wanted = { ...upload, refuseDuplicate, title, previewStartMs };
    const work = this.work(wanted, sampleId, (audio, limit) => ({
      ...additionOf(upload.file, meta, sampleId, audio),
      limit,
    }));
    this.running.set(sampleId, work);
    try {
      return await work;
    } finally {
      this.running.delete(sampleId);
    }
  }

  async replace(upload: Upload, sampleId: string): Promise<UploadOutcome> {
    const wanted = { ...upload, replaces: sampleId };
    return this.work(wanted, sampleId, (audio) => ({ type: 'ReplaceSampleAudio', sampleId, audio }));
  }

  private async work(
    upload: Wanted,
    sampleId: string,
    decisionFor: (audio: StoredAudio, limit: number) => WithoutActor<PackCommand>,
  ): Promise<UploadOutcome> {
    const { packId, userId, file, uploadId } = upload;
    const report = (state: Parameters<UploadBoard['report']>[2]): void =>
      this.board.report(uploadId, userId, state);
    const refuse = (rejection: UploadRejection): UploadOutcome => {
      report({ phase: 'failed', share: 1 });
      return reject(rejection);
    };
    try {
      const place = await this.admit(userId, packId, upload.replaces);
      if ('code' in place) return refuse(place);
      const duplicate = await this.own.findDuplicate(userId, { packId, sampleId, sha256: file.sha256 });
      // A known duplicate is refused before the analysis. If equal files arrive at once, the pack refuses the second.
      if (upload.refuseDuplicate && duplicate?.packId === packId)
        return refuse({
          code: 'DuplicateAudio',
          sampleId: duplicate.sampleId,
          name: duplicate.name,
          among: 'pack',
        });
      const taken = await this.intake.take(file, place, report, upload);
      if (!taken.accepted) return refuse(taken.rejection);
      const outcome = await this.record(upload, decisionFor(taken.audio, place.limit), taken);
      if (!outcome.accepted) return refuse(outcome.rejection);
      const recorded = outcome.events.find((event) => RECORDED.has(event.type))?.data as
        | SampleAudio
        | undefined;
      if (recorded) {
        await this.described.keep({ sampleId, ...recorded }, taken.descriptors);
        await this.sounds.keep({ sampleId, ...recorded }, taken.fingerprint);
      }
      const sample = await this.own.sample(userId, packId, sampleId);
      if (!sample) return refuse({ code: 'NotFound' });
      report({ phase: 'done', share: 1 });
      return { accepted: true, sample, version: outcome.version, duplicateOf: duplicate ?? null };
    } catch (error) {
      report({ phase: 'failed', share: 1 });
      throw error;
    } finally {
      await this.files.remove(file.path);
    }
  }

  /** Records a sample. Removes the stored files if the pack refuses the command or does not change. */
  private async record(
    writer: Upload,
    decision: WithoutActor<PackCommand>,
    { audio, discard }: Extract<IntakeOutcome, { accepted: true }>,
  ): Promise<PackOutcome> {
    let outcome: PackOutcome;
    try {
      outcome = await this.packs.decide(writer, decision);
    } catch (error) {
      // The commit may have succeeded although its answer was lost. Deletes the files only if it is certain that the
      // pack does not use them.
      if (!(await this.own.isOriginalUsed(audio.originalPath, writer.packId).catch(() => true)))
        await discard();
      throw error;
    }
    if (!outcome.accepted || outcome.events.length === 0) await discard();
    return outcome;
  }
}

/** Takes missing fields from the file name. The audio analysis only makes suggestions. */
function additionOf(
  file: ReceivedFile,
  meta: Meta,
  sampleId: string,
  audio: StoredAudio,
): WithoutActor<Extract<PackCommand, { type: 'AddSample' }>> {
  const named = parseFileName(file.filename);
  const description: SampleDescription = {
    title: meta.name ?? cutText(named.title, 120),
    bpm: meta.bpm ?? named.bpm ?? 0,
    key: meta.key === undefined ? (named.key ?? null) : meta.key,
    instruments: [...new Set(meta.instruments ?? [])],
    isRoyaltyFree: meta.isRoyaltyFree ?? true,
    kind: meta.kind ?? null,
    origin: meta.origin ?? null,
  };
  const price = meta.creditCost === undefined ? {} : { priceCredits: meta.creditCost };
  const refuseDuplicate = meta.refuseDuplicate ?? false;
  return { type: 'AddSample', sampleId, description, audio, refuseDuplicate, ...price };
}

/** Adds a sample. A repeated upload id returns the sample of the first upload. Always removes the received file. */
export class AddSample extends Command<UploadOutcome> {
  constructor(
    readonly upload: Upload,
    readonly meta: z.infer<typeof SampleMeta>,
  ) {
    super();
  }
}

/** Replaces the original of a sample. Buyers keep the version that they bought. */
export class ReplaceSampleAudio extends Command<UploadOutcome> {
  constructor(
    readonly upload: Upload,
    readonly sampleId: string,
  ) {
    super();
  }
}

@CommandHandler(AddSample)
export class AddSampleHandler implements ICommandHandler<AddSample> {
  constructor(private readonly uploads: SampleUploads) {}

  execute({ upload, meta }: AddSample): Promise<UploadOutcome> {
    return this.uploads.add(upload, meta);
  }
}

@CommandHandler(ReplaceSampleAudio)
export class ReplaceSampleAudioHandler implements ICommandHandler<ReplaceSampleAudio> {
  constructor(private readonly uploads: SampleUploads) {}

  execute({ upload, sampleId }: ReplaceSampleAudio): Promise<UploadOutcome> {
    return this.uploads.replace(upload, sampleId);
  }
}
