import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { ChevronDown, Download } from 'lucide-react';
import { useState } from 'react';
import type { Payout, StatementLine } from '../../../../application/payouts/contract.js';
import { query } from '../../api/api.js';
import { payoutsQuery } from '../../api/creator.js';
import { apiAddress } from '../../api/transport/backend.js';
import { messageOf } from '../../api/transport/http.js';
import { PAYOUT_STATUS, PAYOUT_TONE, titleOfLine } from '../../creators/payout-status.js';
import { Badge } from '../../ui/badge.js';
import { buttonClass } from '../../ui/button.js';
import { countOf, formatDay, formatUsdCents } from '../../ui/format.js';
import { ExactMoney } from '../../ui/money.js';
import { Skeleton } from '../../ui/states.js';
import { ShowMore } from './sales-parts.js';
import { useLogged } from './use-logged.js';

function Line({ line }: { line: StatementLine }) {
  const { soldAt, sampleTitle, packTitle, shareMicroUsd, amountMicroUsd } = line;
  return (
    <tr>
      {soldAt ? (
        <>
          <th scope="row">
            <time dateTime={soldAt}>{formatDay(soldAt)}</time>
          </th>
          <td className="whitespace-normal md:max-w-80" title={sampleTitle ?? undefined}>
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

/**
 * The lines of a payout: sales that it pays, amounts that it deducts, and amounts of reversed payouts that it pays
 * again. A payout may pay only a part of its first and of its last sale.
 */
function StatementLines({ id, label }: { id: string; label: string }) {
  const { data, error } = useQuery(query('GET /api/creator/statements/:id', { params: { id } }));
  if (!data)
    return error ? (
      <p className="py-3 text-danger">{messageOf(error)}</p>
    ) : (
      <Skeleton className="my-3 h-30" text="Loading the statement..." />
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
            <span className="pr-7 whitespace-nowrap">Paid here</span>
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

function outcomeOf({ failure, reversedUsdCents }: Payout): string {
  if (failure) return failure;
  return reversedUsdCents > 0 ? `${formatUsdCents(reversedUsdCents)} reversed` : '';
}

function Row({ payout }: { payout: Payout }) {
  const { id, requestedAt, amountUsdCents, status } = payout;
  const [open, setOpen] = useState(false);
  const day = formatDay(requestedAt);
  const opens = status !== 'failed';
  return (
    <>
      <tr>
        <th scope="row">
          {opens ? (
            <button
              type="button"
              aria-expanded={open}
              onClick={() => setOpen(!open)}
              className="-ml-1.5 inline-flex h-8.5 items-center gap-1.5 px-1.5 text-left font-semibold hover:bg-hover"
            >
              <ChevronDown size={16} className={open ? 'rotate-180' : undefined} />
              <time dateTime={requestedAt}>{day}</time>
            </button>
          ) : (
            <time dateTime={requestedAt} className="pl-5.5">
              {day}
            </time>
          )}
        </th>
        <td>
          <Badge tone={PAYOUT_TONE[status]}>{PAYOUT_STATUS[status]}</Badge>
        </td>
        <td className="statement-note">{outcomeOf(payout)}</td>
        <td className="font-semibold">{formatUsdCents(amountUsdCents)}</td>
        <td>
          {opens && (
            <a
              href={apiAddress(`/api/creator/statements/${encodeURIComponent(id)}.csv`)}
              download
              aria-label={`Statement of ${day}`}
              className="icon-btn"
            >
              <Download size={16} />
            </a>
          )}
        </td>
      </tr>
      {open && (
        <tr>
          <td colSpan={5} className="col-span-full h-auto bg-raised p-0 pb-3 pl-1.5 text-left md:pl-5.5">
            <StatementLines id={id} label={`Lines of the payout of ${day}`} />
          </td>
        </tr>
      )}
    </>
  );
}

/**
 * Lists the withdrawals with their statements; renders nothing before the first withdrawal. Failed withdrawals have no
 * statement.
 */
export function Statements() {
  const answer = useInfiniteQuery(payoutsQuery(100));
  const { data, error } = answer;
  useLogged('Your statements', error);
  const payouts = data?.pages.flatMap(({ items }) => items) ?? [];
  if (payouts.length === 0) return null;
  return (
    <section aria-labelledby="statements-title" className="panel min-w-0 p-5 max-md:p-4">
      <div className="mb-2 flex flex-wrap items-center justify-between gap-3">
        <h2 id="statements-title" className="text-lg font-semibold">
          Withdrawals
        </h2>
        <a
          href={apiAddress('/api/creator/statements.csv')}
          download
          className={buttonClass({ size: 'small' })}
        >
          <Download size={16} /> All as CSV
        </a>
      </div>
      <div className="overflow-x-auto" role="region" aria-label="All statements" tabIndex={0}>
        <table className="figures statements">
          <thead className="max-md:sr-only">
            <tr>
              <th scope="col">Requested</th>
              <th scope="col">Status</th>
              <th scope="col" className="statement-note">
                Note
              </th>
              <th scope="col">Amount</th>
              <th scope="col">CSV</th>
            </tr>
          </thead>
          <tbody>
            {payouts.map((payout) => (
              <Row key={payout.id} payout={payout} />
            ))}
          </tbody>
        </table>
      </div>
      <ShowMore of={answer} />
    </section>
  );
}
