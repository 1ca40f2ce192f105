import './charts.css';
import { ChartColumn, Table2 } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { IconButton } from '../ui/button.js';
import { BarChart, type BarChartProps } from './bar-chart.js';
import { CHART_HEIGHT } from './chart-frame.js';

export interface ChartTable {
  /** The headings of the columns. The first column contains the days. */
  columns: readonly string[];
  rows: readonly { id: string; cells: readonly string[] }[];
}

function Figures(props: ChartTable & { caption: string; maxHeight: number }) {
  const { caption, columns, rows, maxHeight } = props;
  return (
    // A long table scrolls in its own box, which the keyboard can reach.
    <div className="overflow-y-auto" style={{ maxHeight }} role="region" aria-label={caption} tabIndex={0}>
      <table className="figures">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ id, cells: [heading, ...cells] }) => (
            <tr key={id}>
              <th scope="row">{heading}</th>
              {cells.map((cell, at) => (
                <td key={columns[at + 1]}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** A titled chart. `choice` selects the measure, and a button shows the same figures as a table. */
export function ChartPanel(props: {
  title: string;
  note: ReactNode;
  choice: ReactNode;
  chart: BarChartProps;
  table: ChartTable;
  empty?: ReactNode;
}) {
  const { title, note, choice, chart, table, empty } = props;
  const [asTable, setAsTable] = useState(false);
  const id = useId();
  const Icon = asTable ? ChartColumn : Table2;
  return (
    <section aria-labelledby={id} className="panel min-w-0 p-5 max-md:p-4">
      <div className="mb-4 flex flex-wrap items-center gap-x-3 gap-y-3">
        <h2 id={id} className="text-lg font-semibold">
          {title}
        </h2>
        <p className="mr-auto text-muted">{note}</p>
        <div className="flex items-center gap-2 max-md:w-full max-md:flex-row-reverse max-md:justify-between">
          {!empty && (
            <IconButton
              label={asTable ? 'Show as a chart' : 'Show as a table'}
              onClick={() => setAsTable((now) => !now)}
            >
              <Icon size={18} />
            </IconButton>
          )}
          {choice}
        </div>
      </div>
      {empty ||
        (asTable ? (
          <Figures caption={chart.title} maxHeight={chart.height ?? CHART_HEIGHT} {...table} />
        ) : (
          <BarChart {...chart} />
        ))}
    </section>
  );
}
