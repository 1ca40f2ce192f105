import { descriptorsOf, mixToMono, MonoTrack, WAVEFORM_BARS } from '../../../application/catalogue/values.js';

export interface ToHear {
  channels: readonly Float32Array<ArrayBuffer>[];
  rateHz: number;
}

/** @property descriptors null if the sound is silent */
export interface Heard {
  descriptors: number[] | null;
  /** The waveform as 50 bars, each from 0 to 100. */
  peaks: number[];
}

function peaksOf(mono: Float32Array): number[] {
  const peaks = Array.from({ length: WAVEFORM_BARS }, () => 0);
  for (let at = 0; at < mono.length; at++) {
    const bar = Math.floor((at * WAVEFORM_BARS) / mono.length);
    peaks[bar] = Math.max(peaks[bar] ?? 0, Math.abs(mono[at] ?? 0));
  }
  const loudest = Math.max(...peaks, 1e-9);
  return peaks.map((peak) => Math.round((100 * peak) / loudest));
}

/** Describes a sound in the same way as the server describes the sounds of the catalogue. */
export function hear({ channels, rateHz }: ToHear): Heard {
  const mono = mixToMono(channels);
  const track = new MonoTrack(rateHz);
  track.add(mono);
  const descriptors = descriptorsOf(track.finish());
  return { descriptors: descriptors && [...descriptors], peaks: peaksOf(mono) };
}

globalThis.onmessage = ({ data }: MessageEvent<ToHear>) => globalThis.postMessage(hear(data));
