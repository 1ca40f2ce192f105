import type { Flaw, Suggested } from '../../../domain/publishing/audio.js';
import type { Kind } from '../../../domain/shared/kind.js';
import type { Outcome } from '../../../domain/shared/decision.js';

export interface AnalysedAudio {
  format: 'wav' | 'aiff' | 'flac' | 'mp3' | 'ogg' | 'opus' | 'm4a' | 'aac';
  contentType: string;
  sampleRateHz: number;
  channels: number;
  bitDepth?: number;
  durationMs: number;
  /** 50 values 0–100, over the preview. */
  waveform: number[];
  /** 400 values 0–100, over the preview. */
  waveformFine: number[];
  previewStartMs: number;
  loudnessLufs: number | null;
  tempo: ({ bpm: number } & Suggested) | null;
  /** One of the 34 labels, such as `F# Minor`. */
  key: ({ key: string } & Suggested) | null;
  /** The kind of the sound according to loop points or a flag in the file. */
  marked: Kind | null;
  /** Whether the sound has one attack and then dies away, as a drum or a plucked note does. */
  decays: boolean;
  flaws: Flaw[];
  /** Null if the sound has too little content. */
  fingerprint: Uint8Array | null;
  /** Numbers by which the catalogue finds sounds that sound alike. Null for silence. */
  descriptors: Float32Array | null;
}

/** A WAV with one format chunk and one data chunk. */
export interface WavCopy {
  sampleRateHz: number;
  frames: number;
  sizeBytes: number;
}

export type AudioRejection =
  | { code: 'UnsupportedAudioType'; detail?: string }
  | { code: 'AudioUnreadable'; reason: string; detail?: string }
  | { code: 'AudioEmpty' }
  | { code: 'AudioTooLong'; limitMs: number; durationMs: number }
  | { code: 'AudioTooLarge'; limitBytes: number };

/** Decodes and measures a local file in a worker thread with time and memory limits. */
export abstract class AudioStudio {
  /** @param previewPath where to write the preview (MP3, at most 60 s) @throws TooBusy */
  abstract analyse(
    path: string,
    previewPath: string,
    options?: {
      onProgress?: (phase: 'decoding' | 'analysing' | 'encoding', share: number) => void;
      /** The owner of the file. Owners take turns, so that one with many files does not delay the others. */
      owner?: string;
      /** Aborts the analysis, which then throws the signal's reason. */
      signal?: AbortSignal | undefined;
      /** The usual tempo of music like this in BPM, which decides between a tempo and its half or double. */
      usualBpm?: number | undefined;
      /** Where the preview begins; earlier if the sound is too short for a full one. Default: 0. */
      previewStartMs?: number | undefined;
    },
  ): Promise<Outcome<{ audio: AnalysedAudio }, AudioRejection>>;

  /** Writes another part of a sound as its preview. @param previewPath where to write it @throws TooBusy */
  abstract preview(
    path: string,
    previewPath: string,
    options: { startMs: number; owner?: string },
  ): Promise<Outcome<{ preview: Pick<AnalysedAudio, 'waveform' | 'waveformFine'> }, AudioRejection>>;

  /** Returns the waveform of a whole sound: 400 bars from 0 to 100. @throws TooBusy */
  abstract overview(
    path: string,
    options?: { owner?: string },
  ): Promise<Outcome<{ bars: number[] }, AudioRejection>>;
}

/** Converts a local file in a worker thread with time and memory limits. */
export abstract class WavWriter {
  /** Writes the sound of a file to `wavPath` as a WAV without further chunks. @throws TooBusy */
  abstract toWav(
    path: string,
    wavPath: string,
    options?: { owner?: string | undefined; signal?: AbortSignal | undefined },
  ): Promise<Outcome<{ copy: WavCopy }, AudioRejection>>;
}
