import { ChartFrame, type Plot, PLOT_TOP, useActivePoint, spanOf } from './chart-frame.js';

const LABEL = 'flex items-center gap-2 text-sm text-muted';
const VALUE = 'mt-0.75 text-lg font-[650]';

export interface Line {
  name: string;
  colour: string;
  values: readonly number[];
}

const DASHES = ['', '7 4', '2 4'];
const MARKERS = ['M-4 -4h8v8h-8z', 'M0 -5.5 5.5 0 0 5.5 -5.5 0z', 'M0 -5.5 5.5 4.5h-11z'] as const;

function Key({ at, colour }: { at: number; colour: string }) {
  return (
    <svg width="34" height="12" aria-hidden="true">
      <path d="M0 6h34" stroke={colour} strokeWidth="2" strokeDasharray={DASHES[at]} />
      <path d={MARKERS[at]} transform="translate(17 6)" fill={colour} />
    </svg>
  );
}

/** Lines on a grid. The pointer or the arrow keys select one point in time, and the legend shows all values of it. */
export function LineChart(props: {
  title: string;
  /** At most three lines, which differ in dash, marker and colour. */
  lines: readonly Line[];
  /** `label` is the text on the horizontal axis. `when` is the time beside the values of the active point. */
  points: readonly { id: string; label: string; when: string }[];
  formatTick: (value: number) => string;
  formatValue: (value: number) => string;
  unit: number;
}) {
  const { title, lines, points, formatTick, formatValue, unit } = props;
  const active = useActivePoint(points.length);
  const { at } = active;
  const all = lines.flatMap(({ values }) => values);
  const read = at ?? points.length - 1;
  const textAt = (index: number) => {
    const values = lines.map((line) => `${line.name} ${formatValue(line.values[index] ?? 0)}`);
    return `${points[index]?.when}: ${values.join(', ')}`;
  };
  const draw = ({ xOf, yOf }: Plot) =>
    lines.map(({ name, colour, values }, index) => (
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
    ));
  const ticks = spanOf(Math.min(...all), Math.max(...all), unit);
  const blade = ({ xOf, yOf }: Plot) =>
    at !== null && <path d={`M${xOf(at)} ${PLOT_TOP}V${yOf(ticks[0] as number)}`} stroke="var(--text)" />;
  return (
    <>
      <dl className="mb-3.5 flex flex-wrap gap-x-7 gap-y-2.5">
        {lines.map(({ name, colour, values }, index) => (
          <div key={name}>
            <dt className={LABEL}>
              <Key at={index} colour={colour} /> {name}
            </dt>
            <dd className={VALUE}>{formatValue(values[read] ?? 0)}</dd>
          </div>
        ))}
        <div className="ml-auto">
          <dt className={LABEL}>As of</dt>
          <dd className={VALUE}>{points[read]?.when}</dd>
        </div>
      </dl>
      <ChartFrame
        title={title}
        ticks={ticks}
        formatTick={formatTick}
        labels={points.map(({ label }) => label)}
        labelWidth={64}
        textAt={textAt}
        active={active}
        left={54}
        right={14}
        draw={(plot) => (
          <>
            {blade(plot)}
            {draw(plot)}
          </>
        )}
      />
    </>
  );
}
