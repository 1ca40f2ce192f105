import { ChartColumn, Table2 } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { IconButton } from '../../../ui/button.js';

/** A titled chart, and the same figures as a table on request. */
export function ChartFrame(props: {
  title: string;
  note?: ReactNode;
  chart: ReactNode;
  /** A table with its own title. */
  table: (toChart: ReactNode) => ReactNode;
}) {
  const { title, note, chart, table } = props;
  const [asTable, setAsTable] = useState(false);
  const id = useId();
  const Icon = asTable ? ChartColumn : Table2;
  const toggle = (
    <IconButton
      label={asTable ? `Show ${title} as a chart` : `Show ${title} as a table`}
      onClick={() => setAsTable(!asTable)}
    >
      <Icon size={17} />
    </IconButton>
  );
  if (asTable) return table(toggle);
  return (
    <section className="panel min-w-0" aria-labelledby={id}>
      <div className="fin-bar">
        <h2 id={id} className="text-lg font-semibold">
          {title}
        </h2>
        <div className="mr-auto text-sm text-muted">{note}</div>
        {toggle}
      </div>
      <div className="border-t border-line p-5 max-md:p-4">{chart}</div>
    </section>
  );
}
