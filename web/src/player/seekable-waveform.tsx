import type { Sample } from '../../../application/catalogue/contract.js';
import { Waveform, type WaveformProps } from '../ui/sound/waveform.js';
import { previewSeconds } from '../../../application/catalogue/values.js';
import { player, usePlayback, useProgress } from './player.js';

export const PEAKS_CACHED = 50;
const BARS = 50;
const cache = new Map<string, readonly number[]>();

/** Bars for a sound without a waveform. They depend on the id alone, so that the sound always looks the same. */
function placeholderPeaks(id: string): readonly number[] {
  let state = 2166136261;
  for (const letter of id) state = Math.imul(state ^ (letter.codePointAt(0) ?? 0), 16777619);
  return Array.from({ length: BARS }, (_, bar) => {
    state = Math.imul(state ^ (state >>> 15), 2246822519) + bar;
    const swell = 0.55 + 0.45 * Math.sin((bar / BARS) * Math.PI * 3 + (state & 3));
    return Math.round(18 + 62 * swell * ((state >>> 8) % 100) * 0.01);
  });
}

/** The 50 bars of a sample; a placeholder if the analysis found nothing. The last 50 placeholders are cached. */
export function peaksOf(sample: Pick<Sample, 'id' | 'waveform'>): readonly number[] {
  if (sample.waveform.some((peak) => peak > 0)) return sample.waveform;
  const kept = cache.get(sample.id);
  if (kept) return kept;
  const made = placeholderPeaks(sample.id);
  cache.set(sample.id, made);
  if (cache.size > PEAKS_CACHED) cache.delete(cache.keys().next().value ?? '');
  return made;
}

/** The waveform of a playable sound. A press seeks, and starts the sound if it is not the current one. */
export function SeekableWaveform(
  props: Partial<WaveformProps> & { sound: Sample; queue?: readonly Sample[] },
) {
  const { sound, queue, ...look } = props;
  const progress = useProgress(sound.id);
  const loading = usePlayback(sound.id) === 'loading';
  const seek = (share: number) => {
    if (player.getState().track?.id !== sound.id) void player.play(sound, { queue });
    player.seek(share * previewSeconds(sound));
  };
  return <Waveform peaks={peaksOf(sound)} progress={progress} pending={loading} onSeek={seek} {...look} />;
}
