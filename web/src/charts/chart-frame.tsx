import './charts.css';
import type { PointerEvent, ReactNode } from 'react';
import { type useActivePoint, useWidth } from './plot.js';
import { labelledOf } from './scale.js';

/** The default height of a chart, in pixels. */
export const CHART_HEIGHT = 226;

/** Space above the highest line of a chart, in pixels. */
export const PLOT_TOP = 12;
const BOTTOM = 34;

/** Positions and sizes of the parts, in pixels. */
export interface Plot {
  width: number;
  height: number;
  /** The width of one point's share of the plot. */
  slot: number;
  /** The middle of a point's slot. */
  xOf: (index: number) => number;
  yOf: (value: number) => number;
}

export interface ChartFrameProps {
  title: string;
  /** Values of the grid lines, the lowest first. */
  ticks: readonly number[];
  formatTick: (value: number) => string;
  /** Shown under each point if there is room. */
  labels: readonly string[];
  labelWidth: number;
  /** The text that is read out for a point: time and amount. */
  textAt: (index: number) => string;
  active: ReturnType<typeof useActivePoint>;
  left: number;
  right?: number;
  height?: number | undefined;
  /** The drawing on the grid, and the layer over it. */
  draw: (plot: Plot) => ReactNode;
  over?: (plot: Plot) => ReactNode;
}

/** The grid of a chart with its scale and labels. Pointer, touch and arrow keys reach each point. */
export function ChartFrame(props: ChartFrameProps) {
  const { title, ticks, formatTick, labels, textAt, active, left, right = 0, height = CHART_HEIGHT } = props;
  const { width, box } = useWidth();
  const { at, setActive, move } = active;
  const count = labels.length;
  const [low, high] = [ticks[0] as number, ticks[ticks.length - 1] as number];
  const [plotWidth, plotHeight] = [Math.max(1, width - left - right), height - PLOT_TOP - BOTTOM];
  const slot = plotWidth / count;
  const xOf = (index: number) => left + slot * (index + 0.5);
  const yOf = (value: number) => PLOT_TOP + plotHeight * (1 - (value - low) / (high - low));
  const plot: Plot = { width, height, slot, xOf, yOf };
  const point = (event: PointerEvent<SVGSVGElement>) => {
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left - left;
    setActive(x < 0 ? null : Math.min(count - 1, Math.floor(x / slot)));
  };
  const read = at ?? count - 1;
  return (
    <div
      ref={box}
      className="relative min-w-0 cursor-default touch-pan-y"
      role="slider"
      tabIndex={0}
      aria-label={title}
      aria-valuemin={1}
      aria-valuemax={count}
      aria-valuenow={read + 1}
      aria-valuetext={textAt(read)}
      onKeyDown={move}
      onBlur={() => setActive(null)}
    >
      <svg
        width={width}
        height={height}
        className="text-xs"
        aria-hidden="true"
        onPointerMove={point}
        onPointerDown={point}
        onPointerLeave={() => setActive(null)}
      >
        {ticks.map((value) => (
          <g key={value}>
            <text x={left - 12} y={yOf(value) + 4} textAnchor="end" className="fill-faint">
              {formatTick(value)}
            </text>
            <path
              className={value === 0 ? 'stroke-strong' : 'stroke-line [stroke-dasharray:2_5]'}
              d={`M${left} ${Math.round(yOf(value)) + 0.5}H${width}`}
            />
          </g>
        ))}
        {props.draw(plot)}
        {labelledOf(count, Math.floor(plotWidth / props.labelWidth)).map((index) => (
          <text key={index} x={xOf(index)} y={height - 10} textAnchor="middle" className="fill-faint">
            {labels[index]}
          </text>
        ))}
      </svg>
      {props.over?.(plot)}
    </div>
  );
}
