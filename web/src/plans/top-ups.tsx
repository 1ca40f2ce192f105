import { useMutation, useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { Link } from 'react-router-dom';
import { query } from '../api/api.js';
import type { Product } from '../../../application/subscriptions/contract.js';
import type { CheckoutPlace } from '../session/after-sign-in.js';
import { paths } from '../paths.js';
import { fetchAhead } from '../shell/lazy-with-preload.js';
import { Button } from '../ui/button.js';
import { formatUsdCents } from '../ui/format.js';
import { QueryFailure, Skeleton } from '../ui/states.js';
import { centsEach } from './price.js';

const loadCheckout = () => import('./checkout.js');
export const prepareCheckout = () => void fetchAhead(loadCheckout);

/** Credits as the length of a bar with a tick for every five. @param of the credits of the longest bar */
export function Measure({ credits, of, className }: { credits: number; of: number; className: string }) {
  let ticks = '';
  for (let at = 5; at < credits; at += 5) ticks += `M${at} 34v-${at % 50 === 0 ? 18 : 8}`;
  return (
    <div className={`border-b border-current/45 ${className}`} aria-hidden="true">
      <div className="h-8.5 bg-accent cut-end-34" style={{ width: `${(credits / of) * 100}%` }}>
        <svg
          viewBox={`0 0 ${credits} 34`}
          preserveAspectRatio="none"
          className="block size-full stroke-on-accent stroke-1"
        >
          <path d={ticks} vectorEffect="non-scaling-stroke" />
        </svg>
      </div>
    </div>
  );
}

/**
 * Returns a mutation that opens the payment page of a product. The new tab must open during the press, so the cards
 * fetch the code ahead with `prepareCheckout`.
 */
export const useBuy = (product: Product['id'], place: CheckoutPlace) =>
  useMutation({ mutationFn: async () => (await loadCheckout()).buy(product, place) });

/** The top-ups among the products. Undefined until they are loaded. */
export function useTopUps() {
  const answer = useQuery(query('GET /api/products'));
  return { answer, topUps: answer.data?.items.filter(({ kind }) => kind === 'top-up') };
}

function Card(props: {
  topUp: Product;
  of: number;
  place: CheckoutPlace;
  onPress?: (() => void) | undefined;
}) {
  const { topUp, of, place, onPress } = props;
  const { mutate, isPending } = useBuy(topUp.id, place);
  return (
    <article className="panel flex flex-col p-5" onPointerEnter={prepareCheckout} onFocus={prepareCheckout}>
      <h4 className="display text-3xl">{topUp.name}</h4>
      <Measure credits={topUp.credits} of={of} className="mt-3" />
      <p className="mt-3 flex flex-wrap items-baseline justify-between gap-x-3">
        <span className="display text-5xl">{formatUsdCents(topUp.priceUsdCents)}</span>
        <span className="text-muted">
          once{topUp.plusTax && ', plus tax'}, {centsEach(topUp)}¢ each
        </span>
      </p>
      <p className="mt-2 mb-5 text-muted">{topUp.description}</p>
      <Button
        className="mt-auto w-full"
        busy={isPending}
        onClick={() => {
          onPress?.();
          mutate();
        }}
      >
        Buy {topUp.name}
      </Button>
    </article>
  );
}

/** The columns of the cards on each page. They match the columns of the plan cards above. */
const COLUMNS = { prices: 'gap-4 lg:grid-cols-3', settings: 'gap-3 md:grid-cols-3' };

/**
 * The cards of the top-ups: credits that are bought once.
 * @param of the credits of the longest bar; those of the largest top-up by default
 */
export function TopUps({
  place,
  of,
  onPress,
  className = '',
}: {
  place: CheckoutPlace;
  of?: number;
  onPress?: () => void;
  className?: string;
}) {
  const title = useId();
  const { answer, topUps } = useTopUps();
  const largest = Math.max(of ?? 0, ...(topUps ?? []).map(({ credits }) => credits));
  return (
    <section aria-labelledby={title} className={className}>
      <div className="flex flex-wrap items-baseline gap-x-4 gap-y-1">
        <h3 id={title} className="display text-3xl">
          Top-ups
        </h3>
        <p className="text-muted">
          Paid once, with or without a plan. These credits never expire either.{' '}
          <Link to={paths.gifts} className="underlined">
            Give credits to another person, or redeem a gift
          </Link>
          .
        </p>
      </div>
      <QueryFailure of={answer} title="The top-ups could not be loaded" className="mt-4" />
      {!answer.error && (
        <div className={`mt-4 grid ${COLUMNS[place]}`}>
          {!topUps && [1, 2, 3].map((at) => <Skeleton key={at} className="h-60" />)}
          {topUps?.map((topUp) => (
            <Card key={topUp.id} {...{ topUp, of: largest, place, onPress }} />
          ))}
        </div>
      )}
    </section>
  );
}
