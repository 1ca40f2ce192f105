import type { ComponentProps } from 'react';
import type { Sample } from '../../../application/catalogue/contract.js';
import { PauseIcon, PlayIcon } from '../ui/marks.js';
import { isSounding, player, type RowPlayback, usePlayback } from './player.js';

/** An icon for what the next press does, or a spinner while the sound loads. */
export function PlaybackIcon({ playback, size = 16 }: { playback: RowPlayback; size?: number }) {
  if (playback === 'loading') return <span className="spinner" aria-hidden="true" />;
  return playback === 'playing' ? <PauseIcon size={size} /> : <PlayIcon size={size} />;
}

export function PlayButton(
  props: ComponentProps<'button'> & {
    sound: Sample;
    queue?: readonly Sample[];
    source?: 'discover' | 'elsewhere';
    size?: number;
  },
) {
  const { sound, queue, source, size, className = 'play-button', ...rest } = props;
  const playback = usePlayback(sound.id);
  const sounding = isSounding(playback);
  return (
    <button
      type="button"
      className={className}
      data-on={sounding ? '' : undefined}
      aria-label={`${sounding ? 'Pause' : 'Play'} ${sound.title}`}
      onClick={() => void player.play(sound, { queue, source })}
      {...rest}
    >
      <PlaybackIcon playback={playback} size={size} />
    </button>
  );
}
