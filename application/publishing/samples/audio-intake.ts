import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, readFile, rm } from 'node:fs/promises';
import { Injectable } from '@nestjs/common';
import type { SampleAudio } from '../../../domain/publishing/audio.js';
import { KIND_HEAD_BYTES, namedAs, refusalOfKind } from '../../../domain/publishing/file-kind.js';
import { reject, type Outcome } from '../../../domain/shared/decision.js';
import { MEDIA_CACHE } from '../../media/values.js';
import { AudioStudio, type AnalysedAudio, type AudioRejection } from './audio-studio.js';
import { Clock } from '../../shared/clock.js';
import { ObjectExists, ObjectStorage } from '../../storage/object-storage.js';
import { UnreferencedObjects } from '../../storage/unreferenced-objects.js';
import { freshFileName, packFolder } from '../covers.js';
import { OwnPackQueries } from '../queries.js';
import type { UploadState } from './upload-progress.js';

export interface ReceivedFile {
  /** A temporary file; its receiver removes it. */
  path: string;
  /** The creator's file name, without folders. */
  filename: string;
  sizeBytes: number;
  sha256: string;
}

export type StoredAudio = Omit<SampleAudio, 'audioVersion'>;

export type IntakeOutcome = Outcome<
  {
    audio: StoredAudio;
    fingerprint: AnalysedAudio['fingerprint'];
    /** Removes the stored files if the event that needs them is not recorded. */
    discard: () => Promise<void>;
  },
  AudioRejection
>;

const ONE_HOUR = 'private, max-age=3600';
const CONTENT_TYPES: Record<AnalysedAudio['format'], string> = {
  wav: 'audio/wav',
  mp3: 'audio/mpeg',
  m4a: 'audio/mp4',
  aac: 'audio/aac',
};

/** Analyses a file and stores the untouched original with a preview. Stores both or nothing. */
@Injectable()
export class AudioIntake {
  constructor(
    private readonly studio: AudioStudio,
    private readonly storage: ObjectStorage,
    private readonly packs: OwnPackQueries,
    private readonly unreferenced: UnreferencedObjects,
    private readonly clock: Clock,
  ) {}

  async take(
    file: ReceivedFile,
    place: { creatorFolder: string; folder: string },
    onProgress: (state: UploadState) => void,
    options: { isImport?: boolean | undefined; signal?: AbortSignal | undefined } = {},
  ): Promise<IntakeOutcome> {
    const { isImport = false, signal } = options;
    const previewPath = `${file.path}.preview.mp3`;
    try {
      const analysis = await this.studio.analyse(file.path, previewPath, {
        acceptsAac: isImport,
        owner: place.creatorFolder,
        onProgress: (phase, share) => onProgress({ phase, share }),
        signal,
      });
      if (!analysis.accepted) return reject(await explained(analysis.rejection, file));
      onProgress({ phase: 'storing', share: 0 });
      const stored = await this.store(file, previewPath, place, analysis.audio.format);
      const {
        format,
        contentType,
        sampleRateHz,
        channels,
        durationMs,
        bitDepth,
        waveform,
        waveformFine,
        loudnessLufs,
        tempo,
        key,
        fingerprint,
      } = analysis.audio;
      const audio: StoredAudio = {
        filename: namedAs(file.filename, format),
        originalPath: stored.originalPath,
        sha256: file.sha256,
        sizeBytes: file.sizeBytes,
        format,
        contentType,
        sampleRateHz,
        channels,
        durationMs,
        bitDepth: bitDepth ?? null,
        previewKey: stored.previewKey,
        waveform,
        waveformFine,
        loudnessLufs,
        suggestions: { tempo, key },
      };
      return { accepted: true, audio, fingerprint, discard: stored.discard };
    } finally {
      await rm(previewPath, { force: true });
    }
  }

  private async store(
    file: ReceivedFile,
    previewPath: string,
    place: { creatorFolder: string; folder: string },
    extension: AnalysedAudio['format'],
  ): Promise<{ originalPath: string; previewKey: string; discard: () => Promise<void> }> {
    const originalPath = `Packs/${place.folder}/samples/${freshFileName(this.clock.now())}.${extension}`;
    const originalKey = `${packFolder(place)}${originalPath.slice(`Packs/${place.folder}`.length)}`;
    const contentType = CONTENT_TYPES[extension];
    const preview = await readFile(previewPath);
    const previewKey = `media/previews/${createHash('sha256').update(preview).digest('hex')}.mp3`;
    // Assumed ours until `putOnce` returns false: a failed request may still have stored the preview.
    let isPreviewOurs = false;
    const discard = async (): Promise<void> => {
      await this.storage.delete(originalKey);
      if (isPreviewOurs && !(await this.packs.isPreviewUsed(previewKey)))
        await this.storage.delete(previewKey);
    };
    try {
      await this.storage.put(originalKey, createReadStream(file.path), {
        contentType,
        ifAbsent: true,
        cacheControl: ONE_HOUR,
      });
      isPreviewOurs = true;
      isPreviewOurs = await this.putOnce(previewKey, preview);
    } catch (error) {
      await discard();
      throw error;
    }
    return { originalPath, previewKey, discard };
  }

  /** @returns false if the object existed before */
  private async putOnce(key: string, bytes: Buffer): Promise<boolean> {
    await this.unreferenced.claim(key);
    try {
      await this.storage.put(key, bytes, {
        contentType: 'audio/mpeg',
        ifAbsent: true,
        cacheControl: MEDIA_CACHE,
      });
      return true;
    } catch (error) {
      if (error instanceof ObjectExists) return false;
      throw error;
    }
  }
}

async function explained(rejection: AudioRejection, file: ReceivedFile): Promise<AudioRejection> {
  if (rejection.code === 'AudioUnreadable')
    return { ...rejection, detail: `The audio cannot be read: ${rejection.reason}.` };
  if (rejection.code !== 'UnsupportedAudioType') return rejection;
  return { ...rejection, detail: refusalOfKind(await headOf(file.path), file.filename) };
}

async function headOf(path: string): Promise<Uint8Array> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(KIND_HEAD_BYTES), 0, KIND_HEAD_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
