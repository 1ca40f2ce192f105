import './charts.css';
import type { PointerEvent } from 'react';
import { useActivePoint, useWidth } from './plot.js';
import { labelledOf, scaleOf } from './scale.js';

export interface Bar {
  /** Names the bar; unique. */
  id: string;
  value: number;
  /** Under the bar when there is room. */
  label: string;
  /** Above the bar when it is pointed at, and read out: when, and how much. */
  when: string;
  amount: string;
}

export interface BarChartProps {
  /** What the chart shows, for example "Revenue a day". */
  title: string;
  bars: readonly Bar[];
  /** Any CSS colour. */
  colour: string;
  /** Writes a value beside its line. */
  formatTick: (value: number) => string;
  /** What is not divided: one download, one cent. */
  unit: number;
  height?: number;
}

const LEFT = 46;
const TOP = 12;
const BOTTOM = 34;
const LABEL_WIDTH = 76;
/** Above the highest bar there is room for what is said of it. */
const HEADROOM = 1.2;
const TIP_HEIGHT = 46;

/** A bar with its top right corner clipped. */
function shapeOf(x: number, y: number, width: number, height: number): string {
  const clip = Math.min(8, width * 0.4, height);
  return `M${x} ${y}h${width - clip}l${clip} ${clip}v${height - clip}h${-width}z`;
}

/** Bars on a grid. Pointing or arrow keys name one bar; a table with the same figures belongs beside it. */
export function BarChart({ title, bars, colour, formatTick, unit, height = 226 }: BarChartProps) {
  const { width, box } = useWidth();
  const { at, setActive, move } = useActivePoint(bars.length);
  const ticks = scaleOf(Math.max(...bars.map(({ value }) => value)) * HEADROOM, unit);
  const top = ticks[ticks.length - 1] as number;
  const [plotWidth, plotHeight] = [Math.max(1, width - LEFT), height - TOP - BOTTOM];
  const slot = plotWidth / bars.length;
  const barWidth = slot > 60 ? slot * 0.58 : slot * 0.74;
  const yOf = (value: number) => TOP + plotHeight * (1 - value / top);
  const xOf = (index: number) => LEFT + slot * index + (slot - barWidth) / 2;
  const point = (event: PointerEvent<SVGSVGElement>) => {
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left - LEFT;
    setActive(x < 0 ? null : Math.min(bars.length - 1, Math.floor(x / slot)));
  };
  const active = at === null ? undefined : bars[at];
  return (
    <div
      ref={box}
      className="bar-chart"
      role="slider"
      tabIndex={0}
      aria-label={title}
      aria-valuemin={1}
      aria-valuemax={bars.length}
      aria-valuenow={(at ?? bars.length - 1) + 1}
      aria-valuetext={`${(active ?? bars[bars.length - 1])?.when}: ${(active ?? bars[bars.length - 1])?.amount}`}
      onKeyDown={move}
      onBlur={() => setActive(null)}
    >
      <svg
        width={width}
        height={height}
        aria-hidden="true"
        onPointerMove={point}
        onPointerDown={point}
        onPointerLeave={() => setActive(null)}
      >
        {ticks.map((value) => (
          <g key={value}>
            <text x={LEFT - 12} y={yOf(value) + 4} textAnchor="end">
              {formatTick(value)}
            </text>
            <path
              className={value === 0 ? 'bar-chart-base' : 'bar-chart-line'}
              d={`M${LEFT} ${Math.round(yOf(value)) + 0.5}H${width}`}
            />
          </g>
        ))}
        {bars.map(({ id, value }, index) => (
          <path
            key={id}
            data-bar={id}
            data-active={index === at ? '' : undefined}
            fill={colour}
            d={value > 0 ? shapeOf(xOf(index), yOf(value), barWidth, yOf(0) - yOf(value)) : ''}
          />
        ))}
        {labelledOf(bars.length, Math.floor(plotWidth / LABEL_WIDTH)).map((index) => (
          <text key={index} x={LEFT + slot * (index + 0.5)} y={height - 10} textAnchor="middle">
            {bars[index]?.label}
          </text>
        ))}
      </svg>
      {active && at !== null && (
        <div
          className="bar-chart-tip"
          aria-hidden="true"
          style={{
            left: Math.min(Math.max(LEFT + slot * (at + 0.5), 66), width - 66),
            bottom: height - Math.max(yOf(active.value), TIP_HEIGHT - TOP) + 8,
          }}
        >
          <span>{active.when}</span>
          <b>{active.amount}</b>
        </div>
      )}
    </div>
  );
}
