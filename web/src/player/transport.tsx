import './player.css';
import { SkipBack, SkipForward, Volume2, VolumeX } from 'lucide-react';
import type { Sample } from '../../../application/catalogue/contract.js';
import { IconButton } from '../ui/button.js';
import { formatDuration, formatPosition } from '../ui/format.js';
import { Ruler } from '../ui/sound/ruler.js';
import { PlayButton } from './play-button.js';
import { previewSeconds } from '../../../application/catalogue/values.js';
import { player, usePlayer, useProgress } from './player.js';
import { SeekableWaveform } from './seekable-waveform.js';
import { Link } from 'react-router-dom';
import { packPathOf, paths } from '../paths.js';

export function Origin({ track, onFollow }: { track: Sample; onFollow?: () => void }) {
  return (
    <>
      <Link
        to={paths.creator(track.creator.handle)}
        className="no-underline hover:underline"
        onClick={onFollow}
      >
        {track.creator.displayName}
      </Link>
      {' in '}
      <Link to={packPathOf(track)} className="no-underline hover:underline" onClick={onFollow}>
        {track.pack.title}
      </Link>
    </>
  );
}

export function Transport({ track }: { track: Sample }) {
  return (
    <div className="flex items-center gap-3.5 in-[.player]:max-md:order-3">
      <IconButton
        label="Previous sound"
        className="in-[.player]:max-lg:hidden"
        onClick={() => player.skip(-1)}
      >
        <SkipBack size={18} />
      </IconButton>
      <PlayButton
        sound={track}
        size={20}
        className="play-button size-11 bg-accent text-on-accent hover:bg-accent-hover md:size-11.5"
        onClick={() => player.toggle()}
      />
      <IconButton label="Next sound" className="in-[.player]:max-lg:hidden" onClick={() => player.skip(1)}>
        <SkipForward size={18} />
      </IconButton>
    </div>
  );
}

export function Seek({ track }: { track: Sample }) {
  const progress = useProgress(track.id) ?? 0;
  const seconds = previewSeconds(track);
  // The audio file may be some milliseconds shorter than `seconds`. At the end of the file, the slider still moves to
  // its own end.
  const position = usePlayer(({ currentTime, duration }) =>
    Math.floor(currentTime < duration ? currentTime : seconds),
  );
  return (
    <div className="mx-auto flex w-full max-w-155 min-w-0 items-center gap-3.5 in-[.player]:max-md:hidden">
      <span className="w-9 text-right font-semibold">{formatPosition(position)}</span>
      <div className="relative min-w-0 flex-1 outline-offset-4 outline-(--focus) has-focus-visible:outline-2">
        <SeekableWaveform sound={track} progress={progress} pending={false} minHeight={6} className="h-9" />
        <Ruler seconds={seconds} />
        <input
          type="range"
          className="pointer-events-none absolute inset-0 m-0 w-full opacity-0"
          aria-label="Position in the preview"
          aria-valuetext={`${formatPosition(position)} of ${formatDuration(seconds * 1000)}`}
          min={0}
          max={seconds}
          step={1}
          value={position}
          onChange={(event) => player.seek(event.target.valueAsNumber)}
        />
      </div>
      <span className="w-9 text-faint">{formatDuration(seconds * 1000)}</span>
    </div>
  );
}

export function Volume() {
  const volume = usePlayer((state) => state.volume);
  const Icon = volume === 0 ? VolumeX : Volume2;
  return (
    <div className="-ml-3.5 flex items-center gap-0.5 max-xl:hidden">
      <IconButton label={volume === 0 ? 'Unmute' : 'Mute'} onClick={() => player.toggleMute()}>
        <Icon size={18} />
      </IconButton>
      <input
        type="range"
        className="player-volume h-6 w-14 cursor-pointer"
        aria-label="Volume"
        min={0}
        max={1}
        step={0.05}
        value={volume}
        onChange={(event) => player.setVolume(event.target.valueAsNumber)}
        style={{ '--at': `${volume * 100}%` } as object}
      />
    </div>
  );
}
