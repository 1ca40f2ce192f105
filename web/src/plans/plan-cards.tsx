import './plans.css';
import { useQuery } from '@tanstack/react-query';
import { Check } from 'lucide-react';
import { useNavigate } from 'react-router-dom';
import { query } from '../api/api.js';
import type { Plan } from '../../../application/subscriptions/contract.js';
import { paths } from '../paths.js';
import { useSession } from '../session/session.js';
import { Button } from '../ui/button.js';
import { formatUsdCents } from '../ui/format.js';
import { QueryFailure, Skeleton } from '../ui/states.js';
import { prepareCheckout, Measure, TopUps, useBuy } from './top-ups.js';
import { ConsentNote } from './consent-note.js';
import { centsEach, isRunning } from './price.js';

function Card({ plan, of, current }: { plan: Plan; of: number; current: Plan['id'] | null }) {
  const navigate = useNavigate();
  const choose = useBuy(plan.id, 'prices');
  return (
    <article
      className="plan-card panel flex flex-col p-7"
      data-popular={plan.popular ? '' : undefined}
      onPointerEnter={prepareCheckout}
      onFocus={prepareCheckout}
    >
      <div className="flex min-h-8.5 items-center gap-6">
        <h3 className="display text-4xl">{plan.name}</h3>
        {plan.id === current ? (
          <span className="bg-page px-2 py-1 text-xs leading-none font-semibold text-text">Your plan</span>
        ) : (
          plan.popular && (
            <span className="display bg-accent px-2.75 pt-2 pb-2.25 text-lg text-on-accent">Popular</span>
          )
        )}
      </div>
      <p className="mt-2 flex items-end gap-2">
        <span className="display text-10xl leading-[0.95]!">{formatUsdCents(plan.priceUsdCents)}</span>
        <span className="text-(--soft) pb-2.5">per month{plan.plusTax && ', plus tax'}</span>
      </p>
      <Measure credits={plan.credits} of={of} className="mt-6" />
      <p className="mt-2 flex items-baseline justify-between">
        <b className="text-lg">{plan.credits} credits</b>
        <span className="text-(--soft)">{centsEach(plan)}¢ each</span>
      </p>
      <ul className="mt-5 mb-6 grid gap-2.5 text-md">
        {plan.features.map((feature) => (
          <li key={feature} className="flex items-center gap-3">
            <Check size={16} className="text-(--tick)" />
            {feature}
          </li>
        ))}
      </ul>
      <Button
        size="large"
        className="plan-choose mt-auto w-full text-lg!"
        busy={choose.isPending}
        // Visitors with a plan change it in the settings, which explain the consequences.
        onClick={() => (current ? void navigate(paths.credits) : choose.mutate())}
      >
        {plan.id === current ? 'Manage plan' : `${current ? 'Change to' : 'Choose'} ${plan.name}`}
      </Button>
    </article>
  );
}

export default function PlanCards() {
  const { status } = useSession();
  const answer = useQuery(query('GET /api/plans'));
  const { data, error } = answer;
  const { data: subscription } = useQuery({
    ...query('GET /api/subscription'),
    enabled: status === 'signed-in',
  });
  const current = subscription && isRunning(subscription) ? subscription.plan : null;
  const plans = data?.items ?? [];
  const of = Math.max(...plans.map(({ credits }) => credits));
  if (error && !data) return <QueryFailure of={answer} title="The plans could not be loaded" />;
  return (
    <>
      <div className="grid gap-4 lg:grid-cols-3">
        {!data && [1, 2, 3].map((at) => <Skeleton key={at} className="h-112.5" />)}
        {plans.map((plan) => (
          <Card key={plan.id} plan={plan} of={of} current={current} />
        ))}
      </div>
      <TopUps place="prices" of={of} className="mt-10" />
      <ConsentNote className="mt-5" />
    </>
  );
}
