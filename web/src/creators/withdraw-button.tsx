import { useMutation } from '@tanstack/react-query';
import type { CreatorBalance } from '../../../application/payouts/contract.js';
import { isAnswer } from '../api/transport/idempotency-key.js';
import { withdraw } from '../api/creator.js';
import { askConfirm, showAlert } from '../ui/overlays/alerts.js';
import { Button } from '../ui/button.js';
import { formatUsdCents } from '../ui/format.js';
import { toast, notifyOf } from '../ui/overlays/toast.js';
import { wholeCents } from './payout-status.js';

/** Withdraws the whole available balance in whole cents, after a confirmation. */
export function WithdrawButton({ balance, className }: { balance: CreatorBalance; className?: string }) {
  const cents = wholeCents(balance.availableMicroUsd);
  const { mutate, isPending } = useMutation({
    mutationFn: withdraw,
    onSuccess: (_, sent) => toast({ title: `${formatUsdCents(sent)} is on its way`, tone: 'ok' }),
    onError: (error) => {
      const title = isAnswer(error) ? 'Nothing was withdrawn' : 'We do not know yet whether it was withdrawn';
      notifyOf(title)(error);
    },
  });
  const press = async () => {
    if (cents < balance.minimumUsdCents)
      return showAlert({
        title: 'Nothing to withdraw yet',
        message: `Withdrawals start at ${formatUsdCents(balance.minimumUsdCents)}.`,
      });
    const sure = await askConfirm({
      title: `Withdraw ${formatUsdCents(cents)}?`,
      message: 'All that is available goes to your Stripe account.',
      confirmLabel: 'Withdraw',
    });
    if (sure) mutate(cents);
  };
  return (
    <Button
      tone="primary"
      className={className}
      busy={isPending}
      disabled={balance.inFlight !== null || cents < 0}
      onClick={() => void press()}
    >
      Withdraw
    </Button>
  );
}
