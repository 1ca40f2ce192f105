import { useQuery } from '@tanstack/react-query';
import { RotateCw } from 'lucide-react';
import { reconciliationQuery } from '../../api/finance.js';
import { messageOf } from '../../api/http.js';
import { Badge } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import { formatDay, formatTime } from '../../ui/format.js';
import { ErrorPanel, LoadingText, Skeleton } from '../../ui/states.js';

/** Every rule of the books with its verdict, and every read model against the log. */
export function ReconciliationPage() {
  const { data, error, refetch, isFetching } = useQuery(reconciliationQuery);
  return (
    <>
      <div className="flex flex-wrap items-end justify-between gap-4">
        <div>
          <h1 className="display text-[36px]">Reconciliation</h1>
          <p className="mt-2 text-muted">
            {data
              ? `Checked ${formatDay(data.checkedAt)}, ${formatTime(data.checkedAt)}: ${data.chain.position.toLocaleString('en')} events`
              : 'Reads the whole log again; it may take a while.'}
          </p>
        </div>
        <Button
          busy={isFetching}
          onClick={() => void refetch()}
          icon={<RotateCw size={16} strokeWidth={1.75} aria-hidden="true" />}
        >
          Check again
        </Button>
      </div>
      {error && !data && (
        <ErrorPanel
          title="The books could not be checked"
          onRetry={() => void refetch()}
          retrying={isFetching}
        >
          {messageOf(error)}
        </ErrorPanel>
      )}
      {!data && !error && (
        <div className="mt-5">
          <LoadingText>Checking the books...</LoadingText>
          <Skeleton className="h-[720px]" />
        </div>
      )}
      {data && (
        <div className="fin-columns mt-5">
          <section className="panel overflow-x-auto" aria-label="Invariants">
            <table className="fin-table fin-rules">
              <thead>
                <tr>
                  <th scope="col">No.</th>
                  <th scope="col">Always true</th>
                  <th scope="col">Verdict</th>
                </tr>
              </thead>
              <tbody>
                {data.invariants.map(({ number, name, holds, detail }) => (
                  <tr key={number}>
                    <td>{number}</td>
                    <th scope="row" className="font-normal">
                      {name}
                      {detail && <p className="text-[13px] text-danger">{detail}</p>}
                    </th>
                    <td>
                      <Badge tone={holds ? 'ok' : 'danger'}>{holds ? 'holds' : 'broken'}</Badge>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
          <section className="panel self-start" aria-label="Read models">
            <table className="fin-table">
              <thead>
                <tr>
                  <th scope="col">Read model</th>
                  <th scope="col">Rows that differ</th>
                </tr>
              </thead>
              <tbody>
                {data.drift.map(({ projection, rows }) => (
                  <tr key={projection}>
                    <th scope="row" className="mono font-normal">
                      {projection}
                    </th>
                    <td className={rows === 0 ? 'text-faint' : 'text-danger'}>{rows.toLocaleString('en')}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
        </div>
      )}
    </>
  );
}
