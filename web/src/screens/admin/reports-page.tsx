import { reportsQuery } from '../../api/admin.js';
import { kinds } from '../../staff/list/column.js';
import { listPage } from '../../staff/list/list-page.js';
import { usePages } from '../../staff/list/paged-list.js';
import { askReason } from '../../staff/ask-reason.js';
import { Button } from '../../ui/button.js';
import { defectOf, takedownOf } from './removals.js';

export const ReportsPage = listPage({
  useRows: () => usePages(reportsQuery),
  list: {
    cards: true,
    title: 'Reports',
    file: 'reports',
    empty: 'Nothing was reported',
    more: 'More reports',
    keyOf: ({ id }) => id,
    columns: [
      {
        label: 'What',
        value: ({ kind, subjectId }) => `${kind} ${subjectId}`,
        cell: ({ kind, subjectId }) => (
          <>
            <span className="block font-semibold first-letter:uppercase">{kind}</span>
            <span className="mono block text-faint">{subjectId}</span>
          </>
        ),
      },
      {
        label: 'Why',
        value: ({ reason }) => reason,
        cell: ({ reason }) => <span className="inline-block first-letter:uppercase">{reason}</span>,
      },
      { label: 'In their words', value: ({ detail }) => detail || null },
      { label: 'Reported', value: ({ createdAt }) => createdAt, kind: kinds.localTime },
      {
        label: 'Decision',
        cell: ({ kind, subjectId }) => (
          <div className="flex lg:justify-end">
            {kind === 'pack' && (
              <Button size="small" onClick={() => askReason(takedownOf(subjectId))}>
                Take down
              </Button>
            )}
            {kind === 'sample' && (
              <Button size="small" onClick={() => askReason(defectOf(subjectId))}>
                Return credits
              </Button>
            )}
          </div>
        ),
      },
    ],
  },
});
