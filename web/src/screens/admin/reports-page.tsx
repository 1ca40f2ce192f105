import { useState } from 'react';
import { reportsQuery } from '../../api/admin.js';
import { Button } from '../../ui/button.js';
import { formatDay, formatTime } from '../../ui/format.js';
import { Cell, List } from './list.js';
import { usePages } from '../../staff/paged-list.js';
import { type Decision, ReasonDialog } from '../../staff/reason-dialog.js';
import { defectOf, takedownOf } from './removals.js';

export function ReportsPage() {
  const query = usePages(reportsQuery);
  const [decision, setDecision] = useState<Decision>();
  return (
    <>
      <List
        query={query}
        label="Reports"
        empty="Nothing was reported"
        more="More reports"
        columns={['What', 'Why', 'In their words', 'Reported', 'Decision']}
        row={({ id, kind, subjectId, reason, detail, createdAt }) => (
          <tr key={id}>
            <th scope="row">
              <span className="block font-semibold first-letter:uppercase">{kind}</span>
              <span className="mono block text-faint">{subjectId}</span>
            </th>
            <Cell label="Why">
              <span className="inline-block first-letter:uppercase">{reason}</span>
            </Cell>
            <Cell label="In their words">{detail || '–'}</Cell>
            <Cell label="Reported">
              {formatDay(createdAt)}, {formatTime(createdAt)}
            </Cell>
            <td>
              <div className="flex lg:justify-end">
                {kind === 'pack' && (
                  <Button size="small" onClick={() => setDecision(takedownOf(subjectId))}>
                    Take down
                  </Button>
                )}
                {kind === 'sample' && (
                  <Button size="small" onClick={() => setDecision(defectOf(subjectId))}>
                    Return credits
                  </Button>
                )}
              </div>
            </td>
          </tr>
        )}
      />
      {decision && <ReasonDialog decision={decision} onClose={() => setDecision(undefined)} />}
    </>
  );
}
