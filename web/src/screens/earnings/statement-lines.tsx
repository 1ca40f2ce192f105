import { useQuery } from '@tanstack/react-query';
import { query } from '../../api/api.js';
import type { StatementLine } from '../../../../application/payouts/contract.js';
import { messageOf } from '../../api/transport/http.js';
import { titleOfLine } from '../../creators/payout-status.js';
import { countOf, formatDay } from '../../ui/format.js';
import { ExactMoney } from '../../ui/money.js';
import { LoadingText, Skeleton } from '../../ui/states.js';

function Line({ line }: { line: StatementLine }) {
  const { soldAt, sampleTitle, packTitle, shareMicroUsd, amountMicroUsd } = line;
  return (
    <tr>
      {soldAt ? (
        <>
          <th scope="row">
            <time dateTime={soldAt}>{formatDay(soldAt)}</time>
          </th>
          <td className="max-w-21 overflow-hidden text-ellipsis md:max-w-80" title={sampleTitle ?? undefined}>
            {titleOfLine(line)}
            {packTitle && <span className="text-faint"> · {packTitle}</span>}
          </td>
        </>
      ) : (
        <th scope="row" colSpan={2} className="whitespace-normal">
          {titleOfLine(line)}
        </th>
      )}
      <td className="text-right text-muted max-md:hidden">
        {shareMicroUsd === null ? '' : <ExactMoney microUsd={shareMicroUsd} />}
      </td>
      <td className="text-right">
        <ExactMoney microUsd={amountMicroUsd} />
      </td>
    </tr>
  );
}

/** The sales that a payout pays, the first and last perhaps in part. Their sum is the payout. */
export function StatementLines({ id, label }: { id: string; label: string }) {
  const { data, error } = useQuery(query('GET /api/creator/statements/:id', { params: { id } }));
  if (!data)
    return error ? (
      <p className="py-3 text-danger">{messageOf(error)}</p>
    ) : (
      <>
        <LoadingText>Loading the statement...</LoadingText>
        <Skeleton className="my-3 h-30" />
      </>
    );
  const sum = data.lines.reduce((total, { amountMicroUsd }) => total + amountMicroUsd, 0);
  return (
    <table className="figures statement-lines" aria-label={label}>
      <thead>
        <tr>
          <th scope="col">Sold</th>
          <th scope="col">Sample</th>
          <th scope="col" className="text-right max-md:hidden">
            <span className="pr-7">Your share</span>
          </th>
          <th scope="col">
            <span className="pr-7">Paid here</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {data.lines.map((line) => (
          <Line key={line.purchaseId ?? line.reversalId ?? line.kind} line={line} />
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">Sum</th>
          <td>{countOf(data.lines.length, 'line')}</td>
          {/* oxlint-disable-next-line jsx-a11y/control-has-associated-label -- A sum has no share. */}
          <td className="max-md:hidden" />
          <td className="text-right">
            <ExactMoney microUsd={sum} className="font-semibold" />
          </td>
        </tr>
      </tfoot>
    </table>
  );
}
