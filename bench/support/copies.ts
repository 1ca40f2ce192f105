/** Copies of recordings, as thieves make them. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createMp3Encoder } from 'wasm-media-encoders';
import { ByteWindow } from '../../adapters/vendors/audio/byte-window.js';
import { atSpeed } from '../../adapters/vendors/audio/fingerprint/questions.js';
import { ANALYSIS_RATE_HZ } from '../../domain/catalogue/sound/mono-track.js';
import { openAudio } from '../../adapters/vendors/audio/open-audio.js';
import type { SecondLook } from '../../application/publishing/sounds/sound-studio.js';
import { AUDIO_LIMIT_BYTES, AUDIO_LIMIT_MS } from '../../application/publishing/values.js';
import { wavFile } from '../../test/audio/synthesis.js';

const SECONDS = 10;
const CHUNK = 65_536;

export interface Recording {
  rateHz: number;
  /** One or two channels. */
  channels: Float32Array[];
}

interface Copy {
  /** Whether it has a goal: re-encoded, or with another gain. */
  isGoal: boolean;
  /** @returns undefined if this machine cannot make it */
  of(recording: Recording, folder: string): Promise<Recording | undefined>;
}

const encoder = await createMp3Encoder();

const changed = (recording: Recording, change: (samples: Float32Array, rateHz: number) => Float32Array) => ({
  ...recording,
  channels: recording.channels.map((samples) => change(samples, recording.rateHz)),
});

const gain = (factor: number) => (samples: Float32Array) =>
  samples.map((value) => Math.max(-1, Math.min(1, value * factor)));
const cut = (from: number, to: number) => (samples: Float32Array) =>
  samples.slice(Math.floor(samples.length * from), Math.floor(samples.length * to));
const paused = (samples: Float32Array, rateHz: number) => {
  const later = new Float32Array(samples.length + Math.round(0.137 * rateHz));
  later.set(samples, later.length - samples.length);
  return later;
};
/** More bass, less treble. */
const tilted = (samples: Float32Array, rateHz: number) => {
  let low = 0;
  const share = 1 - (1 - 0.12) ** (22_050 / rateHz);
  return samples.map((value) => {
    low += share * (value - low);
    return 0.7 * value + 0.6 * low;
  });
};

const simply = (change: (samples: Float32Array, rateHz: number) => Float32Array, isGoal = false): Copy => ({
  isGoal,
  of: async (recording) => changed(recording, change),
});
const asMp3 = (kilobits: 64 | 128): Copy => ({
  isGoal: true,
  of: async (recording, folder) => {
    const path = join(folder, 'copy.mp3');
    await encoded(recording, path, kilobits);
    return openRecording(path);
  },
});
const asAac: Copy = {
  isGoal: true,
  of: async ({ channels, rateHz }, folder) => {
    const [wav, m4a] = [join(folder, 'copy.wav'), join(folder, 'copy.m4a')];
    writeFileSync(wav, wavFile(channels, { rateHz }));
    try {
      execFileSync('ffmpeg', ['-v', 'error', '-y', '-i', wav, '-c:a', 'aac', '-b:a', '96k', m4a]);
    } catch {
      return undefined;
    }
    return openRecording(m4a);
  },
};
const allAtOnce: Copy = {
  isGoal: false,
  of: async (recording, folder) => {
    const copy = (await asMp3(128).of(recording, folder)) as Recording;
    return changed(copy, (samples) => cut(0.1, 1)(gain(0.63)(atSpeed(samples, 1.01))));
  },
};

export const COPIES: Record<string, Copy> = {
  'MP3, 128 kbit/s': asMp3(128),
  'MP3, 64 kbit/s': asMp3(64),
  'AAC, 96 kbit/s': asAac,
  '12 dB softer': simply(gain(10 ** (-12 / 20)), true),
  '6 dB louder, clipped': simply(gain(10 ** (6 / 20)), true),
  'trimmed by 15 % and 10 %': simply(cut(0.15, 0.9)),
  'the first half': simply(cut(0, 0.5)),
  'after 137 ms of silence': simply(paused),
  '2 % faster': simply((samples) => atSpeed(samples, 1.02)),
  '2 % slower': simply((samples) => atSpeed(samples, 1 / 1.02)),
  '0.5 % faster': simply((samples) => atSpeed(samples, 1.005)),
  'bass up, treble down': simply(tilted),
  'MP3, 1 % faster, cut, softer': allAtOnce,
};

/** Reads the first seconds of a file. */
export async function openRecording(path: string): Promise<Recording> {
  const bytes = new ByteWindow(path);
  const limits = { bytes: AUDIO_LIMIT_BYTES, durationMs: AUDIO_LIMIT_MS };
  const source = await openAudio(bytes, limits);
  try {
    const limit = SECONDS * source.sampleRateHz;
    const channels = Array.from({ length: Math.min(2, source.channels) }, () => new Float32Array(limit));
    let length = 0;
    for await (const block of source.blocks()) {
      for (const [side, samples] of channels.entries())
        samples.set((block[side] as Float32Array).subarray(0, limit - length), length);
      length = Math.min(limit, length + (block[0] as Float32Array).length);
    }
    return { rateHz: source.sampleRateHz, channels: channels.map((samples) => samples.slice(0, length)) };
  } finally {
    source.close?.();
    bytes.close();
  }
}

/** Writes a recording as MP3. */
export async function encoded(
  { channels, rateHz }: Recording,
  path: string,
  kilobits: 64 | 128,
): Promise<void> {
  encoder.configure({
    channels: channels.length === 1 ? 1 : 2,
    sampleRate: rateHz,
    bitrate: kilobits,
    outputSampleRate: 44_100,
  });
  const parts: Buffer[] = [];
  for (let at = 0; at < (channels[0]?.length ?? 0); at += CHUNK)
    parts.push(Buffer.from(encoder.encode(channels.map((samples) => samples.subarray(at, at + CHUNK)))));
  writeFileSync(path, Buffer.concat([...parts, encoder.finalize()]));
}

/**
 * Returns how similar two tracks are sample by sample, at the offset and speed of the second look. Treble counts as
 * much as bass; a recording compared with itself has 1. It shows whether two sounds are one rendering,
 * independently of fingerprints.
 */
export function waveformsAgree(
  known: Float32Array,
  asked: Float32Array,
  { speed, stretch }: SecondLook,
): number {
  const [ours, theirs] = [rises(known), rises(atSpeed(asked, 1 / speed))];
  const about = Math.round(((stretch.likeFromMs - stretch.fromMs * speed) / 1_000) * ANALYSIS_RATE_HZ);
  let best = 0;
  for (let lag = about - 30; lag <= about + 30; lag++) {
    let [both, one, other] = [0, 0, 0];
    for (let at = Math.max(0, lag); at < Math.min(ours.length, theirs.length + lag); at++) {
      const [a, b] = [ours[at] as number, theirs[at - lag] as number];
      both += a * b;
      one += a * a;
      other += b * b;
    }
    best = Math.max(best, both / Math.sqrt(one * other || 1));
  }
  return best;
}

const rises = (track: Float32Array): Float32Array =>
  track.map((value, at) => (at === 0 ? 0 : value - (track[at - 1] as number)));
