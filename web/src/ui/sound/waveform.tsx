import { clsx } from 'clsx';
import { type PointerEvent, useId, useRef, useState } from 'react';

const BARS = 50;
/** A touch that moves sideways by less than this is a tap. */
const TAP_PX = 8;

/**
 * An SVG path of bars around a middle line; the box is `bars` units wide and 40 high.
 * @param peaks values from 0 to 100
 */
export function barsPath(peaks: readonly number[], { minHeight = 4, fill = 0.6, bars = BARS } = {}): string {
  let path = '';
  for (let bar = 0; bar < bars; bar += 1) {
    const height = Math.min(40, Math.max(minHeight, ((peaks[bar] ?? 0) / 100) * 40));
    path += `M${bar} ${20 - height / 2}h${fill}v${height}h-${fill}z`;
  }
  return path;
}

export interface WaveformProps {
  /** The heights of 50 bars, from 0 to 100. */
  peaks: readonly number[];
  /** The played share of the sound, 0 to 1; null while this sound is not in the player. */
  progress: number | null;
  /** Seeks to a share of the preview. Without it, the waveform is only a picture. */
  onSeek?: (share: number) => void;
  /** Dims the bars to 35 %, and shows "..." over them, while the sound is analysed or loaded. */
  pending?: boolean;
  minHeight?: number;
  fill?: number;
  className?: string;
}

/**
 * A waveform that seeks on a press or drag with the main mouse button or a finger. Keyboard users seek in the player.
 */
export function Waveform(props: WaveformProps) {
  const { peaks, progress, onSeek, pending, minHeight = 4, fill = 0.6, className } = props;
  const clip = useId();
  const pressed = useRef<{ fromPx: number; seeks: boolean } | null>(null);
  const [hover, setHover] = useState<number | null>(null);
  const shareAt = (event: PointerEvent) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    return Math.min(1, Math.max(0, width ? (event.clientX - left) / width : 0));
  };
  const path = barsPath(peaks, { minHeight, fill });
  // The last bar has no gap after it, so that widths of 248 px and 149 px give whole steps of 5 px and 3 px.
  const width = BARS - 1 + fill;
  const played = progress ?? 0;
  const preview = onSeek && progress !== null && hover !== null ? hover : null;
  const seekable = onSeek && {
    onPointerDown: (event: PointerEvent<HTMLSpanElement>) => {
      if (event.button !== 0) return;
      event.preventDefault();
      event.stopPropagation();
      event.currentTarget.setPointerCapture(event.pointerId);
      // A finger may be about to scroll, so it seeks only after a sideways move or when it is lifted.
      const isFinger = event.pointerType === 'touch';
      pressed.current = { fromPx: event.clientX, seeks: !isFinger };
      if (!isFinger) onSeek(shareAt(event));
    },
    onPointerMove: (event: PointerEvent<HTMLSpanElement>) => {
      setHover(shareAt(event));
      const press = pressed.current;
      if (!press) return;
      press.seeks ||= Math.abs(event.clientX - press.fromPx) >= TAP_PX;
      if (press.seeks) onSeek(shareAt(event));
    },
    onPointerUp: (event: PointerEvent<HTMLSpanElement>) => {
      if (pressed.current?.seeks === false) onSeek(shareAt(event));
      pressed.current = null;
    },
    onPointerCancel: () => (pressed.current = null),
    onLostPointerCapture: () => (pressed.current = null),
    onPointerLeave: () => setHover(null),
  };
  return (
    <span aria-hidden="true" className={`waveform ${className ?? ''}`} {...seekable}>
      <svg
        viewBox={`0 0 ${width} 40`}
        preserveAspectRatio="none"
        shapeRendering="crispEdges"
        className={clsx('size-full', pending && 'opacity-35')}
      >
        <path d={path} className="fill-wave" />
        {progress !== null && (
          <>
            <clipPath id={clip}>
              <rect width={played * width} height="40" />
            </clipPath>
            {preview !== null && (
              <>
                <clipPath id={`${clip}-p`}>
                  <rect
                    x={Math.min(played, preview) * width}
                    width={Math.abs(preview - played) * width}
                    height="40"
                  />
                </clipPath>
                <path d={path} className="fill-mark opacity-50" clipPath={`url(#${clip}-p)`} />
              </>
            )}
            <path d={path} className="fill-mark" clipPath={`url(#${clip})`} />
          </>
        )}
      </svg>
      {progress !== null && !pending && (
        <span
          className="pointer-events-none absolute inset-y-0 -ml-px w-0.5 bg-text"
          data-testid="playhead"
          style={{ left: `${played * 100}%` }}
        />
      )}
      {pending && (
        <span className="absolute inset-0 grid place-content-center font-extrabold tracking-[0.2em]">
          ...
        </span>
      )}
    </span>
  );
}
