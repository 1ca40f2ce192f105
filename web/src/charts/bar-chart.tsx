import { ChartFrame, type Plot, PLOT_TOP, useActivePoint, scaleOf } from './chart-frame.js';

export interface Bar {
  id: string;
  value: number;
  label: string;
  /** The time of the bar. Above the active bar are its time and amount, which screen readers also read. */
  when: string;
  amount: string;
}

export interface BarChartProps {
  title: string;
  bars: readonly Bar[];
  colour: string;
  formatTick: (value: number) => string;
  unit: number;
  height?: number | undefined;
}

const HEADROOM = 1.2;
const TIP_HEIGHT = 46;

function shapeOf(x: number, y: number, width: number, height: number): string {
  const clip = Math.min(8, width * 0.4, height);
  return `M${x} ${y}h${width - clip}l${clip} ${clip}v${height - clip}h${-width}z`;
}

/** Bars on a grid. The pointer or the arrow keys select one bar, which shows its time and amount. */
export function BarChart({ title, bars, colour, formatTick, unit, height }: BarChartProps) {
  const active = useActivePoint(bars.length);
  const { at } = active;
  const barWidthOf = ({ slot }: Plot) => (slot > 60 ? slot * 0.58 : slot * 0.74);
  const draw = (plot: Plot) =>
    bars.map(({ id, value }, index) => {
      const [width, y] = [barWidthOf(plot), plot.yOf(value)];
      return (
        <path
          key={id}
          data-bar={id}
          data-active={index === at ? '' : undefined}
          className="transition-[fill] duration-120 ease-(--ease) data-active:fill-text"
          fill={colour}
          d={value > 0 ? shapeOf(plot.xOf(index) - width / 2, y, width, plot.yOf(0) - y) : ''}
        />
      );
    });
  const pointed = at === null ? undefined : bars[at];
  const over = ({ width, height: below, xOf, yOf }: Plot) =>
    pointed && at !== null ? (
      <div
        className="chart-tip pointer-events-none absolute grid min-w-33 -translate-x-1/2 bg-text px-3.5 pt-1.75 pb-2 text-center text-sm leading-[1.35] whitespace-nowrap text-page"
        aria-hidden="true"
        style={{
          left: Math.min(Math.max(xOf(at), 66), width - 66),
          bottom: below - Math.max(yOf(pointed.value), TIP_HEIGHT - PLOT_TOP) + 8,
        }}
      >
        <span>{pointed.when}</span>
        <b className="text-base">{pointed.amount}</b>
      </div>
    ) : null;
  return (
    <ChartFrame
      title={title}
      ticks={scaleOf(Math.max(...bars.map(({ value }) => value)) * HEADROOM, unit)}
      formatTick={formatTick}
      labels={bars.map(({ label }) => label)}
      labelWidth={76}
      textAt={(index) => `${bars[index]?.when}: ${bars[index]?.amount}`}
      active={active}
      left={46}
      height={height}
      draw={draw}
      over={over}
    />
  );
}
