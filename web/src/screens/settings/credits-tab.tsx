import { useQuery } from '@tanstack/react-query';
import { CircleCheck, Info, X } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { query } from '../../api/api.js';
import type { Subscription } from '../../../../application/subscriptions/contract.js';
import { planChanged } from '../../api/changes.js';
import { lotsBeforeCheckout } from '../../plans/checkout.js';
import { type GrantState, useGrantWatch } from '../../plans/use-grant-watch.js';
import { IconButton } from '../../ui/button.js';
import { countOf } from '../../ui/format.js';
import { ErrorPanel, Skeleton } from '../../ui/states.js';
import { Lots } from './lots.js';
import { PlanSection } from './plan-section.js';
import { Transactions } from './transactions.js';

const LOOK_AGAIN_MS = 2_000;
/**
 * The polling interval while a payment is past due, or while a change of the plan waits for the payer to confirm it or
 * to pay with another card.
 */
const LOOK_FOR_PAYER_MS = 5_000;

/** Shows the outcome of the payment page: waiting for credits, credits arrived, or nothing charged. */
function CheckoutNotice(props: { outcome: 'success' | 'cancelled'; grant: GrantState; onClose: () => void }) {
  const { outcome, grant, onClose } = props;
  const arrived = grant.state === 'arrived';
  useEffect(() => {
    if (arrived) document.querySelector('[data-balance]')?.scrollIntoView({ block: 'center' });
  }, [arrived]);
  const { icon, title, text } =
    outcome === 'cancelled'
      ? {
          icon: <Info size={18} className="mt-0.5 text-info" />,
          title: 'Checkout cancelled',
          text: 'Nothing was charged.',
        }
      : arrived
        ? {
            icon: <CircleCheck size={18} className="mt-0.5 text-ok" />,
            title: `${countOf(grant.credits, 'credit')} arrived`,
            text: `Your balance is ${countOf(grant.balance, 'credit')}.`,
          }
        : {
            icon: <span className="spinner mt-1 text-info" aria-hidden="true" />,
            title: 'Waiting for your credits',
            text:
              grant.state === 'waiting' && grant.slow
                ? 'This takes longer than usual. You get your credits as soon as Stripe confirms the invoice. You can leave this page.'
                : 'They are granted when Stripe confirms the paid invoice, usually within seconds.',
          };
  return (
    <div
      role="status"
      className={`panel mt-6 flex items-start gap-3.5 border-l-3 p-4 ${arrived ? 'border-l-ok' : 'border-l-info'}`}
    >
      {icon}
      <div className="min-w-0 flex-1">
        <p className="font-semibold">{title}</p>
        <p className="text-muted">{text}</p>
      </div>
      <IconButton label="Close" onClick={onClose}>
        <X size={16} />
      </IconButton>
    </div>
  );
}

/** Waits for the credits of a new payment, which was made on the payment page or by an upgrade on this page. */
function useWaiting() {
  const [parameters, setParameters] = useSearchParams();
  const [upgradedFrom, setUpgradedFrom] = useState<readonly string[] | null>(null);
  const checkout = parameters.get('checkout');
  const before = useMemo(() => (checkout === 'success' ? lotsBeforeCheckout() : null), [checkout]);
  const grant = useGrantWatch(upgradedFrom ?? before, {
    enabled: checkout === 'success' || upgradedFrom !== null,
  });
  const isCancelled = checkout === 'cancelled' && upgradedFrom === null;
  const outcome = isCancelled ? 'cancelled' : grant.state === 'off' ? null : 'success';
  const close = () => {
    setUpgradedFrom(null);
    setParameters({ tab: 'credits' }, { replace: true });
  };
  return { grant, outcome, close, setUpgradedFrom } as const;
}

/** Whether a change of the plan or a payment is still in progress. */
const isOpen = ({ pendingChange, status }: Subscription) => pendingChange !== null || status === 'past_due';

function useSubscription() {
  const subscription = useQuery({
    ...query('GET /api/subscription'),
    refetchInterval: ({ state: { data } }) => {
      if (data?.pendingChange && !data.pendingChange.needs) return LOOK_AGAIN_MS;
      return data && isOpen(data) ? LOOK_FOR_PAYER_MS : false;
    },
    refetchOnWindowFocus: 'always',
  });
  const pending = Boolean(subscription.data && isOpen(subscription.data));
  const before = useRef(pending);
  useEffect(() => {
    if (before.current && !pending) planChanged();
    before.current = pending;
  }, [pending]);
  return subscription;
}

/**
 * Runs `onUpgraded` once the payer has completed an upgrade that was waiting for the payer. Passes the ids of the lots
 * from before the upgrade.
 */
function useAwaitedCredits(
  subscription: Subscription | undefined,
  lots: readonly { id: string }[] | undefined,
  onUpgraded: (before: readonly string[]) => void,
): void {
  const [awaited, setAwaited] = useState<{ plan: string | null; before: readonly string[] } | null>(null);
  const pending = subscription?.pendingChange;
  if (pending?.needs && lots && !awaited)
    setAwaited({ plan: pending.plan, before: lots.map(({ id }) => id) });
  if (awaited && subscription && !pending) {
    setAwaited(null);
    if (subscription.plan === awaited.plan) onUpgraded(awaited.before);
  }
}

export default function CreditsTab() {
  const credits = useQuery(query('GET /api/credits'));
  const plans = useQuery(query('GET /api/plans'));
  const subscription = useSubscription();
  const { grant, outcome, close, setUpgradedFrom } = useWaiting();
  useAwaitedCredits(subscription.data, credits.data?.lots, setUpgradedFrom);
  const error = credits.error ?? plans.error ?? subscription.error;
  const ready = credits.data && plans.data && subscription.data;
  const retry = () => void Promise.all([credits.refetch(), plans.refetch(), subscription.refetch()]);
  return (
    <>
      {outcome && <CheckoutNotice outcome={outcome} grant={grant} onClose={close} />}
      <div className="grid grid-cols-1 gap-x-10 gap-y-10 pt-7 xl:grid-cols-[minmax(0,1fr)_440px]">
        <div className="min-w-0">
          {error && !ready && (
            <ErrorPanel
              title="Your credits could not be loaded"
              onRetry={retry}
              retrying={credits.isRefetching}
              error={error}
            />
          )}
          {!ready && !error && (
            <>
              <Skeleton className="h-5 w-40" text="Loading your credits..." />
              <Skeleton className="mt-3 h-24 w-56" />
              <Skeleton className="mt-6 h-10" />
              {/* As high as the plan cards, which are side by side in wide windows and stacked in narrow ones. */}
              <Skeleton className="mt-12 h-60 max-md:h-209.5" />
            </>
          )}
          {ready && (
            <>
              <Lots credits={credits.data} subscription={subscription.data} plans={plans.data.items} />
              <PlanSection
                plans={plans.data.items}
                subscription={subscription.data}
                // Hides the notice of an earlier payment, except while its credits are awaited.
                onPress={() => outcome && grant.state !== 'waiting' && close()}
                onUpgraded={() => setUpgradedFrom(credits.data.lots.map(({ id }) => id))}
              />
            </>
          )}
        </div>
        <Transactions />
      </div>
    </>
  );
}
