import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { alertsQuery, seeAlert } from '../../api/finance.js';
import { messageOf } from '../../api/transport/http.js';
import { staffPaths } from '../../staff/paths.js';
import { Button } from '../../ui/button.js';
import { countOf } from '../../ui/format.js';
import { utcTime } from './parts/dates.js';
import { Missing, Panel } from './parts/panel.js';

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
          {data.items.map(({ key, text, raisedAt, position }) => (
            <li key={key} className="flex items-start gap-x-4 border-t border-line py-2.5 max-md:flex-col">
              <span className="min-w-0 flex-1 wrap-anywhere">
                {text}{' '}
                <Link
                  className="underlined text-sm whitespace-nowrap"
                  to={staffPaths.financeEventsOf({ from: String(position) })}
                >
                  {utcTime(raisedAt)}
                </Link>
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
          ))}
        </ul>
      </Panel>
    </div>
  );
}
