import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { RULE_BROKEN, SALE_UNDER_REVIEW } from '../../../../application/ledger/values.js';
import { alertsQuery, seeAlert } from '../../api/finance.js';
import { messageOf } from '../../api/transport/http.js';
import { staffPaths } from '../../staff/paths.js';
import { Button } from '../../ui/button.js';
import { countOf } from '../../ui/format.js';
import { utcTime } from './parts/dates.js';
import { Missing, Panel } from './parts/panel.js';
import { explained } from './trace/place.js';

/** Where what an alert is about is looked at; by default its event. */
const WAYS: Partial<Record<string, (item: string) => [label: string, to: string]>> = {
  [RULE_BROKEN]: () => ['Every rule', staffPaths.financeReconciliation],
  [SALE_UNDER_REVIEW]: () => ['Sales under review', staffPaths.financeSalesUnderReview],
  suspense: () => ['Suspense', staffPaths.financeSuspense],
  'fact-set-aside': (item) => ['Explain it', explained(item)],
};

/** What about the money somebody has to see, until somebody has; nothing while there is nothing. */
export function Alerts() {
  const { data, error } = useQuery(alertsQuery);
  const { mutate, isPending, variables, error: unseen } = useMutation({ mutationFn: seeAlert });
  if (error && !data)
    return (
      <div className="mb-4">
        <Panel title="To be looked at">
          <Missing error={error} loading="" height={0} />
        </Panel>
      </div>
    );
  if (!data || data.items.length === 0) return null;
  return (
    <div className="mb-4">
      <Panel title={`${countOf(data.items.length, 'thing')} to be looked at`}>
        {unseen && (
          <p role="alert" className="mb-3 text-danger">
            {messageOf(unseen)}
          </p>
        )}
        <ul className="-mb-2">
          {data.items.map(({ key, kind, item, text, raisedAt, position }) => {
            const [label, to] = WAYS[kind]?.(item) ?? [
              'Its event',
              staffPaths.financeEventsOf({ from: String(position) }),
            ];
            return (
              <li key={key} className="flex items-start gap-x-4 border-t border-line py-2.5 max-md:flex-col">
                <span className="min-w-0 flex-1 wrap-anywhere">
                  {text}
                  <span className="mt-0.5 block text-sm text-muted">
                    <Link className="underlined" to={to}>
                      {label}
                    </Link>{' '}
                    · {utcTime(raisedAt)}
                  </span>
                </span>
                <Button
                  size="small"
                  busy={isPending && variables === key}
                  aria-label={`Seen: ${text}`}
                  onClick={() => mutate(key)}
                >
                  Seen
                </Button>
              </li>
            );
          })}
        </ul>
      </Panel>
    </div>
  );
}
