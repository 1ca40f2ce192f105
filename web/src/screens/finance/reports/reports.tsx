import { useSearchParams } from 'react-router-dom';
import { Input } from '../../../ui/forms/field.js';
import { PageHead } from '../parts/page.js';
import { Ageing } from './ageing.js';
import { BreakageEstimate } from './breakage.js';
import { Deferred } from './deferred.js';
import { Margins } from './margin.js';
import { MonthJournal } from './month-journal.js';

export function ReportsPage() {
  const [parameters, setParameters] = useSearchParams();
  const asOf = parameters.get('asOf') ?? '';
  return (
    <>
      <PageHead title="Reports" note="USD, to the micro-dollar. Months are by UTC.">
        <Input
          type="date"
          label="Ages and estimate at the end of (UTC)"
          value={asOf}
          onChange={({ target }) =>
            setParameters(target.value ? { asOf: target.value } : {}, { replace: true })
          }
        />
      </PageHead>
      <div className="grid gap-4">
        <Deferred />
        <Ageing asOf={asOf} />
        <Margins />
        <BreakageEstimate asOf={asOf} />
        <MonthJournal />
      </div>
    </>
  );
}
