import { clsx } from 'clsx';
import { type PointerEvent, useEffect, useMemo, useSyncExternalStore } from 'react';
import type { SuspectedCopy } from '../../../api/copies.js';
import { isTyping } from '../../../ui/forms/typing.js';
import { player } from '../../../player/player.js';
import { PauseIcon, PlayIcon } from '../../../ui/marks.js';
import { Problem } from '../../../ui/states.js';
import { alignmentOf, BROWSER_SOUND, Comparison, type Heard } from './comparison.js';
import { Facts, Letter, placeOf } from './sides.js';

const STEP_MS = 1_000;
const CONTROLS = 'button, a, [role=option], [role=dialog], summary, input[type=radio], input[type=checkbox]';
const KEYS: Record<string, Heard> = { a: 'a', b: 'b', x: 'both' };

function useComparison(copy: SuspectedCopy) {
  const { original, newcomer, stretch } = copy;
  const comparison = useMemo(
    () =>
      new Comparison(
        {
          a: { url: original.previewUrl, durationMs: original.durationMs },
          b: { url: newcomer.previewUrl, durationMs: newcomer.durationMs },
        },
        alignmentOf(stretch),
        BROWSER_SOUND,
      ),
    [original, newcomer, stretch],
  );
  useEffect(() => {
    comparison.load();
    return () => comparison.close();
  }, [comparison]);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (isTyping(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
      const isControl = event.target instanceof Element && event.target.closest(CONTROLS) !== null;
      const heard = KEYS[event.key.toLowerCase()];
      const step = event.key === 'ArrowRight' ? STEP_MS : event.key === 'ArrowLeft' ? -STEP_MS : 0;
      if (heard) comparison.press(heard);
      else if (event.key === ' ' && !isControl) comparison.toggle();
      else if (step !== 0 && !isControl) comparison.seek(comparison.getState().atMs + step);
      else return;
      // The player bar of the shop must not handle the same key.
      event.preventDefault();
      event.stopPropagation();
    };
    window.addEventListener('keydown', press, true);
    return () => window.removeEventListener('keydown', press, true);
  }, [comparison]);
  const state = useSyncExternalStore(comparison.subscribe, comparison.getState, comparison.getState);
  useEffect(() => {
    if (state.isPlaying) player.pause();
  }, [state.isPlaying]);
  return { comparison, state };
}

const LABELS: Record<Heard, string> = { a: 'A', b: 'B', both: 'Both' };

/** Converts a time on the clock of A to its place between the start and the end of both sounds, in per cent. */
type Scale = (ms: number) => number;

/**
 * @param props.same the start and the end of the part that both sounds share, as shares of the length of this
 * sound
 */
function Bars(props: { peaks: readonly number[]; playedShare: number; same: [number, number] }) {
  const { peaks, playedShare, same } = props;
  const bars = peaks.length;
  const at = (share: number) => Math.round(Math.min(1, Math.max(0, share)) * bars);
  const path = (from: number, to: number) => {
    let drawn = '';
    for (let bar = from; bar < to; bar += 1) {
      const height = Math.max(2, ((peaks[bar] ?? 0) / 100) * 40);
      drawn += `M${bar} ${20 - height / 2}h0.6v${height}h-0.6z`;
    }
    return drawn;
  };
  const played = at(playedShare);
  const [from, to] = [Math.max(played, at(same[0])), Math.max(played, at(same[1]))];
  return (
    <svg viewBox={`0 0 ${bars} 40`} preserveAspectRatio="none" aria-hidden="true" className="size-full">
      <path d={path(0, played)} fill="var(--mark)" />
      <path d={path(played, from) + path(to, bars)} fill="var(--wave)" />
      <path d={path(from, to)} fill="var(--warn)" />
    </svg>
  );
}

/** Reduces the peaks to `count` bars, each as high as its highest peak. */
function thinned(peaks: readonly number[], count: number): number[] {
  const start = (bar: number) => Math.floor((bar * peaks.length) / count);
  return Array.from({ length: count }, (_, bar) => Math.max(0, ...peaks.slice(start(bar), start(bar + 1))));
}
const BARS = 130;

function Lane(props: {
  letter: 'a' | 'b';
  peaks: readonly number[];
  fromMs: number;
  toMs: number;
  band: { fromMs: number; toMs: number };
  atMs: number;
  scale: Scale;
}) {
  const { letter, peaks, fromMs, toMs, band, atMs, scale } = props;
  const bars = useMemo(() => thinned(peaks, BARS), [peaks]);
  const shareOf = (ms: number) => (ms - fromMs) / (toMs - fromMs);
  const box = (from: number, to: number) => ({
    left: `${scale(from)}%`,
    width: `${scale(to) - scale(from)}%`,
  });
  return (
    <>
      <Letter side={letter} />
      <div className="relative h-13">
        <span
          className="absolute inset-y-0 border-x-2 border-warn bg-warn-wash"
          style={box(band.fromMs, band.toMs)}
        />
        <span className="absolute inset-y-2" style={box(fromMs, toMs)}>
          <Bars peaks={bars} playedShare={shareOf(atMs)} same={[shareOf(band.fromMs), shareOf(band.toMs)]} />
        </span>
      </div>
    </>
  );
}

