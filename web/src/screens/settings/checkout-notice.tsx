import { CircleCheck, Info, X } from 'lucide-react';
import { useEffect } from 'react';
import type { GrantState } from '../../plans/use-grant-watch.js';
import { IconButton } from '../../ui/button.js';
import { countOf } from '../../ui/format.js';

/** The outcome of the payment page: waiting, arrived, or nothing charged. */
export function CheckoutNotice({
  outcome,
  grant,
  onClose,
}: {
  outcome: 'success' | 'cancelled';
  grant: GrantState;
  onClose: () => void;
}) {
  const arrived = grant.state === 'arrived';
  useEffect(() => {
    if (arrived) document.querySelector('[data-balance]')?.scrollIntoView({ block: 'center' });
  }, [arrived]);
  return (
    <div
      role="status"
      className={`panel mt-6 flex items-start gap-3.5 border-l-3 p-4 ${arrived ? 'border-l-ok' : 'border-l-info'}`}
    >
      {outcome === 'cancelled' && <Info size={18} className="mt-0.5 text-info" />}
      {outcome === 'success' && !arrived && <span className="spinner mt-1 text-info" aria-hidden="true" />}
      {arrived && <CircleCheck size={18} className="mt-0.5 text-ok" />}
      <div className="min-w-0 flex-1">
        {outcome === 'cancelled' && (
          <>
            <p className="font-semibold">Checkout cancelled</p>
            <p className="text-muted">Nothing was charged.</p>
          </>
        )}
        {arrived && (
          <>
            <p className="font-semibold">{countOf(grant.credits, 'credit')} arrived</p>
            <p className="text-muted">Your balance is {countOf(grant.balance, 'credit')}.</p>
          </>
        )}
        {outcome === 'success' && grant.state === 'waiting' && (
          <>
            <p className="font-semibold">Waiting for your credits</p>
            <p className="text-muted">
              {grant.slow
                ? 'This takes longer than usual. You get your credits as soon as Stripe confirms the invoice. You can leave this page.'
                : 'They are granted when Stripe confirms the paid invoice, usually within seconds.'}
            </p>
          </>
        )}
      </div>
      <IconButton label="Close" onClick={onClose}>
        <X size={16} />
      </IconButton>
    </div>
  );
}
