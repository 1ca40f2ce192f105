import type { ComparedFile } from '../../../application/purchases/contract.js';
import {
  COMPARED_LIMIT_MB,
  COMPARED_LIMIT_MS,
  COMPARED_NAME_MAX_LENGTH,
} from '../../../application/purchases/values.js';

const BARS = 400;
/** This rate is enough to draw a waveform. It needs less than a quarter of the memory that 96 kHz would need. */
const RATE_HZ = 22_050;

/** The visitor sees the message, which says why a file cannot be compared. */
export class NotMeasured extends Error {}

/** Measures the waveform of an audio file in the browser. @throws NotMeasured */
export async function measured(file: File): Promise<ComparedFile> {
  if (file.size > COMPARED_LIMIT_MB * 1_000_000)
    throw new NotMeasured(`The file is too large: at most ${COMPARED_LIMIT_MB} MB.`);
  const audio = await decoded(file);
  const durationMs = Math.round(audio.duration * 1_000);
  if (durationMs < 1 || durationMs > COMPARED_LIMIT_MS)
    throw new NotMeasured('The file has no sound that can be compared.');
  const channels = Array.from({ length: audio.numberOfChannels }, (_, at) => audio.getChannelData(at));
  return { name: nameOf(file), durationMs, bars: barsOf(channels, BARS) };
}

async function decoded(file: File): Promise<AudioBuffer> {
  try {
    return await new OfflineAudioContext(1, 1, RATE_HZ).decodeAudioData(await file.arrayBuffer());
  } catch {
    throw new NotMeasured('Your browser cannot read this audio file.');
  }
}

const nameOf = ({ name }: File): string =>
  name
    .slice(0, COMPARED_NAME_MAX_LENGTH)
    .replaceAll(/[\p{C}\p{Z}]+/gu, ' ')
    .trim() || 'audio file';

/**
 * Returns levels from 0 to 100, relative to the loudest bar. Mixes peak and loudness equally, as the server does for
 * the waveforms of samples.
 */
export function barsOf(channels: readonly Float32Array[], count: number): number[] {
  const length = channels[0]?.length ?? 0;
  const peaks: number[] = [];
  const levels: number[] = [];
  for (let bar = 0; bar < count; bar += 1) {
    const from = Math.floor((bar * length) / count);
    const to = Math.min(length, Math.max(from + 1, Math.floor(((bar + 1) * length) / count)));
    let peak = 0;
    let energy = 0;
    for (const channel of channels) {
      for (let at = from; at < to; at += 1) {
        const value = Math.abs(channel[at] ?? 0);
        if (value > peak) peak = value;
        energy += value * value;
      }
    }
    peaks.push(peak);
    levels.push(Math.sqrt(energy / Math.max(1, (to - from) * channels.length)));
  }
  const loudestPeak = Math.max(...peaks);
  const loudestLevel = Math.max(...levels);
  if (loudestPeak < 1e-5) return peaks.map(() => 0);
  return peaks.map((peak, bar) =>
    Math.min(100, Math.round(50 * (peak / loudestPeak) + 50 * ((levels[bar] ?? 0) / loudestLevel))),
  );
}
