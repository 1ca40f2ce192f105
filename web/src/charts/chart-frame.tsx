import './charts.css';
import {
  type PointerEvent,
  type ReactNode,
  type KeyboardEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';

const STEPS = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10];
const LINES = 4;

/**
 * The grid lines of a chart: 0 and four round values, the last not below `most`.
 * @param most the highest value shown
 * @param unit the smallest step, such as one download or one cent; the lines are whole multiples of it
 */
export function scaleOf(most: number, unit: number): number[] {
  const raw = Math.max(most / LINES, unit);
  const power = 10 ** Math.floor(Math.log10(raw));
  const fits = STEPS.map((step) => step * power).find(
    // The factor accepts a step that is too small only because of the rounding error of the division.
    (step) => step * (1 + 1e-9) >= raw && Number.isInteger(step / unit),
  );
  const step = fits ?? 10 * power;
  return Array.from({ length: LINES + 1 }, (_, at) => at * step);
}

/** The grid lines of a chart that may have negative values: 0, and lines from at most `least` to at least `most`. */
export function spanOf(least: number, most: number, unit: number): number[] {
  const [low, high] = [Math.min(0, least), Math.max(0, most)];
  const step = scaleOf(high - low, unit)[1] as number;
  const [first, last] = [Math.floor(low / step), Math.max(1, Math.ceil(high / step))];
  return Array.from({ length: last - first + 1 }, (_, at) => (first + at) * step);
}

/** Indexes of the entries to label if only `room` of `count` labels fit: evenly spaced, from the first on. */
export function labelledOf(count: number, room: number): number[] {
  const every = Math.max(1, Math.ceil(count / Math.max(1, room)));
  return Array.from({ length: Math.ceil(count / every) }, (_, at) => at * every);
}

const WIDTH_BEFORE_LAYOUT = 720;

function useWidth() {
  const [width, setWidth] = useState(WIDTH_BEFORE_LAYOUT);
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const measure = () => setWidth(element.clientWidth || WIDTH_BEFORE_LAYOUT);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { width, box };
}

export function useActivePoint(count: number) {
  const [active, setActive] = useState<number | null>(null);
  const at = active !== null && active < count ? active : null;
  const move = (event: KeyboardEvent) => {
    const from = at ?? count;
    const targets: Record<string, number> = {
      ArrowLeft: Math.max(0, from - 1),
      ArrowRight: Math.min(count - 1, at === null ? 0 : from + 1),
      Home: 0,
      End: count - 1,
    };
    const next = targets[event.key];
    if (next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    setActive(next);
  };
  return { at, setActive, move };
}

export const CHART_HEIGHT = 226;

export const PLOT_TOP = 12;
const BOTTOM = 34;

/** Positions and sizes of the parts of a chart, in pixels. */
export interface Plot {
  width: number;
  height: number;
  /** The width of the plot divided by the number of points. */
  slot: number;
  /** The horizontal position of a point: the middle of its slot. */
  xOf: (index: number) => number;
  yOf: (value: number) => number;
}

/** The grid of a chart with its scale and labels. Pointer, touch and arrow keys reach each point. */
export function ChartFrame(props: {
  title: string;
  ticks: readonly number[];
  formatTick: (value: number) => string;
  labels: readonly string[];
  labelWidth: number;
  /** The text that screen readers read for a point: time and amount. */
  textAt: (index: number) => string;
  active: ReturnType<typeof useActivePoint>;
  left: number;
  right?: number;
  height?: number | undefined;
  draw: (plot: Plot) => ReactNode;
  over?: (plot: Plot) => ReactNode;
}) {
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
