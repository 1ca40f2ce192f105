import { Metronome, Redo2, Repeat, SkipBack, Undo2 } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { LANES_LIMIT } from '../../../application/library/values.js';
import { Volume } from '../player/transport.js';
import { PauseIcon, PlayIcon } from '../ui/marks.js';
import { Button, IconButton } from '../ui/button.js';
import { formatPosition } from '../ui/format.js';
import {
  changeSettings,
  engineNow,
  seek,
  togglePlay,
  toggleRange,
  useEngineState,
  usePlayhead,
  useSettings,
} from './playback.js';
import { barsOf, beatsPerBarOf, type Bench } from './song.js';
import { redo, undo, useHistory } from './workbench.js';

export function PlaySong({ className }: { className: string }) {
  const { transport } = useEngineState();
  const plays = transport !== 'paused';
  return (
    <button
      type="button"
      className={`play-button bg-accent text-on-accent hover:bg-accent-hover ${className}`}
      aria-label={plays ? 'Pause' : 'Play all lanes'}
      aria-keyshortcuts="Space"
      onClick={togglePlay}
    >
      {transport === 'starting' ? (
        <span className="spinner" aria-hidden="true" />
      ) : plays ? (
        <PauseIcon size={20} />
      ) : (
        <PlayIcon size={20} />
      )}
    </button>
  );
}

/** The position as bar, beat and sixteenth, and as time. */
export function BeatDisplay({ bench }: { bench: Bench }) {
  const text = useRef<HTMLElement>(null);
  const rest = useRef<HTMLElement>(null);
  const time = useRef<HTMLElement>(null);
  const perBar = beatsPerBarOf(bench);
  const inSeconds = (beats: number) => formatPosition((beats * 60) / bench.tempo);
  usePlayhead((beat) => {
    const at = Math.max(0, beat);
    if (text.current)
      text.current.textContent = `${Math.floor(at / perBar) + 1}.${Math.floor(at % perBar) + 1}`;
    if (rest.current) rest.current.textContent = `.${(Math.floor(at * 4) % 4) + 1}`;
    if (time.current) time.current.textContent = inSeconds(at);
  });
  return (
    <span aria-hidden="true">
      <span className="display block text-3xl">
        <span ref={text}>1.1</span>
        <span ref={rest} className="text-[0.65em] text-faint">
          .1
        </span>
      </span>
      <span className="narrow block text-sm text-muted max-md:hidden">
        <span ref={time}>0:00</span> of {inSeconds(barsOf(bench) * perBar)}
      </span>
    </span>
  );
}

const METER_DB = 48;

function Meter() {
  const lit = useRef<HTMLSpanElement>(null);
  const text = useRef<HTMLSpanElement>(null);
  usePlayhead(() => {
    const peakDb = engineNow()?.level().peakDb ?? -Infinity;
    const share = Math.min(1, Math.max(0, 1 + peakDb / METER_DB));
    lit.current?.style.setProperty('--level', String(share));
    if (text.current) text.current.textContent = share > 0 ? `−${Math.abs(peakDb).toFixed(1)} dB` : '– dB';
  });
  return (
    <div className="w-57 max-xl:hidden" aria-hidden="true">
      <p className="flex justify-between text-sm text-muted">
        Master <span ref={text}>– dB</span>
      </p>
      <span className="meter">
        <span ref={lit} className="meter meter-lit" />
      </span>
    </div>
  );
}

const SAID = {
  paused: 'Paused',
  starting: 'Loading the sounds',
  'counting-in': 'Counting in',
  playing: 'Playing',
};

/** Announces whether the song plays, and warns if this browser cannot stretch sounds. */
export function TransportStatus() {
  const { transport, canStretch } = useEngineState();
  return (
    <>
      <p role="status" className="sr-only">
        {SAID[transport]}
      </p>
      {!canStretch && (
        <p role="status" className="gutter py-1 text-sm text-warn">
          This browser cannot stretch sounds: their pitch follows the tempo.
        </p>
      )}
    </>
  );
}

function UndoButtons() {
  const { past, future } = useHistory();
  return (
    <div className="flex max-md:hidden">
      <IconButton label="Undo" disabled={past.length === 0} onClick={undo}>
        <Undo2 size={18} />
      </IconButton>
      <IconButton label="Redo" disabled={future.length === 0} onClick={redo}>
        <Redo2 size={18} />
      </IconButton>
    </div>
  );
}

