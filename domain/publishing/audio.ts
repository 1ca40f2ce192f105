import type { Kind, SuggestedKind } from '../shared/kind.js';
import type { Origin } from '../shared/origin.js';

/** What a creator may have made by mistake: samples cut off at full scale, or a constant offset. */
export const FLAWS = ['clipping', 'offset'] as const;
export type Flaw = (typeof FLAWS)[number];

export const SUGGESTED_BY = ['sound', 'tags', 'markers'] as const;

export interface Suggested {
  /** The chance that the value is right, from 0 to 1. */
  confidence: number;
  /**
   * The source of the suggestion: the sound itself, or the tags or markers of its file. Absent in events before
   * version 0.3; their source is the sound.
   */
  from?: (typeof SUGGESTED_BY)[number];
}

/** The part of a sound that anyone may hear: a lossy copy of at most 60 s. */
export interface PreviewPart {
  /** Where the part begins in the original. Absent in events before version 0.3: 0. */
  previewStartMs?: number;
  /** The key of the copy: `media/previews/{sha256}.mp3`. */
  previewKey: string;
  /** The waveform of the preview: 50 levels from 0 to 100. */
  waveform: number[];
  /** 400 bars of the preview, 0–100. */
  waveformFine: number[];
}

/** One version of a sample's audio. Times in ms, sizes in bytes, loudness in LUFS. */
export interface SampleAudio extends PreviewPart {
  audioVersion: number;
  /** The creator's name for the file. */
  filename: string;
  /** The path of the original below the creator's folder: `Packs/{folder}/samples/{file}`. Never public. */
  originalPath: string;
  sha256: string;
  sizeBytes: number;
  format: string;
  contentType: string;
  sampleRateHz: number;
  bitDepth: number | null;
  channels: number;
  durationMs: number;
  loudnessLufs: number | null;
  suggestions: {
    tempo: ({ bpm: number } & Suggested) | null;
    key: ({ key: string } & Suggested) | null;
    /** Null if nothing in the file suggests a kind. Absent in events before version 0.3. */
    kind?: SuggestedKind | null;
    /** Absent in events before version 0.3. */
    flaws?: Flaw[];
  };
}

export interface Attachment {
  filename: string;
  /** The path below the creator's folder. */
  path: string;
  sha256: string;
  sizeBytes: number;
  contentType: string;
}

/** What creators write about a sample for listeners. They can correct it without uploading new audio. */
export interface SampleDescription {
  title: string;
  /** The tempo; 0 if unknown. */
  bpm: number;
  /** The musical key: one of the 34 labels. */
  key: string | null;
  instruments: string[];
  isRoyaltyFree: boolean;
  /** Null or absent if not stated: the file, the title, the tempo and the length then decide. */
  kind?: Kind | null;
  /** Null or absent if not stated. Events before version 1.0 have none. */
  origin?: Origin | null;
}
