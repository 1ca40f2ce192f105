import { useMutation } from '@tanstack/react-query';
import { CreditCard, Landmark } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { Plan, Subscription } from '../../../../application/subscriptions/contract.js';
import { payPendingChange, withdrawPendingChange } from '../../plans/change-plan.js';
import { Button } from '../../ui/button.js';
import { formatDay, formatTime, formatUsdCents } from '../../ui/format.js';

const WORDS = {
  confirmation: { Icon: Landmark, title: 'Your bank wants you to confirm', pay: 'Confirm payment' },
  'another card': { Icon: CreditCard, title: 'Your card was refused', pay: 'Pay with another card' },
};

export function AwaitedPayer(props: { plans: readonly Plan[]; subscription: Subscription }) {
  const { plans, subscription } = props;
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
