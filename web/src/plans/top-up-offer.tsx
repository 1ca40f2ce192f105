import { Button } from '../ui/button.js';
import { formatUsdCents } from '../ui/format.js';
import { settleAlert } from '../ui/overlays/alerts.js';
import type { Product } from '../../../application/subscriptions/contract.js';
import { LoadingText } from '../ui/states.js';
import { centsEach } from './price.js';
import { ConsentNote } from './consent-note.js';
import { prepareCheckout, useBuy, useTopUps } from './top-ups.js';

function Row({ topUp }: { topUp: Product }) {
  const { mutate, isPending } = useBuy(topUp.id, 'prices');
  return (
    <li
      className="flex items-center gap-4 border-t border-line py-2.5"
      onPointerEnter={prepareCheckout}
      onFocus={prepareCheckout}
    >
      <p className="min-w-0 flex-1">
        <b className="display block text-xl font-normal">{topUp.name}</b>
        <span className="text-sm text-muted">
          {formatUsdCents(topUp.priceUsdCents)} once{topUp.plusTax && ', plus tax'}, {centsEach(topUp)}¢ each
        </span>
      </p>
      <Button
        aria-label={`Buy ${topUp.name}`}
        busy={isPending}
        onClick={() => mutate(undefined, { onSuccess: () => settleAlert(false) })}
      >
        Buy
      </Button>
    </li>
  );
}

/**
 * The top-ups, for visitors with too few credits. If they cannot be loaded, the alert around them still links to
 * Settings.
 */
export default function TopUpOffer() {
  const { answer, topUps } = useTopUps();
  if (answer.error) return null;
  return (
    <>
      <h3 className="mt-4 mb-2 font-semibold">Top up now</h3>
      {topUps ? (
        <ul>
          {topUps.map((topUp) => (
            <Row key={topUp.id} topUp={topUp} />
          ))}
        </ul>
      ) : (
        <LoadingText>Loading top-ups...</LoadingText>
      )}
      <ConsentNote className="mt-3" />
    </>
  );
}