function RulerOf({ fromMs, toMs, scale }: { fromMs: number; toMs: number; scale: Scale }) {
  const seconds = (toMs - fromMs) / 1_000;
  const [tick, named] = seconds > 30 ? [5, 10] : seconds > 6 ? [1, 5] : [0.5, 1];
  const ticks: number[] = [];
  for (let at = Math.ceil(fromMs / 1_000 / tick) * tick; at * 1_000 <= toMs; at += tick) ticks.push(at);
  return (
    <div className="relative h-5.5 border-b border-strong text-sm" aria-hidden="true">
      {ticks.map((at) => {
        const isNamed = at >= 0 && Math.abs(at / named - Math.round(at / named)) < 0.001;
        return (
          <span
            key={at}
            className={clsx(
              'absolute bottom-0 border-l border-strong pl-1 leading-none',
              isNamed ? 'h-4' : 'h-1',
            )}
            style={{ left: `${scale(at * 1_000)}%` }}
          >
            {/* A label at the very end would not fit. */}
            {isNamed && scale(at * 1_000) < 96 && placeOf(at * 1_000).slice(0, -2)}
          </span>
        );
      })}
    </div>
  );
}

export function Players({ copy }: { copy: SuspectedCopy }) {
  const { comparison, state } = useComparison(copy);
  const { fromMs, toMs } = comparison.range;
  const scale: Scale = (ms) => ((ms - fromMs) / (toMs - fromMs)) * 100;
  const { startMs, stretch: ratio } = alignmentOf(copy.stretch);
  const { original, newcomer, frames, stretch } = copy;
  const band = { fromMs: stretch.likeFromMs, toMs: stretch.likeToMs };
  const lane = { band, atMs: state.atMs, scale };
  const seconds = ((band.toMs - band.fromMs) / 1_000).toFixed(1);
  const seek = (event: PointerEvent<HTMLDivElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    if (event.button !== 0 || width === 0) return;
    comparison.seek(fromMs + ((event.clientX - left) / width) * (toMs - fromMs));
  };
  return (
    <section aria-labelledby="copies-match" className="max-md:-order-1 panel">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3 px-5 py-4">
        <p className="display text-4xl text-warn">{copy.score} %</p>
        <div className="mr-auto">
          <h2 id="copies-match" className="font-semibold">
            match over {seconds} s
          </h2>
          <p className="text-sm text-muted">
            {frames.of > 0 ? `${frames.agree} of ${frames.of} fingerprints agree` : 'The files are the same'}
          </p>
        </div>
        <p className="text-sm text-muted *:rounded *:border *:border-strong *:px-1.25 max-md:hidden">
          <kbd>A</kbd> <kbd>B</kbd> <kbd>X</kbd> Both: A left ear, B right ear
        </p>
        <div role="group" aria-label="Play" className="flex rounded border border-strong max-md:w-full">
          {(['a', 'b', 'both'] as const).map((heard) => {
            const isOn = state.isPlaying && state.heard === heard;
            return (
              <button
                key={heard}
                type="button"
                aria-pressed={isOn}
                className="flex min-h-9.5 items-center gap-2 border-strong px-4 font-[650] not-first:border-l hover:bg-hover aria-pressed:bg-accent aria-pressed:text-on-accent max-md:min-h-11 max-md:flex-1 max-md:justify-center"
                onClick={() => comparison.press(heard)}
              >
                {isOn ? <PauseIcon size={16} /> : <PlayIcon size={16} />}
                {LABELS[heard]}
              </button>
            );
          })}
        </div>
      </div>
      <Problem of={state.error} className="px-5 pb-3 text-sm" />
      <div className="relative grid items-center gap-x-2.5 gap-y-2.5 px-5 pb-4 split-24 md:gap-x-4">
        <span />
        <RulerOf fromMs={fromMs} toMs={toMs} scale={scale} />
        <Lane {...lane} letter="a" peaks={original.waveform} fromMs={0} toMs={original.durationMs} />
        <Lane
          {...lane}
          letter="b"
          peaks={newcomer.waveform}
          fromMs={startMs}
          toMs={startMs + newcomer.durationMs * ratio}
        />
        <div
          className="absolute top-0 right-5 bottom-3 left-13.5 cursor-pointer touch-pan-y md:left-15"
          onPointerDown={seek}
          aria-hidden="true"
        >
          <span
            className="pointer-events-none absolute top-5.5 bottom-0 w-0.5 bg-text"
            style={{ left: `${scale(state.atMs)}%` }}
          />
        </div>
      </div>
      <p className="sr-only">
        {`The same from ${placeOf(stretch.likeFromMs)} to ${placeOf(stretch.likeToMs)} in A, and from ${placeOf(stretch.fromMs)} to ${placeOf(stretch.toMs)} in B.`}
      </p>
      <Facts copy={copy} />
    </section>
  );
}
