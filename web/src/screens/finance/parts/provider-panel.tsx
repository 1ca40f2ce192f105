import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { query } from '../../../api/api.js';
import { inCurrency } from '../../../../../application/ledger/values.js';
import type {
  ProviderBalances,
  TieOut,
} from '../../../../../application/ledger/tie-outs/tie-out-contract.js';
import { staffPaths } from '../../../../../application/pages/staff-paths.js';
import { Badge } from '../../../ui/badge.js';
import { countOf } from '../../../ui/format.js';
import { Addition } from './addition.js';
import { NamedId } from './copy-id.js';
import { utcDay, utcTime } from '../../../staff/dates.js';
import { Missing, Panel } from './panel.js';

/** The last day before the end `to`, which is exclusive. */
export const lastDay = (to: string): string => utcDay(new Date(Date.parse(to) - 1).toISOString());

export function TieOutState({ tieOut: { onlyAtStripe, onlyInBooks } }: { tieOut: TieOut }) {
  const open = onlyAtStripe + onlyInBooks;
  return (
    <Badge tone={open === 0 ? 'ok' : 'warn'}>
      {open === 0 ? 'Ties out' : `${countOf(open, 'item')} to explain`}
    </Badge>
  );
}

/** Our balance + the difference = Stripe's balance, as of the last request to Stripe. */
function Dollars({ booksMicro, providerMicro, at }: ProviderBalances['items'][number]) {
  const difference = providerMicro - booksMicro;
  return (
    <>
      <Addition
        parts={[
          { label: 'Our stripe:balance', microUsd: booksMicro },
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

/** Stripe's balance beside the balance in the books, and the newest report that was compared with them. */
export function ProviderPanel() {
  const { data, error } = useQuery(query('GET /api/finance/provider-balances'));
  const { data: done } = useQuery(query('GET /api/finance/tie-outs'));
  const usd = data?.items.find(({ currency }) => currency === 'usd');
  const others = data?.items.filter(({ currency }) => currency !== 'usd') ?? [];
  const newest = done?.items[0];
  return (
    <Panel
      title="Reconciliation with Stripe"
      link={
        <Link className="underlined" to={staffPaths.financeStripe}>
          Tie out
        </Link>
      }
    >
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
                <NamedId id={newest.doneBy} of="id of who did it" /> {utcTime(newest.doneAt)}
              </span>
            </>
          ) : (
            <span className="text-muted">No report was held against the books yet.</span>
          )}
        </p>
      )}
    </Panel>
  );
}
