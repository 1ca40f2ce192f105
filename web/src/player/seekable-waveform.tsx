import type { Sample } from '../../../application/catalogue/contract.js';
import { peaksOf } from '../samples/peaks.js';
import { Waveform, type WaveformProps } from '../ui/sound/waveform.js';
import { previewSeconds } from './player-store.js';
import { player, usePlayback, useProgress } from './player.js';

/** The waveform of a playable sound. A press seeks, and starts the sound if it is not the current one. */
export function SeekableWaveform({
  sound,
  queue,
  ...look
}: Partial<WaveformProps> & { sound: Sample; queue?: readonly Sample[] }) {
  const progress = useProgress(sound.id);
  const loading = usePlayback(sound.id) === 'loading';
  const seek = (share: number) => {
    // The current sound only seeks.
    if (player.getState().track?.id !== sound.id) void player.play(sound, { queue });
    player.seek(share * previewSeconds(sound));
  };
  return <Waveform peaks={peaksOf(sound)} progress={progress} pending={loading} onSeek={seek} {...look} />;
}
