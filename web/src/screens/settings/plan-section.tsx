import { TopUps } from '../../plans/top-ups.js';
import { ConsentNote } from '../../plans/consent-note.js';
import '../../plans/plans.css';
import { useMutation } from '@tanstack/react-query';
import { CreditCard, Landmark } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { Plan, Subscription } from '../../../../application/subscriptions/contract.js';
import { api } from '../../api/api.js';
import {
  cancelPlan,
  downgradeTo,
  payBeforeUpgrade,
  payPendingChange,
  resumePlan,
  upgradeTo,
  withdrawPendingChange,
} from '../../plans/change-plan.js';
import { buy, openOutside } from '../../plans/checkout.js';
import { centsEach, isRunning } from '../../plans/price.js';
import { showAlert } from '../../ui/overlays/alerts.js';
import { Badge } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import { formatDay, formatShortDay, formatTime, formatUsdCents } from '../../ui/format.js';

interface PlanState {
  plans: readonly Plan[];
  subscription: Subscription;
}

interface PlanEvents {
  onPress: () => void;
  onUpgraded: () => void;
}

function actionOf(plan: Plan, { plans, subscription }: PlanState, onUpgraded: () => void) {
  const current = plans.find(({ id }) => id === subscription.plan);
  const { scheduledChange } = subscription;
  if (!current || !isRunning(subscription)) {
    return { label: `Choose ${plan.name}`, act: () => buy(plan.id, 'settings') };
  }
  if (plan.id === current.id) {
    return scheduledChange
      ? { label: `Keep ${plan.name}`, act: resumePlan }
      : { label: 'Cancel plan', act: () => cancelPlan(subscription) };
  }
  if (plan.priceUsdCents > current.priceUsdCents) {
    const act = async () => {
      if (await upgradeTo(plan)) onUpgraded();
    };
    const isUnpaid = subscription.status === 'past_due';
    return { label: `Upgrade to ${plan.name}`, act: isUnpaid ? () => payBeforeUpgrade(plan) : act };
  }
  const when = subscription.currentPeriodEnd ? ` on ${formatShortDay(subscription.currentPeriodEnd)}` : '';
  return { label: `Switch to ${plan.name}${when}`, act: () => downgradeTo(plan) };
}

function PlanCard({ plan, onPress, onUpgraded, ...state }: PlanState & PlanEvents & { plan: Plan }) {
  const { subscription } = state;
  const current = isRunning(subscription) && subscription.plan === plan.id;
  const scheduled = subscription.scheduledChange?.plan === plan.id ? subscription.scheduledChange : null;
  const { label, act } = actionOf(plan, state, onUpgraded);
  const { mutate, isPending } = useMutation({ mutationFn: act });
  return (
    <article className="plan-card panel flex flex-col p-5" data-current={current ? '' : undefined}>
      <div className="flex min-h-7 items-center justify-between gap-3 pr-6">
        <h3 className="display text-3xl">{plan.name}</h3>
        {current && (
          <span className="bg-page px-2 py-1 text-xs leading-none font-semibold text-text">Your plan</span>
        )}
        {scheduled && <Badge tone="info">from {formatShortDay(scheduled.effectiveAt)}</Badge>}
      </div>
      <p className="mt-3 flex items-end gap-1.5">
        <span className="display text-7xl">{formatUsdCents(plan.priceUsdCents)}</span>
        <span className="text-(--soft) pb-1">per month{plan.plusTax && ', plus tax'}</span>
      </p>
      <p className="text-(--soft) mt-3 mb-5">
        {plan.credits} credits, {centsEach(plan)}¢ each
        <br />
        {plan.features.at(-1)}
      </p>
      <Button
        className="plan-choose mt-auto w-full px-2 leading-tight text-balance whitespace-normal"
        busy={isPending && !scheduled}
        disabled={Boolean(scheduled ?? subscription.pendingChange)}
        onClick={() => {
          onPress();
          mutate();
        }}
      >
        {scheduled ? 'Scheduled' : label}
      </Button>
    </article>
  );
}

const WORDS = {
  confirmation: { Icon: Landmark, title: 'Your bank wants you to confirm', pay: 'Confirm payment' },
  'another card': { Icon: CreditCard, title: 'Your card was refused', pay: 'Pay with another card' },
};

