import { useQuery } from '@tanstack/react-query';
import { Fragment } from 'react';
import { query } from '../../../api/api.js';
import { inCurrency } from '../../../../../application/ledger/values.js';
import type {
  ProviderBalances,
  TieOut,
} from '../../../../../application/ledger/tie-outs/tie-out-contract.js';
import { staffPaths } from '../../../../../application/pages/staff-paths.js';
import { Badge } from '../../../ui/badge.js';
import { countOf } from '../../../ui/format.js';
import { By } from './named.js';
import { utcDay, utcTime } from '../../../staff/dates.js';
import { Money } from '../../../staff/list/column.js';
import { Missing, Panel } from '../../../staff/page-parts.js';

interface Amount {
  label: string;
  microUsd: number;
  tone?: string | undefined;
}

/** Amounts, of which the last is the sum of the others. They are side by side, or stacked on phones. */
export function Addition({ parts }: { parts: readonly Amount[] }) {
  return (
    <dl className="flex flex-wrap items-end gap-x-6 gap-y-4 max-md:grid max-md:gap-2.5 md:justify-between">
      {parts.map(({ label, microUsd, tone = '' }, at) => (
        <Fragment key={label}>
          {at > 0 && (
            <span aria-hidden="true" className="pb-1 text-lg font-[650] text-muted max-md:hidden">
              {at === parts.length - 1 ? '=' : '+'}
            </span>
          )}
          <div className="max-md:flex max-md:items-baseline max-md:justify-between max-md:last:border-t-2 max-md:last:border-text max-md:last:pt-2.5">
            <dt className="text-sm text-muted">{label}</dt>
            <dd className={`text-xl font-[650] md:mt-1.5 md:text-3xl ${tone}`}>
              <Money microUsd={microUsd} />
            </dd>
          </div>
        </Fragment>
      ))}
    </dl>
  );
}

/** Returns the last day of a period. @param to the end of the period, exclusive */
export const lastDay = (to: string): string => utcDay(new Date(Date.parse(to) - 1).toISOString());

export function TieOutState({ tieOut: { onlyAtStripe, onlyInBooks } }: { tieOut: TieOut }) {
  const open = onlyAtStripe + onlyInBooks;
  return (
    <Badge tone={open === 0 ? 'ok' : 'warn'}>
      {open === 0 ? 'Ties out' : `${countOf(open, 'item')} to explain`}
    </Badge>
  );
}

/** Shows that our balance plus the difference is Stripe's balance, as of the last request to Stripe. */
function Dollars({ booksMicro, providerMicro, at }: ProviderBalances['items'][number]) {
  const difference = providerMicro - booksMicro;
  return (
    <>
      <Addition
        parts={[
          { label: 'Our Stripe balance', microUsd: booksMicro },
          {
            label: 'Difference',
            microUsd: difference,
            tone: difference === 0 ? undefined : 'text-danger',
          },
          { label: 'Stripe says', microUsd: providerMicro },
        ]}
      />
      <p className="mt-3 text-sm text-muted">Both of {utcTime(at)} UTC</p>
    </>
  );
}

export function ProviderPanel() {
  const { data, error } = useQuery(query('GET /api/finance/provider-balances'));
  const { data: done } = useQuery(query('GET /api/finance/tie-outs'));
  const usd = data?.items.find(({ currency }) => currency === 'usd');
  const others = data?.items.filter(({ currency }) => currency !== 'usd') ?? [];
  const newest = done?.items[0];
  return (
    <Panel title="Reconciliation with Stripe" link={{ to: staffPaths.financeStripe, label: 'Tie out' }}>
      {!data && <Missing error={error} loading="Loading Stripe's balance..." height={90} />}
      {usd && <Dollars {...usd} />}
      {data && !usd && <p className="text-muted">Stripe was not asked for its balance yet.</p>}
      {others.map(({ currency, booksMicro, providerMicro }) => (
        <p key={currency} className="mt-2 text-sm">
          {inCurrency(booksMicro, currency)} in the books,{' '}
          <span className={booksMicro === providerMicro ? undefined : 'text-danger'}>
            {inCurrency(providerMicro, currency)} at Stripe
          </span>
        </p>
      ))}
      {done && (
        <p className="mt-3 flex flex-wrap items-baseline gap-x-3 gap-y-2 border-t border-line pt-3">
          {newest ? (
            <>
              <span>
                Report of {utcDay(newest.from)} to {lastDay(newest.to)}, {newest.matched.toLocaleString('en')}{' '}
                matched
              </span>
              <TieOutState tieOut={newest} />
              <span className="text-sm text-muted">
                <By id={newest.doneBy} />, {utcTime(newest.doneAt)} UTC
              </span>
            </>
          ) : (
            <span className="text-muted">No report has been compared with the books yet.</span>
          )}
        </p>
      )}
    </Panel>
  );
}
