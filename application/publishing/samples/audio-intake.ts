import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { suggestKind } from '../../../domain/catalogue/kind.js';
import type { SampleAudio } from '../../../domain/publishing/audio.js';
import { parseFileName } from '../../../domain/publishing/file-name.js';
import { KIND_HEAD_BYTES, namedAs, refusalOfKind } from '../../../domain/publishing/file-kind.js';
import { usualTempo } from '../../../domain/publishing/usual-tempo.js';
import { reject, type Outcome } from '../../../domain/shared/decision.js';
import { MEDIA_CACHE } from '../../media/values.js';
import { AudioStudio, type AnalysedAudio, type AudioRejection } from './audio-studio.js';
import { Clock } from '../../shared/clock.js';
import { ObjectStorage, putOnce } from '../../storage/object-storage.js';
import { UnreferencedObjects } from '../../storage/unreferenced-objects.js';
import { freshFileName, type PackFolder } from '../covers.js';
import { OwnPackQueries } from '../queries.js';
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

/** Below this chance, a suggested tempo does not decide whether a sound is a loop. */
const LIKELY = 0.5;

/** Analyses a file. Stores the unchanged original and a preview, or neither of them. */
@Injectable()
export class AudioIntake {
  constructor(
    private readonly studio: AudioStudio,
    private readonly files: WorkingFiles,
    private readonly storage: ObjectStorage,
    private readonly packs: OwnPackQueries,
    private readonly unreferenced: UnreferencedObjects,
    private readonly clock: Clock,
  ) {}

  async take(
    file: ReceivedFile,
    place: PackFolder & { genre: string },
    onProgress: (state: UploadState) => void,
    { signal, title }: { signal?: AbortSignal | undefined; title?: string | undefined } = {},
  ): Promise<IntakeOutcome> {
    const previewPath = `${file.path}.preview.mp3`;
    try {
      const analysis = await this.studio.analyse(file.path, previewPath, {
        owner: place.creatorFolder,
        onProgress: (phase, share) => onProgress({ phase, share }),
        signal,
        usualBpm: usualTempo(file.filename, place.genre),
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
    const preview = await this.files.read(previewPath);
    const previewKey = `media/previews/${createHash('sha256').update(preview).digest('hex')}.mp3`;
    // Set before `putOnce`, because a request that fails may still have stored the preview.
    let isPreviewOurs = false;
    const discard = async (): Promise<void> => {
      await this.storage.delete(originalKey);
      if (isPreviewOurs && !(await this.packs.isPreviewUsed(previewKey)))
        await this.storage.delete(previewKey);
    };
    try {
      await this.storage.put(originalKey, this.files.stream(file.path), {
        contentType,
        ifAbsent: true,
        cacheControl: 'private, max-age=3600',
      });
      isPreviewOurs = true;
      await this.unreferenced.claim(previewKey);
      isPreviewOurs = await putOnce(this.storage, previewKey, preview, {
        contentType: 'audio/mpeg',
        cacheControl: MEDIA_CACHE,
      });
    } catch (error) {
      await discard();
      throw error;
    }
    return { originalPath, previewKey, discard };
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
