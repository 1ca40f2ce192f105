import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Check, Download } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useNavigate, useSearchParams } from 'react-router-dom';
import { query } from '../../api/api.js';
import { apiAddress } from '../../api/transport/backend.js';
import type { ConnectStatus, CreatorBalance } from '../../../../application/payouts/contract.js';
import { creatorQuery } from '../../api/account.js';
import { payoutsChanged, payoutsQuery, watchedBalanceQuery } from '../../api/creator.js';
import { PAYOUT_STATUS, PAYOUT_TONE, unpaidParts } from '../../creators/payout-status.js';
import { WithdrawButton } from '../../creators/withdraw-button.js';
import { paths } from '../../paths.js';
import { useSession } from '../../session/session.js';
import { showAlert } from '../../ui/overlays/alerts.js';
import { Badge } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import { formatDay, formatMicroUsd, formatShortDay, formatUsdCents } from '../../ui/format.js';
import { ErrorPanel, Skeleton } from '../../ui/states.js';
import { Tape } from '../../ui/tape.js';
import { Connect, Needs, type OnboardingProps } from './payout-setup.js';

/**
 * The wait before the status is fetched again: Stripe reports with a short delay what the creator entered at Stripe.
 */
const RECHECK_MS = 2_000;

function useOnboardingReturn(): void {
  const [parameters] = useSearchParams();
  const navigate = useNavigate();
  const outcome = parameters.get('stripe_onboarding');
  const leftEarly = useRef(false);
  useEffect(() => {
    if (outcome === 'success') {
      const timer = setTimeout(() => {
        payoutsChanged();
        void navigate(paths.dashboard, { replace: true });
      }, RECHECK_MS);
      return () => clearTimeout(timer);
    }
    if (outcome === 'refresh') {
      leftEarly.current = true;
      void navigate(paths.dashboard, { replace: true });
    } else if (leftEarly.current) {
      // An alert closes when the address changes, so the address must change before this alert opens.
      leftEarly.current = false;
      void showAlert({ message: 'Please complete your Stripe account setup to start receiving payments.' });
    }
    return undefined;
  }, [outcome, navigate]);
}

function Action(props: OnboardingProps & { status: ConnectStatus; balance: CreatorBalance }) {
  const { status, balance, ...leaving } = props;
  if (!status.connected) return <Connect {...leaving} />;
  return (
    <>
      {status.payoutsEnabled ? (
        <WithdrawButton balance={balance} className="w-full" />
      ) : (
        <Button className="w-full" disabled>
          Withdraw (Verification Required)
        </Button>
      )}
      <Needs status={status} {...leaving} />
    </>
  );
}

function Latest() {
  const payouts = useInfiniteQuery(payoutsQuery(3)).data?.pages[0]?.items;
  if (!payouts?.length) return null;
  return (
    <ul aria-label="Latest payouts" className="mt-4 grid gap-1 text-sm">
      {payouts.map(({ id, amountUsdCents, status, requestedAt, failure }) => (
        <li key={id} className="flex min-h-8 flex-wrap items-center gap-2 border-t border-line">
          <span>{formatDay(requestedAt)}</span>
          <span className={PAYOUT_TONE[status] === 'danger' ? 'text-danger' : 'text-faint'}>
            {PAYOUT_STATUS[status]}
          </span>
          <span className="ml-auto">{formatUsdCents(amountUsdCents)}</span>
          {status !== 'failed' && (
            <a
              href={apiAddress(`/api/creator/statements/${encodeURIComponent(id)}.csv`)}
              download
              aria-label={`Statement of ${formatDay(requestedAt)}`}
              className="grid size-8 place-items-center text-muted hover:text-text"
            >
              <Download size={15} />
            </a>
          )}
          {failure && <span className="-mt-1 w-full pb-2 text-muted">{failure}</span>}
        </li>
      ))}
    </ul>
  );
}

function Figures({ balance }: { balance: CreatorBalance }) {
  const { availableMicroUsd, heldMicroUsd, heldUntil, paidUsdCents, inFlight } = balance;
  const parts = unpaidParts(balance);
  const rows = [
    {
      swatch: 'tape-part hatched text-(--sticker)',
      label: `On hold${heldUntil ? `, released by ${formatShortDay(heldUntil)}` : ''}`,
      amount: formatMicroUsd(heldMicroUsd),
    },
    ...(inFlight
      ? [{ swatch: 'bg-[var(--c2)]', label: 'On its way', amount: formatUsdCents(inFlight.amountUsdCents) }]
      : []),
    { swatch: 'bg-strong', label: 'Paid out so far', amount: formatUsdCents(paidUsdCents) },
  ];
  return (
    <>
      <p className="text-muted">Available for withdrawal</p>
      <p className="display mt-2 mb-3 text-6xl">{formatMicroUsd(availableMicroUsd)}</p>
      {availableMicroUsd < 0 && (
        <p className="mb-3 border-l-3 border-danger pl-3 text-sm text-muted">
          Some sales that you were paid for were reversed. Your next earnings cover that amount first.
        </p>
      )}
      {parts.some(({ amount }) => amount > 0) ? (
        <Tape parts={parts} />
      ) : (
        <div className="h-3 bg-raised" aria-hidden="true" />
      )}
      <dl className="mt-3 mb-4">
        {rows.map(({ swatch, label, amount }) => (
          <div key={swatch} className="flex min-h-9 items-center justify-between border-t border-line">
            <dt className="flex items-center gap-2 text-muted">
              <i className={`size-2.5 shrink-0 ${swatch}`} aria-hidden="true" />
              {label}
            </dt>
            <dd>{amount}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

function Card({ user, leave }: OnboardingProps) {
  const status = useQuery(query('GET /api/stripe/connect/status/:userId', { params: { userId: user.id } }));
  const balance = useQuery(watchedBalanceQuery);
  useOnboardingReturn();
  const error = status.error ?? balance.error;
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-2">
        <h2 id="payouts-title" className="text-lg font-semibold">
          Payouts
        </h2>
        {balance.data && status.data?.payoutsEnabled && (
          <Badge tone="ok">
            <Check size={14} className="stroke-2" /> Stripe connected
          </Badge>
        )}
      </div>
      {status.data && balance.data ? (
        <>
          <Figures balance={balance.data} />
          <Action user={user} status={status.data} balance={balance.data} leave={leave} />
          <Latest />
        </>
      ) : error ? (
        <ErrorPanel
          title="Your payouts could not be loaded"
          onRetry={() => payoutsChanged()}
          retrying={status.isRefetching || balance.isRefetching}
          error={error}
        />
      ) : (
        <Skeleton className="h-55" />
      )}
    </>
  );
}

/** The payouts of an approved creator; renders nothing for others. */
export function PayoutCard({
  leave = (url) => window.location.assign(url),
}: Partial<Pick<OnboardingProps, 'leave'>>) {
  const { user } = useSession();
  const { data: creator } = useQuery(creatorQuery);
  if (!user || creator?.status !== 'approved') return null;
  return (
    <section aria-labelledby="payouts-title" className="panel p-5 xl:w-90 xl:shrink-0">
      <Card user={user} leave={leave} />
    </section>
  );
}
