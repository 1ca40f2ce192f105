import type { SalesPoint } from '../../../application/payouts/contract.js';
import { countOf, formatMicroUsd } from '../ui/format.js';
import type { Bar } from './bar-chart.js';

export type Measure = 'downloads' | 'revenue';

// The server counts days in UTC, so every visitor sees their names in UTC.
const written = (options: Intl.DateTimeFormatOptions) => {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', ...options });
  return (date: string) => format.format(new Date(date)).replace(',', '');
};
const weekdayOf = written({ weekday: 'short', day: 'numeric' });
const dayOf = written({ day: 'numeric', month: 'short' });
const fullDayOf = written({ weekday: 'short', day: 'numeric', month: 'short' });
const yearDayOf = written({ day: 'numeric', month: 'short', year: 'numeric' });

const MICRO_PER_CENT = 10_000;
const LONGEST_WEEK = 7;

function tickOf(microUsd: number): string {
  const text = formatMicroUsd(microUsd);
  return text.endsWith('.00') ? text.slice(0, -3) : text;
}

const MEASURES = {
  downloads: {
    title: 'Downloads a day',
    colour: 'var(--c2)',
    value: (point: SalesPoint) => point.downloads,
    amount: (point: SalesPoint) => countOf(point.downloads, 'download'),
    tick: (value: number) => value.toLocaleString('en'),
    unit: 1,
  },
  revenue: {
    title: 'Revenue a day',
    colour: 'var(--sticker)',
    value: (point: SalesPoint) => point.revenueMicroUsd,
    amount: (point: SalesPoint) => formatMicroUsd(point.revenueMicroUsd),
    tick: tickOf,
    unit: MICRO_PER_CENT,
  },
} as const;

export function chartOfDays(points: readonly SalesPoint[], measure: Measure) {
  const { title, colour, value, amount, tick, unit } = MEASURES[measure];
  const label = points.length <= LONGEST_WEEK ? weekdayOf : dayOf;
  const bars: Bar[] = points.map((point) => ({
    id: point.date,
    value: Math.max(0, value(point)),
    label: label(point.date),
    when: fullDayOf(point.date),
    amount: amount(point),
  }));
  return {
    chart: { title, bars, colour, formatTick: tick, unit },
    table: {
      columns: ['Day', 'Downloads', 'Revenue'],
      rows: points.map((point) => ({
        id: point.date,
        cells: [
          yearDayOf(point.date),
          point.downloads.toLocaleString('en'),
          formatMicroUsd(point.revenueMicroUsd),
        ],
      })),
    },
    empty: !points.some((point) => point.downloads > 0 || point.revenueMicroUsd > 0),
  };
}
