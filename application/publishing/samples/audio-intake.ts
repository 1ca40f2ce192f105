import { Injectable } from '@nestjs/common';
import { suggestKind } from '../../../domain/catalogue/kind.js';
import type { SampleAudio } from '../../../domain/publishing/audio.js';
import { parseFileName } from '../../../domain/publishing/file-name.js';
import { KIND_HEAD_BYTES, namedAs, refusalOfKind } from '../../../domain/publishing/file-kind.js';
import { usualTempo } from '../../../domain/publishing/usual-tempo.js';
import { reject, type Outcome } from '../../../domain/shared/decision.js';
import { AudioStudio, type AnalysedAudio, type AudioRejection } from './audio-studio.js';
import { Clock } from '../../shared/clock.js';
import { ObjectStorage } from '../../storage/object-storage.js';
import { freshFileName, type PackFolder } from '../covers.js';
import { Previews } from './previews.js';
import { WorkingFiles, type ReceivedFile } from './working-files.js';
import type { UploadState } from './upload-progress.js';

export type StoredAudio = Omit<SampleAudio, 'audioVersion'>;

export type IntakeOutcome = Outcome<
  {
    audio: StoredAudio;
    fingerprint: AnalysedAudio['fingerprint'];
    descriptors: AnalysedAudio['descriptors'];
    /** Removes the stored files. The caller must do that if the event was not recorded. */
    discard: () => Promise<void>;
  },
  AudioRejection
>;

interface Wishes {
  signal?: AbortSignal | undefined;
  /** The title that the creator gave, which may name the kind. */
  title?: string | undefined;
  previewStartMs?: number | undefined;
}

/** Below this chance, a suggested tempo does not decide whether a sound is a loop. */
const LIKELY = 0.5;

/** Analyses a file. Stores the unchanged original and a preview, or neither of them. */
@Injectable()
export class AudioIntake {
  constructor(
    private readonly studio: AudioStudio,
    private readonly files: WorkingFiles,
    private readonly storage: ObjectStorage,
    private readonly previews: Previews,
    private readonly clock: Clock,
  ) {}

  async take(
    file: ReceivedFile,
    place: PackFolder & { genre: string },
    onProgress: (state: UploadState) => void,
    { signal, title, previewStartMs }: Wishes = {},
  ): Promise<IntakeOutcome> {
    const previewPath = `${file.path}.preview.mp3`;
    try {
      const analysis = await this.studio.analyse(file.path, previewPath, {
        owner: place.creatorFolder,
        onProgress: (phase, share) => onProgress({ phase, share }),
        signal,
        usualBpm: usualTempo(file.filename, place.genre),
        previewStartMs,
      });
      if (!analysis.accepted) return reject(await this.explained(analysis.rejection, file));
      onProgress({ phase: 'storing', share: 0 });
      const stored = await this.store(file, previewPath, place, analysis.audio);
      const { tempo, key, flaws, marked, decays, fingerprint, descriptors, ...rest } = analysis.audio;
      const { bitDepth = null, ...measured } = rest;
      const { sha256, sizeBytes } = file;
      const { discard, ...keys } = stored;
      const filename = namedAs(file.filename, measured.format);
      const named = parseFileName(file.filename);
      const kind = suggestKind({
        titleLower: (title ?? named.title).toLowerCase(),
        bpm: named.bpm ?? (tempo && tempo.confidence >= LIKELY ? tempo.bpm : 0),
        durationMs: measured.durationMs,
        marked,
        decays,
      });
      const suggestions = { tempo, key, kind, flaws };
      const audio = { ...measured, ...keys, filename, sha256, sizeBytes, bitDepth, suggestions };
      return { accepted: true, audio, fingerprint, descriptors, discard };
    } finally {
      await this.files.remove(previewPath);
    }
  }

  private async store(
    file: ReceivedFile,
    previewPath: string,
    place: PackFolder,
    { format, contentType }: AnalysedAudio,
  ): Promise<{ originalPath: string; previewKey: string; discard: () => Promise<void> }> {
    const originalPath = `Packs/${place.folder}/samples/${freshFileName(this.clock.now())}.${format}`;
    const originalKey = `Users/${place.creatorFolder}/${originalPath}`;
    const preview = await this.previews.prepare(previewPath);
    const discard = async (): Promise<void> => {
      await this.storage.delete(originalKey);
      await preview.discard();
    };
    try {
      await this.storage.put(originalKey, this.files.stream(file.path), {
        contentType,
        ifAbsent: true,
        cacheControl: 'private, max-age=3600',
      });
      await preview.store();
    } catch (error) {
      await discard();
      throw error;
    }
    return { originalPath, previewKey: preview.key, discard };
  }

  private async explained(rejection: AudioRejection, file: ReceivedFile): Promise<AudioRejection> {
    if (rejection.code === 'AudioUnreadable')
      return { ...rejection, detail: `The audio cannot be read: ${rejection.reason}.` };
    if (rejection.code !== 'UnsupportedAudioType') return rejection;
    return {
      ...rejection,
      detail: refusalOfKind(await this.files.read(file.path, KIND_HEAD_BYTES), file.filename),
    };
  }
}