/**
 * The controls of the workbench, in place of the player.
 * @param props.above a row above the controls
 * @param props.buy the button that buys, for narrow screens
 */
export function TransportBar({ bench, above, buy }: { bench: Bench; above: ReactNode; buy: ReactNode }) {
  const { click, countsIn, originals, range } = useSettings();
  return (
    <section
      aria-label="Transport"
      className="fixed inset-x-0 bottom-(--tabs) z-30 border-t border-strong bg-inset max-md:bg-raised"
    >
      {above}
      <TransportStatus />
      <div className="gutter flex h-16 items-center gap-2.5 md:h-21 md:gap-5">
        <div className="flex gap-2 max-md:order-3">
          <Button
            size="small"
            tone={click ? 'invert' : 'secondary'}
            aria-pressed={click}
            className="max-md:min-h-11 max-md:border-0 max-md:px-2.5"
            icon={<Metronome size={17} />}
            onClick={() => changeSettings({ click: !click })}
          >
            <span className="max-md:sr-only">Click</span>
          </Button>
          <Button
            size="small"
            tone={countsIn ? 'invert' : 'quiet'}
            aria-pressed={countsIn}
            className="max-lg:hidden"
            onClick={() => changeSettings({ countsIn: !countsIn })}
          >
            Count in 1 bar
          </Button>
        </div>
        <span className="flex-1 max-md:hidden" />
        <div className="flex items-center gap-3">
          <IconButton label="To the start" className="max-md:hidden" onClick={() => seek(0)}>
            <SkipBack size={18} />
          </IconButton>
          <PlaySong className="size-11 md:size-12" />
          <IconButton
            label="Repeat four bars"
            aria-pressed={range !== null}
            className="max-md:hidden"
            onClick={toggleRange}
          >
            <Repeat size={18} />
          </IconButton>
        </div>
        <div className="min-w-18 md:min-w-21">
          <BeatDisplay bench={bench} />
          <span className="narrow block text-sm text-muted md:hidden">
            {bench.lanes.length} of {LANES_LIMIT} lanes
          </span>
        </div>
        <Meter />
        <button
          type="button"
          className="flex min-h-11 items-center gap-2.5 text-muted aria-pressed:text-accent-text max-lg:hidden"
          aria-pressed={originals}
          aria-keyshortcuts="X"
          title="Hear every lane in its own tempo and key. Hold X to compare."
          onClick={() => changeSettings({ originals: !originals })}
        >
          <kbd className="border border-strong px-1.5 py-0.5 font-sans text-sm font-semibold">X</kbd>
          hear originals
        </button>
        <span className="flex-1" />
        <UndoButtons />
        <Volume />
        <span className="max-md:order-4 xl:hidden">{buy}</span>
      </div>
    </section>
  );
}

/** The bars of the song, and a slider for the position. */
export function SongRuler({ bench }: { bench: Bench }) {
  const slider = useRef<HTMLInputElement>(null);
  const { range } = useSettings();
  const bars = barsOf(bench);
  const perBar = beatsPerBarOf(bench);
  const textOf = (beat: number) =>
    `Bar ${Math.floor(beat / perBar) + 1}, beat ${Math.floor(beat % perBar) + 1}`;
  usePlayhead((beat) => {
    const at = Math.max(0, beat);
    if (slider.current) slider.current.value = String(Math.floor(at));
    slider.current?.setAttribute('aria-valuetext', textOf(at));
  });
  const every = bars > 16 ? 4 : 1;
  return (
    <div className="lane-ruler" style={{ '--bars': bars } as object}>
      {range && (
        <span
          className="ruler-range"
          style={{ left: `${(range.fromBar / bars) * 100}%`, width: `${(range.bars / bars) * 100}%` }}
        />
      )}
      {Array.from({ length: Math.ceil(bars / every) }, (_, at) => (
        <span
          key={at}
          className="absolute top-0 pl-1.5 text-xs font-semibold"
          style={{ left: `${((at * every) / bars) * 100}%` }}
          aria-hidden="true"
        >
          {at * every + 1}
        </span>
      ))}
      <span className="ruler-head" aria-hidden="true" />
      <input
        ref={slider}
        type="range"
        className="absolute inset-0 m-0 size-full cursor-pointer opacity-0"
        aria-label="Position"
        min={0}
        max={bars * perBar - 1}
        step={1}
        defaultValue={0}
        onChange={({ target }) => seek(target.valueAsNumber)}
      />
    </div>
  );
}
