import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { AlertCause } from '../../../../application/ledger/alert-contract.js';
import { RULE_BROKEN, SALE_UNDER_REVIEW, TIE_OUT } from '../../../../application/ledger/values.js';
import { alertCausesQuery, alertsOfQuery, seeAlert, seeCause } from '../../api/finance.js';
import { More, usePages } from '../../staff/list/paged-list.js';
import { staffPaths } from '../../../../application/pages/staff-paths.js';
import { Button } from '../../ui/button.js';
import { countOf } from '../../ui/format.js';
import { Problem } from '../../ui/states.js';
import { Money } from '../../staff/list/column.js';
import { monthName, utcTime } from '../../staff/dates.js';
import { Missing, Panel } from '../../staff/page-parts.js';

/** Where an alert links to, by kind of alert. Other alerts link to their event. */
const WAYS: Partial<Record<string, (item: string) => [label: string, to: string]>> = {
  [RULE_BROKEN]: () => ['Every rule', staffPaths.financeReconciliation],
  [SALE_UNDER_REVIEW]: () => ['Sales under review', staffPaths.financeSalesUnderReview],
  suspense: () => ['Suspense', staffPaths.financeSuspense],
  [TIE_OUT]: () => ['Tie-out', staffPaths.financeStripe],
  'fact-set-aside': (item) => ['Explain it', staffPaths.financeTrace(item)],
};

const MANY: Partial<Record<string, string>> = {
  [RULE_BROKEN]: 'rules of the books do not hold',
  [SALE_UNDER_REVIEW]: 'sales are under review',
  suspense: 'items are in suspense, owed to customers or held in reserve',
  'fact-set-aside': 'reports of Stripe contradict the books',
  [TIE_OUT]: 'movements are only in the books or only in Stripe’s report',
  'untaxed-sale': 'invoices were paid without tax',
};
const titleOf = ({ kind, count, text }: AlertCause): string =>
  count === 1 ? text : `${count.toLocaleString('en')} ${MANY[kind] ?? `alerts. The oldest: ${text}`}`;

function Way({ kind, item, position }: { kind: string; item: string; position: number }) {
  const [label, to] = WAYS[kind]?.(item) ?? [
    'Its event',
    staffPaths.financeEventsOf({ from: String(position) }),
  ];
  return (
    <Link className="underlined" to={to}>
      {label}
    </Link>
  );
}

function Each({ kind, month }: AlertCause) {
  const list = usePages(alertsOfQuery(kind, month));
  const see = useMutation({ mutationFn: seeAlert });
  if (!list.data) return <Missing error={list.error} loading="Loading alerts..." height={80} />;
  return (
    <div className="mt-3 border-l-3 border-strong pl-4">
      <Problem of={see.error} />
      <ul>
        {list.data.items.map(({ key, text, item, position, raisedAt }) => (
          <li key={key} className="flex items-start gap-x-4 py-1.5 max-md:flex-col">
            <span className="min-w-0 flex-1 wrap-anywhere">
              {text}{' '}
              <span className="text-sm text-muted">
                <Way kind={kind} item={item} position={position} /> · {utcTime(raisedAt)}
              </span>
            </span>
            <Button
              size="small"
              tone="quiet"
              busy={see.isPending && see.variables === key}
              aria-label={`Seen: ${text}`}
              onClick={() => see.mutate(key)}
            >
              Seen
            </Button>
          </li>
        ))}
      </ul>
      <More of={list}>More alerts</More>
    </div>
  );
}

function Cause({ cause }: { cause: AlertCause }) {
  const { kind, month, count, amountMicroUsd, item, position } = cause;
  const [isOpen, setOpen] = useState(false);
  const { mutate, isPending, error } = useMutation({ mutationFn: seeCause });
  const title = titleOf(cause);
  return (
    <li className="border-t border-line py-2.5">
      <div className="flex items-start gap-x-4 max-md:flex-col max-md:gap-y-2">
        <span className="min-w-0 flex-1 wrap-anywhere">
          {title}
          <span className="mt-0.5 block text-sm text-muted">
            {amountMicroUsd !== null && (
              <>
                <Money microUsd={amountMicroUsd} /> USD ·{' '}
              </>
            )}
            {count === 1 ? (
              <Way kind={kind} item={item} position={position} />
            ) : (
              <button
                type="button"
                className="underlined"
                aria-expanded={isOpen}
                onClick={() => setOpen(!isOpen)}
              >
                {isOpen ? 'Hide them' : 'List them'}
              </button>
            )}{' '}
            · {monthName(month)}
          </span>
          <Problem of={error} />
        </span>
        <Button size="small" busy={isPending} aria-label={`Seen: ${title}`} onClick={() => mutate(cause)}>
          {count === 1 ? 'Seen' : 'All seen'}
        </Button>
      </div>
      {isOpen && count > 1 && <Each {...cause} />}
    </li>
  );
}

/** Alerts by cause and month until finance has seen them; renders nothing without alerts. */
export function Alerts() {
  const { data, error } = useQuery(alertCausesQuery);
  const causes = data?.causes ?? [];
  if (causes.length === 0 && (data || !error)) return null;
  return (
    <div className="mb-4">
      <Panel title={data ? `${countOf(causes.length, 'thing')} to be looked at` : 'To be looked at'}>
        {!data && <Missing error={error} loading="" height={0} />}
        <ul className="-mb-2">
          {causes.map((cause) => (
            <Cause key={`${cause.kind} ${cause.month}`} cause={cause} />
          ))}
        </ul>
      </Panel>
    </div>
  );
}
