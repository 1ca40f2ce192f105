import { clsx } from 'clsx';
import { Cpu, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { isTyping } from '../ui/forms/typing.js';
import { player } from '../player/player.js';
import { IconButton } from '../ui/button.js';
import { formatDuration } from '../ui/format.js';
import { PauseIcon, PlayIcon } from '../ui/marks.js';
import { Waveform } from '../ui/sound/waveform.js';
import { forgetOwnSound, type OwnSound } from './own-sound.js';

const HELD_KEY = 'y';

/** Plays the visitor's own file: by its button, or while Y is held down. */
function useOwnPlayback(url: string) {
  const audio = useRef<HTMLAudioElement | null>(null);
  const [isPlaying, setPlaying] = useState(false);
  useEffect(() => {
    const element = new Audio(url);
    audio.current = element;
    const sync = () => setPlaying(!element.paused);
    const start = () => {
      player.pause();
      element.currentTime = 0;
      void element.play().catch(() => undefined);
    };
    const press = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== HELD_KEY || event.repeat || event.defaultPrevented) return;
      if (isTyping(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
      start();
    };
    const lift = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() === HELD_KEY) element.pause();
    };
    for (const type of ['play', 'pause', 'ended']) element.addEventListener(type, sync);
    document.addEventListener('keydown', press);
    document.addEventListener('keyup', lift);
    return () => {
      element.pause();
      document.removeEventListener('keydown', press);
      document.removeEventListener('keyup', lift);
    };
  }, [url]);
  const toggle = () => {
    const element = audio.current;
    if (!element) return;
    if (element.paused) {
      player.pause();
      void element.play().catch(() => undefined);
    } else element.pause();
  };
  return { isPlaying, toggle };
}

function OwnPlayButton({ url, name }: { url: string; name: string }) {
  const { isPlaying, toggle } = useOwnPlayback(url);
  return (
    <button
      type="button"
      className="grid size-11 flex-none place-items-center rounded-full border border-current"
      aria-label={`${isPlaying ? 'Pause' : 'Play'} ${name}`}
      onClick={toggle}
    >
      {isPlaying ? <PauseIcon size={16} /> : <PlayIcon size={16} />}
    </button>
  );
}

const NO_PEAKS = Array.from({ length: 50 }, (_, bar) => 30 + 25 * Math.sin(bar / 3));

/**
 * The sound that the visitor searches by, with the state of its analysis and a note that the file is not
 * uploaded.
 */
export function OwnSoundStrip({ sound }: { sound: OwnSound }) {
  const isRefused = sound.status === 'refused';
  return (
    <section
      aria-label="Your sound"
      data-refused={isRefused ? '' : undefined}
      className="own-sound cut-corner-24 flex flex-wrap items-center gap-x-5 gap-y-2 px-4 py-3 max-md:gap-x-3"
    >
      {sound.status === 'ready' && <OwnPlayButton url={sound.url} name={sound.name} />}
      <div className={clsx('min-w-0 max-md:flex-1', !isRefused && 'max-w-64')}>
        <p className="truncate font-semibold" title={sound.name}>
          {sound.name}
        </p>
        <p role="status" className="text-sm">
          {sound.status === 'ready' && (
            <>
              {formatDuration(sound.durationMs)}
              <span className="max-md:hidden"> · hold Y to play</span>
            </>
          )}
          {sound.status === 'analysing' && 'Analysing...'}
          {isRefused && `Not searched. ${sound.reason}`}
        </p>
      </div>
      {!isRefused && (
        <Waveform
          peaks={sound.status === 'ready' ? sound.peaks : NO_PEAKS}
          progress={null}
          pending={sound.status === 'analysing'}
          className="h-10 min-w-30 max-w-96 flex-1 max-md:order-last max-md:max-w-none max-md:basis-full"
        />
      )}
      <p className="flex items-center gap-2.5 text-sm max-md:order-last md:ml-auto">
        <Cpu size={18} className="flex-none" />
        <span>
          <strong className="block">Analysed here, not uploaded</strong>
          {sound.status === 'ready' && `Only ${sound.descriptors.length} numbers left this device.`}
          {sound.status === 'analysing' && 'Nothing was sent.'}
          {isRefused && 'Nothing was sent.'}
        </span>
      </p>
      <IconButton label="Stop searching by this sound" onClick={forgetOwnSound}>
        <X size={18} />
      </IconButton>
    </section>
  );
}
