/** Everything known about one version of a sample's audio. Times in ms, sizes in bytes, loudness in LUFS. */
export interface SampleAudio {
  /** 1 for the first upload; each replacement counts on. */
  audioVersion: number;
  /** The creator's own name of the file. */
  filename: string;
  /** Where the original lies below the creator's folder: `Packs/{folder}/samples/{file}`. Never public. */
  originalPath: string;
  sha256: string;
  sizeBytes: number;
  format: string;
  contentType: string;
  sampleRateHz: number;
  bitDepth: number | null;
  channels: number;
  durationMs: number;
  /** The lossy preview of at most 60 s, `media/previews/{sha256}.mp3`. */
  previewKey: string;
  /** 50 bars, 0–100, over the preview. */
  waveform: number[];
  /** 400 bars, 0–100, over the preview. */
  waveformFine: number[];
  loudnessLufs: number | null;
  suggestions: {
    tempo: { bpm: number; confidence: number } | null;
    key: { key: string; confidence: number } | null;
  };
}

/** A further file of a sample: stems or MIDI. */
export interface Attachment {
  filename: string;
  /** Below the creator's folder. */
  path: string;
  sha256: string;
  sizeBytes: number;
  contentType: string;
}

/** What listeners read about a sample, and may be corrected without touching its audio. */
export interface SampleDescription {
  title: string;
  /** 0 when unknown. */
  bpm: number;
  /** One of the 34 labels. */
  key: string | null;
  instruments: string[];
  isRoyaltyFree: boolean;
}
