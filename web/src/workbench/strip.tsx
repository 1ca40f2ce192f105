import './strip.css';
import { type PointerEvent, useMemo, useRef } from 'react';
import { BEAT_STEP } from '../../../application/library/values.js';
import { INK, luminance } from '../../../application/publishing/values.js';
import { inksOf } from '../ui/sound/inks.js';
import { barsPath } from '../ui/sound/waveform.js';
import { Button } from '../ui/button.js';
import type { LaneFailure, LaneStatus } from './engine/engine.js';
import { engineNow } from './playback.js';
import { barsOf, beatsPerBarOf, type Bench, cycleOf, type Lane, piecesOf, soundOfLane } from './song.js';
import { setAmount } from './workbench.js';

const CONTRAST = 3;

function contrast(a: string, b: string): number {
  const [dark = 0, light = 0] = [luminance(a), luminance(b)].toSorted((one, other) => one - other);
  return (light + 0.05) / (dark + 0.05);
}

/** The background colour of a lane, and the first colour of its cover that is readable on that background. */
function inksOfLane({ sample }: Pick<Lane, 'sample'>): { ground: string; figure: string } {
  if (!sample) return { ground: INK.paper, figure: INK.ink };
  const [ground, ...others] = inksOf(sample.genre);
  return { ground, figure: others.find((ink) => contrast(ink, ground) >= CONTRAST) ?? INK.ink };
}

const LIGHT_PAPERS: readonly string[] = [INK.paper, INK.cream];

const FAILURES: Record<LaneFailure, string> = {
  missing: 'No longer on sale',
  network: 'It could not be loaded',
  unreadable: 'This browser cannot play it',
  'too-large': 'The file is too large',
  'too-long': 'The file is too long',
};

/** Drags a lane or the end of its loop along the bars; a beat at a time, or a quarter of one with Shift. */
function useBeatDrag(id: string, amount: 'offsetBeats' | 'loopBeats', value: number, beats: number) {
  // The scale stays as it was when the drag began, because a longer loop can make the song longer.
  const from = useRef<{ x: number; value: number; perPixel: number } | null>(null);
  return {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      // A finger on the lane scrolls the page. A finger can drag only the end of the loop.
      if (event.button !== 0 || (event.pointerType === 'touch' && amount === 'offsetBeats')) return;
      event.stopPropagation();
      event.currentTarget.setPointerCapture(event.pointerId);
      const { clientWidth = 1 } = event.currentTarget.closest('.strip') ?? {};
      from.current = { x: event.clientX, value, perPixel: beats / clientWidth };
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      if (!from.current) return;
      event.stopPropagation();
      const step = event.shiftKey ? BEAT_STEP : 1;
      const moved = (event.clientX - from.current.x) * from.current.perPixel;
      const least = amount === 'loopBeats' ? step : 0;
      setAmount(id, amount, Math.max(least, from.current.value + Math.round(moved / step) * step));
    },
    onLostPointerCapture: () => (from.current = null),
  };
}

/** A lane as coloured pieces along the bars of the song, one piece for each repeat. */
export function Strip(props: { lane: Lane; bench: Bench; isQuiet: boolean; status: LaneStatus | undefined }) {
  const { lane, bench, isQuiet, status } = props;
  const pieces = useMemo(() => piecesOf(lane, bench), [lane, bench]);
  const beats = barsOf(bench) * beatsPerBarOf(bench);
  const sound = soundOfLane(lane, bench);
  const loopBeats = cycleOf(lane, sound) ?? sound.beats;
  const drag = useBeatDrag(lane.id, 'offsetBeats', lane.offsetBeats, beats);
  const loopDrag = useBeatDrag(lane.id, 'loopBeats', loopBeats, beats);
  const { ground, figure } = inksOfLane(lane);
  const reason = lane.sample?.previewUrl || lane.own ? undefined : 'missing';
  const failure = status?.status === 'failed' ? status.reason : reason;
  const isDark = ground === INK.ink;
  return (
    <div
      className="strip"
      data-quiet={isQuiet || failure ? '' : undefined}
      data-edge={isDark ? 'dark' : LIGHT_PAPERS.includes(ground) ? 'light' : undefined}
      data-loading={status?.status === 'loading' ? '' : undefined}
      style={{ '--ground': ground, '--figure': figure, '--bars': barsOf(bench) } as object}
      {...(!failure && drag)}
    >
      {!failure &&
        pieces.map(({ fromBeat, beats: length, levels }) => (
          <span
            // A swap makes new pieces, which slide in.
            key={`${lane.sampleId} ${fromBeat}`}
            className="strip-piece"
            style={{ left: `${(fromBeat / beats) * 100}%`, width: `calc(${(length / beats) * 100}% - 2px)` }}
          >
            <svg
              viewBox={`0 0 ${levels.length} 40`}
              preserveAspectRatio="none"
              shapeRendering="crispEdges"
              aria-hidden="true"
            >
              <path d={barsPath(levels, { bars: levels.length, minHeight: 2 })} />
            </svg>
          </span>
        ))}
      {!failure && (
        <span
          className="strip-edge"
          title="Drag to change the loop length"
          style={{ left: `min(100%, ${((lane.offsetBeats + loopBeats) / beats) * 100}%)` }}
          {...loopDrag}
        />
      )}
      {status?.status === 'loading' && (
        <span
          className="absolute inset-0 grid place-content-center font-extrabold tracking-[0.2em]"
          aria-hidden="true"
        >
          ...
        </span>
      )}
      {failure && (
        <p className="strip-failure" role="status">
          {FAILURES[failure]}
          {failure === 'network' && (
            <Button size="small" onClick={() => engineNow()?.retry(lane.id)}>
              Try again
            </Button>
          )}
        </p>
      )}
    </div>
  );
}
