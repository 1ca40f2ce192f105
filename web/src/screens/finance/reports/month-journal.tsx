import { useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useId, useState } from 'react';
import { query } from '../../../api/api.js';
import { FileLink } from '../../../downloads/file-link.js';
import { Badge } from '../../../ui/badge.js';
import { Button, buttonClass } from '../../../ui/button.js';
import { Select } from '../../../ui/forms/field.js';
import { monthName } from '../../../staff/dates.js';
import { AccountMapDialog } from './account-map-dialog.js';

const FORMATS = { quickbooks: 'QuickBooks', xero: 'Xero' } as const;

/** A month as one entry for another bookkeeping system, and the names of the accounts there. */
export function MonthJournal() {
  const months =
    useQuery(query('GET /api/finance/reports/deferred'))
      .data?.items.map(({ month }) => month)
      .reverse() ?? [];
  const closed = new Set(useQuery(query('GET /api/finance/periods')).data?.items.map(({ month }) => month));
  const { data: known } = useQuery(query('GET /api/finance/account-map'));
  const [chosen, setChosen] = useState('');
  const [isNaming, setNaming] = useState(false);
  const id = useId();
  // The newest closed month is the usual choice.
  const month = chosen || months.find((each) => closed.has(each)) || months[0];
  if (month === undefined) return null;
  const isDraft = !closed.has(month);
  return (
    <section className="panel min-w-0" aria-labelledby={id}>
      <div className="fin-bar">
        <h2 id={id} className="text-lg font-semibold">
          A month for your bookkeeping
        </h2>
        <div className="mr-auto">{isDraft && <Badge tone="warn">Draft: the month is open</Badge>}</div>
        {known && (
          <Button size="small" onClick={() => setNaming(true)}>
            Name the accounts
          </Button>
        )}
      </div>
      <div className="flex flex-wrap items-end gap-3 border-t border-line p-5">
        <Select label="Month" value={month} onChange={({ target }) => setChosen(target.value)}>
          {months.map((each) => (
            <option key={each} value={each}>
              {monthName(each)}
              {closed.has(each) ? '' : ' (open)'}
            </option>
          ))}
        </Select>
        {Object.entries(FORMATS).map(([format, name]) => (
          <FileLink
            key={format}
            path={`/api/finance/periods/${month}/journal?${new URLSearchParams({ format, draft: String(isDraft) })}`}
            name={`journal-${month}-${format}.csv`}
            className={buttonClass({}, 'min-h-11!')}
          >
            <Download size={16} />
            {name}
          </FileLink>
        ))}
        <p className="w-full text-sm text-muted">
          One journal entry in whole cents: a line for each account and side. What is less than a cent is in a
          line of its own.
        </p>
      </div>
      {isNaming && known && <AccountMapDialog {...known} onClose={() => setNaming(false)} />}
    </section>
  );
}
