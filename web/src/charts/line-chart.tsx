import './charts.css';
import type { PointerEvent } from 'react';
import { useActivePoint, useWidth } from './plot.js';
import { labelledOf, spanOf } from './scale.js';

export interface Line {
  name: string;
  /** Any CSS colour. */
  colour: string;
  values: readonly number[];
}

export interface LineChartProps {
  /** What the chart shows, for example "Cash and what it is owed to". */
  title: string;
  /** Told apart by dash and marker as well as by colour; at most three. */
  lines: readonly Line[];
  /** Under each point, and in full when it is pointed at. */
  points: readonly { id: string; label: string; when: string }[];
  formatTick: (value: number) => string;
  formatValue: (value: number) => string;
  /** What is not divided: one cent. */
  unit: number;
  height?: number;
}

const LEFT = 54;
const RIGHT = 14;
const TOP = 12;
const BOTTOM = 34;
const LABEL_WIDTH = 64;
const DASHES = ['', '7 4', '2 4'];
const MARKERS = ['M-4 -4h8v8h-8z', 'M0 -5.5 5.5 0 0 5.5 -5.5 0z', 'M0 -5.5 5.5 4.5h-11z'] as const;

/** The marker and the dash of a line, as they are in the chart. */
function Key({ at, colour }: { at: number; colour: string }) {
  return (
    <svg width="34" height="12" aria-hidden="true">
      <path d="M0 6h34" stroke={colour} strokeWidth="2" strokeDasharray={DASHES[at]} />
      <path d={MARKERS[at]} transform="translate(17 6)" fill={colour} />
    </svg>
  );
}

/** Lines on a grid. Pointing or arrow keys read one point off all of them; a table of the same belongs beside it. */
export function LineChart(props: LineChartProps) {
  const { title, lines, points, formatTick, formatValue, unit, height = 226 } = props;
  const { width, box } = useWidth();
  const { at, setActive, move } = useActivePoint(points.length);
  const all = lines.flatMap(({ values }) => values);
  const ticks = spanOf(Math.min(...all), Math.max(...all), unit);
  const [low, high] = [ticks[0] as number, ticks[ticks.length - 1] as number];
  const [plotWidth, plotHeight] = [Math.max(1, width - LEFT - RIGHT), height - TOP - BOTTOM];
  const slot = plotWidth / points.length;
  const xOf = (index: number) => LEFT + slot * (index + 0.5);
  const yOf = (value: number) => TOP + plotHeight * (1 - (value - low) / (high - low));
  const point = (event: PointerEvent<SVGSVGElement>) => {
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left - LEFT;
    setActive(x < 0 ? null : Math.min(points.length - 1, Math.floor(x / slot)));
  };
  const read = at ?? points.length - 1;
  const valuesAt = lines.map(({ name, values }) => `${name} ${formatValue(values[read] ?? 0)}`);
  return (
    <>
      <dl className="line-chart-keys">
        {lines.map(({ name, colour, values }, index) => (
          <div key={name}>
            <dt>
              <Key at={index} colour={colour} /> {name}
            </dt>
            <dd>{formatValue(values[read] ?? 0)}</dd>
          </div>
        ))}
        <div className="ml-auto">
          <dt>As of</dt>
          <dd>{points[read]?.when}</dd>
        </div>
      </dl>
      <div
        ref={box}
        className="bar-chart"
        role="slider"
        tabIndex={0}
        aria-label={title}
        aria-valuemin={1}
        aria-valuemax={points.length}
        aria-valuenow={read + 1}
        aria-valuetext={`${points[read]?.when}: ${valuesAt.join(', ')}`}
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
          {at !== null && <path d={`M${xOf(at)} ${TOP}V${height - BOTTOM}`} stroke="var(--text)" />}
          {lines.map(({ name, colour, values }, index) => (
            <g key={name} data-line={name}>
              <path
                d={`M${values.map((value, x) => `${xOf(x)} ${yOf(value)}`).join('L')}`}
                fill="none"
                stroke={colour}
                strokeWidth="2"
                strokeDasharray={DASHES[index]}
              />
              {values.map((value, x) => (
                <path
                  key={points[x]?.id}
                  d={MARKERS[index]}
                  transform={`translate(${xOf(x)} ${yOf(value)})`}
                  fill={x === at ? 'var(--text)' : colour}
                />
              ))}
            </g>
          ))}
          {labelledOf(points.length, Math.floor(plotWidth / LABEL_WIDTH)).map((index) => (
            <text key={index} x={xOf(index)} y={height - 10} textAnchor="middle">
              {points[index]?.label}
            </text>
          ))}
        </svg>
      </div>
    </>
  );
}