function AwaitedPayer({ plans, subscription }: PlanState) {
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => {
    panel.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  const pay = useMutation({ mutationFn: payPendingChange });
  const withdraw = useMutation({ mutationFn: withdrawPendingChange });
  const { pendingChange, plan } = subscription;
  const wanted = plans.find(({ id }) => id === pendingChange?.plan);
  const current = plans.find(({ id }) => id === plan);
  if (!pendingChange?.needs || !pendingChange.expiresAt || !wanted || !current) return null;
  const { Icon, title, pay: label } = WORDS[pendingChange.needs];
  const until = `${formatTime(pendingChange.expiresAt)} on ${formatDay(pendingChange.expiresAt)}`;
  return (
    <div ref={panel} role="status" className="panel mt-4 flex gap-3.5 border-l-3 border-l-warn p-5">
      <Icon size={18} className="mt-0.5 flex-none text-warn" />
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-5 gap-y-4">
        <div className="min-w-0 flex-1 basis-64">
          <p className="font-semibold">{title}</p>
          <p className="text-muted">
            {wanted.name} costs {formatUsdCents(wanted.priceUsdCents)}. You stay on {current.name}, and
            nothing is charged, until you have paid on the page of the payment service. It waits until {until}
            .
          </p>
        </div>
        <div className="flex flex-wrap gap-3">
          <Button tone="primary" busy={pay.isPending} onClick={() => pay.mutate()}>
            {label}
          </Button>
          <Button tone="quiet" busy={withdraw.isPending} onClick={() => withdraw.mutate(current)}>
            Stay on {current.name}
          </Button>
        </div>
      </div>
    </div>
  );
}

const WITHOUT_A_PLAN: Record<string, string> = {
  cancel: 'The cancellation',
  resume: 'Withdrawing the scheduled change',
};

const TONES: Record<string, 'ok' | 'warn' | 'danger'> = { active: 'ok', past_due: 'danger' };

function statusText({ plans, subscription }: PlanState): string {
  const plan = plans.find(({ id }) => id === subscription.plan);
  const { pendingChange, scheduledChange, status } = subscription;
  if (!plan || !isRunning(subscription)) return 'No plan. Choose one to get credits every month.';
  if (status === 'past_due') {
    return `${plan.name}. The last payment failed. You get no new credits until it is paid. You can still use the credits that you have.`;
  }
  if (pendingChange) {
    const towards = plans.find(({ id }) => id === pendingChange.plan)?.name;
    if (pendingChange.needs) return `${plan.name}. The change to ${towards} waits for you.`;
    return `${plan.name}. ${towards ? `The change to ${towards}` : WITHOUT_A_PLAN[pendingChange.kind]} is waiting for the payment service.`;
  }
  if (scheduledChange?.kind === 'cancel')
    return `${plan.name}, ends on ${formatDay(scheduledChange.effectiveAt)}`;
  if (scheduledChange) {
    const next = plans.find(({ id }) => id === scheduledChange.plan);
    return `${plan.name}, ${next?.name ?? 'another plan'} from ${formatDay(scheduledChange.effectiveAt)}`;
  }
  return plan.name;
}

function CardPanel({ plans, subscription }: PlanState) {
  const change = useMutation({
    mutationFn: () => openOutside(() => api('POST /api/subscription/payment-details')),
    onError: () =>
      showAlert({ title: 'Error', message: 'The payment page could not be opened. Please try again.' }),
  });
  const pay = useMutation({ mutationFn: payPendingChange });
  const plan = plans.find(({ id }) => id === subscription.plan);
  if (!plan || !isRunning(subscription)) return null;
  const { currentPeriodEnd, scheduledChange, status } = subscription;
  const refused = status === 'past_due';
  const charged =
    scheduledChange?.kind === 'downgrade' ? plans.find(({ id }) => id === scheduledChange.plan) : plan;
  const next = refused
    ? 'Confirm it with your bank, or pay with another card.'
    : scheduledChange?.kind === 'cancel' || !currentPeriodEnd
      ? 'No further charge'
      : `Next charge ${formatUsdCents(charged?.priceUsdCents ?? 0)} on ${formatDay(currentPeriodEnd)}`;
  return (
    <div
      className={`panel mt-8 flex flex-wrap items-center gap-5 p-5 ${refused ? 'border-l-3 border-l-danger' : ''}`}
    >
      <CreditCard size={18} className={refused ? 'text-danger' : 'text-muted'} />
      <div className="min-w-0 flex-1 basis-44">
        <p className="font-semibold">{refused ? 'The last payment failed' : 'Paid by card through Stripe'}</p>
        <p className="text-muted">{next}</p>
      </div>
      <div className="flex flex-wrap gap-3">
        {refused && (
          <Button tone="primary" busy={pay.isPending} onClick={() => pay.mutate()}>
            Pay now
          </Button>
        )}
        <Button tone="quiet" busy={change.isPending} onClick={() => change.mutate()}>
          Change card
        </Button>
      </div>
    </div>
  );
}

export function PlanSection({ onPress, onUpgraded, ...state }: PlanState & PlanEvents) {
  const { plans, subscription } = state;
  const end = subscription.currentPeriodEnd;
  const isCancelled = subscription.scheduledChange?.kind === 'cancel';
  return (
    <section aria-labelledby="plan-title" className="mt-10">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
        <h2 id="plan-title" className="display text-3xl">
          Plan
        </h2>
        {subscription.status !== 'none' && (
          <Badge tone={isCancelled ? 'warn' : (TONES[subscription.status] ?? 'neutral')}>
            {isCancelled ? 'cancelled' : subscription.status.replace('_', ' ')}
          </Badge>
        )}
        <p className="text-muted" aria-live="polite">
          {statusText(state)}
        </p>
      </div>
      <AwaitedPayer plans={plans} subscription={subscription} key={subscription.pendingChange?.needs} />
      <div className="mt-4 grid gap-3 md:grid-cols-3">
        {plans.map((plan) => (
          <PlanCard key={plan.id} plan={plan} {...{ onPress, onUpgraded }} {...state} />
        ))}
      </div>
      <p className="mt-4 max-w-[68ch] text-muted">
        {isRunning(subscription) && end
          ? `Upgrading charges the full price today, adds all its credits and starts a new month. Switching down or cancelling happens on ${formatDay(end)}; you keep every credit you have.`
          : 'Credits come with every paid month, roll over and never expire, with or without a plan.'}
      </p>
      <TopUps place="settings" className="mt-10" onPress={onPress} />
      <ConsentNote className="mt-5" />
      <CardPanel plans={plans} subscription={subscription} />
    </section>
  );
}
